"""Bodies with a corner on a plane of symmetry, lit across it: a passive structure stays passive."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tasks.reproduce.oracles import oracle
from tests.sim.solving.described_kit import AIR, problem, values

pytestmark = pytest.mark.sim
SILICON = {"kind": "medium", "index": 3.43}


def ridges(height: float, *bars: dict[str, Any]) -> dict[str, Any]:
    film = {"type": "film", "medium": AIR, "thickness": height / len(bars)}
    return {
        "type": "unit_cell",
        "period": [0.8],
        "above": AIR,
        "below": SILICON,
        "layers": [{**film, "pattern": [{"type": "bar", "medium": SILICON, **bar}]} for bar in bars],
        "polarization": "x",
        "light_from": "above",
        "band": {"type": "line", "wavelength": 4.0},
    }


def test_triangular_ridges_across_which_light_swings(tmp_path: Path) -> None:
    reflects, slices = {"type": "reflectance", "id": "R"}, 30
    made = problem(ridges(1.2, {"x": [-0.4, 0.4], "top": [0.0, 0.0]}), reflects)
    halves = [0.4 * (1 - (k + 0.5) / slices) for k in range(slices)]
    stairs = problem(ridges(1.2, *({"x": [-half, half]} for half in halves)), reflects)
    found = values(tmp_path, made, 30)["R"]
    exact = oracle(stairs.scenes[0], stairs.quantities[0], {}, found.x)
    assert found.y[0] == pytest.approx(exact[1].y[0], abs=0.002)


@pytest.mark.parametrize(
    "corners", [((-0.5, 0), (0, -0.5), (0.5, 0), (0, 0.5)), ((-0.5, -0.5), (0.5, -0.5), (0, 0.5))]
)
def test_light_across_a_corner_is_scattered_and_not_amplified(tmp_path: Path, corners: Any) -> None:
    scene = {
        "type": "scatterer",
        "dimensions": "2D",
        "bodies": [
            {"type": "prism", "id": "p", "medium": SILICON, "vertices": corners, "bounds": [-1e20, 1e20]}
        ],
        "background": AIR,
        "polarization": "x",
        "direction": "+y",
        "band": {"type": "line", "wavelength": 2.5},
    }
    quantities = (
        {"type": "cross_section", "id": one, "process": one} for one in ("scattering", "absorption")
    )
    found = values(tmp_path, problem(scene, *quantities), 20)
    assert abs(found["absorption"].y[0]) < 0.01 * found["scattering"].y[0]
