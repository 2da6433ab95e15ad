"""A cylinder in a plane wave against partial waves, from description to value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from described_kit import AIR, problem, values

from tasks.oracles import oracle

pytestmark = pytest.mark.sim


def rod(polarization: str, **more: Any) -> dict[str, Any]:
    body = {"type": "cylinder", "id": "rod", "medium": {"kind": "medium", "index": 1.55}, "radius": 0.25, "center": [0, 0, 0],
            "axis": "z", "bounds": [-1e20, 1e20]}
    return {"type": "scatterer", "dimensions": "2D", "bodies": [body], "background": AIR, "polarization": polarization,
            "band": {"type": "line", "wavelength": 0.6328}, **more}


@pytest.mark.parametrize("polarization", ["z", "y"])
def test_the_scattering_efficiency_of_a_cylinder(tmp_path: Path, polarization: str) -> None:
    made = problem(rod(polarization), {"type": "cross_section", "id": "q", "process": "scattering", "per": 0.5},
                   {"type": "cross_section", "id": "a", "process": "absorption", "per": 0.5})
    found = values(tmp_path, made, 60)
    exact = oracle(made.scenes[0], made.quantities[0], {}, found["q"].x)
    assert found["q"].y[0] == pytest.approx(exact[1].y[0], rel=0.015)
    assert abs(found["a"].y[0]) < 0.005  # it absorbs nothing


def test_light_from_any_side_scatters_alike(tmp_path: Path) -> None:
    scatters = {"type": "cross_section", "id": "q", "process": "scattering"}
    one, other = (values(tmp_path, problem(rod("z", direction=side), scatters), 30)["q"].y[0] for side in ("+x", "-y"))
    assert one == pytest.approx(other, rel=1e-6)


def test_the_field_on_a_line_is_relative_to_the_incident_one(tmp_path: Path) -> None:
    glass_of_air = rod("z")
    glass_of_air["bodies"][0]["medium"] = AIR
    near = {"type": "near_field", "id": "n", "start": [-0.4, 0, 0], "end": [0.4, 0, 0]}
    found = values(tmp_path, problem(glass_of_air, near), 30)["n"]
    assert found.axis == "position" and found.y == pytest.approx(1.0, abs=1e-6)
