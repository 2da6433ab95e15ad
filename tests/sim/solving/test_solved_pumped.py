"""Strong light on plain films against an undepleted pump: harmonics and Kerr phase, forwards and backwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from simkit.describe.units import UNITS
from tasks.reproduce.oracles import oracle
from tests.sim.solving.described_kit import AIR, problem, values

pytestmark = pytest.mark.sim
GW = UNITS["GW/cm^2"].factor


def film(**chi: float) -> dict[str, Any]:
    layer = {"type": "film", "medium": {"kind": "medium", "index": 2.2, **chi}, "thickness": 0.6}
    return {
        "type": "unit_cell",
        "below": AIR,
        "layers": [layer],
        "above": {"kind": "medium", "index": 1.45},
        "light_from": "below",
        "polarization": "x",
        "band": {"type": "line", "wavelength": 1.5},
    }


def harmonic(name: str, number: int, side: str = "transmitted", power: float = 10) -> dict[str, Any]:
    return {
        "type": "harmonic_efficiency",
        "id": name,
        "harmonic": number,
        "side": side,
        "intensity": power * GW,
    }


@pytest.mark.long
def test_third_harmonic_and_kerr_phase_of_a_film(tmp_path: Path) -> None:
    chi3 = 2e-20 * UNITS["m^2/V^2"].factor
    made = problem(
        film(chi3=chi3),
        harmonic("t", 3),
        harmonic("r", 3, "reflected"),
        harmonic("weaker", 3, power=5),
        {"type": "kerr_phase", "id": "k", "side": "transmitted", "intensity": 10 * GW},
    )
    found = values(tmp_path, made, 200)
    exact = {q.id: oracle(made.scenes[0], q, {})[1] for q in made.quantities}
    assert found["t"].value == pytest.approx(exact["t"].value, rel=0.01)
    assert found["r"].value == pytest.approx(exact["r"].value, rel=0.03)
    assert found["k"].value == pytest.approx(exact["k"].value, rel=0.01)
    assert found["t"].value / found["weaker"].value == pytest.approx(4, rel=2e-3)  # the pump's power, cubed


def test_second_harmonic_of_a_film(tmp_path: Path) -> None:
    made = problem(film(chi2=20 * UNITS["pm/V"].factor), harmonic("t", 2), harmonic("r", 2, "reflected"))
    for quantity, found in zip(made.quantities, values(tmp_path, made, 150).values(), strict=True):
        assert found.value == pytest.approx(oracle(made.scenes[0], quantity, {})[1].value, rel=0.02), (
            quantity.id
        )
