"""Bands of rods and of a hexagonal crystal by MPB, from description to value."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.reproduce.oracles import oracle
from tests.sim.solving.described_kit import AIR, problem, values


def rod(epsilon: float, radius: float) -> dict:
    return {
        "type": "cylinder",
        "id": "rod",
        "medium": {"kind": "medium", "epsilon": epsilon},
        "center": [0, 0, 0],
        "radius": radius,
        "axis": "z",
        "bounds": [-1e20, 1e20],
    }


@pytest.mark.sim
def test_the_gap_of_a_square_lattice_of_rods(tmp_path: Path) -> None:
    made = problem(
        {
            "type": "crystal",
            "lattice": {"type": "square", "period": 1},
            "bodies": [rod(8.9, 0.2)],
            "background": AIR,
            "polarization": "tm",
        },
        *(
            {"type": "gap", "id": what, "above": 1, "what": what}
            for what in ("lower_edge", "upper_edge", "ratio")
        ),
    )
    found = values(tmp_path, made, 32, samples=49)
    assert found["lower_edge"].value == pytest.approx(0.32241, rel=1e-3)
    assert found["upper_edge"].value == pytest.approx(0.44251, rel=1e-3)
    assert found["ratio"].value == pytest.approx(0.3140, rel=5e-3)


@pytest.mark.sim
def test_a_hexagonal_crystal_agrees_with_plane_waves(tmp_path: Path) -> None:
    made = problem(
        {
            "type": "crystal",
            "lattice": {"type": "hexagonal", "period": 0.8},
            "bodies": [rod(4.0, 0.2)],
            "background": AIR,
            "polarization": "tm",
        },
        *(
            {"type": "band_frequency", "id": f"{k}{band}", "band": band, "k": k}
            for k, band in (("M", 1), ("K", 3))
        ),
    )
    for name, value in values(tmp_path, made, 40).items():
        quantity = next(q for q in made.quantities if q.id == name)
        assert value.value == pytest.approx(oracle(made.scenes[0], quantity, {})[1].value, rel=4e-3), name
