"""Media whose permittivity is negative beyond a pole far from the band: glass of a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tasks.reproduce.oracles import oracle
from tests.sim.solving.described_kit import AIR, problem, values

pytestmark = pytest.mark.sim
# Malitson's fused silica near 1 um, as it is fitted: a pole without loss in the ultraviolet.
GLASS = {
    "kind": "medium",
    "epsilon": 1.26341,
    "poles": [{"kind": "lorentz", "frequency": 6.6667, "damping": 0.0, "strength": 0.821166}],
}


def lit(polarization: str, *patterns: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "unit_cell",
        "period": [0.8],
        "below": GLASS,
        "above": AIR,
        "light_from": "above",
        "polarization": polarization,
        "angle": 0.7,
        "layers": [{"type": "film", "medium": AIR, "thickness": 0.5, "pattern": list(patterns)}],
        "band": {"type": "line", "wavelength": 1.03},
    }


@pytest.mark.parametrize("polarization", ["p", "s"])
def test_light_at_an_angle_on_glass_with_a_pole(tmp_path: Path, polarization: str) -> None:
    made = problem(
        lit(polarization, {"type": "bar", "medium": GLASS, "x": [-0.2, 0.2]}),
        {"type": "reflectance", "id": "R"},
        {"type": "order_efficiency", "id": "t", "side": "transmitted", "order": [-1]},
    )
    found = values(tmp_path, made, 25)
    for quantity in made.quantities:
        exact = oracle(made.scenes[0], quantity, {}, found[quantity.id].x)
        assert found[quantity.id].y[0] == pytest.approx(exact[1].y[0], abs=0.02)
