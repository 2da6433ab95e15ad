"""A dipole above an ideal mirror against its exact decay, from description to value."""

from __future__ import annotations

from pathlib import Path

import pytest
from described_kit import AIR, problem, values

from tasks.oracles import oracle

IDEAL = {"kind": "perfect_conductor"}
FAR = [-1e20, 1e20]


@pytest.mark.sim
def test_a_line_current_before_a_mirror_over_a_band(tmp_path: Path) -> None:
    mirror = {"type": "block", "id": "mirror", "medium": IDEAL, "x": FAR, "y": [-1e20, 0], "z": FAR}
    made = problem({"type": "emitter", "dimensions": "2D", "bodies": [mirror], "background": AIR, "position": [0, 0.3, 0],
                    "orientation": "z", "band": {"type": "frequencies", "lowest": 0.8, "highest": 1.2}},
                   {"type": "purcell_spectrum", "id": "p"})
    found = values(tmp_path, made, 30, samples=11)["p"]
    exact = oracle(made.scenes[0], made.quantities[0], {}, found.x)[1].y
    assert found.y == pytest.approx(exact, abs=0.02)


@pytest.mark.sim
def test_a_dipole_a_quarter_wavelength_above_a_mirror(tmp_path: Path) -> None:
    mirror = {"type": "block", "id": "mirror", "medium": IDEAL, "x": FAR, "y": FAR, "z": [-1e20, 0]}
    made = problem({"type": "emitter", "dimensions": "3D", "bodies": [mirror], "background": AIR,
                    "position": [0, 0, 0.25], "orientation": "z", "band": {"type": "line", "wavelength": 1}},
                   {"type": "purcell_factor", "id": "p"})
    exact = oracle(made.scenes[0], made.quantities[0], {})[1].value
    assert values(tmp_path, made, 12)["p"].value == pytest.approx(exact, abs=0.02)
