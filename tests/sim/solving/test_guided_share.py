"""Light of a dipole in guided modes against the residues of the exact Green's function of a slab."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from scipy.optimize import brentq

from tests.sim.solving.test_solved_emitter import FAR, problem, values

SLAB, AROUND, THICK, WAVE = 2.4, 1.45, 0.3, 0.7
CORE = {"kind": "medium", "index": SLAB}
CLAD = {"kind": "medium", "index": AROUND}
FILM = {"type": "block", "id": "film", "medium": CORE, "x": FAR, "y": [-THICK / 2, THICK / 2], "z": FAR}


def mode(number: int, polarization: str) -> tuple[float, float, float]:
    """beta, transverse wave number and decay of a symmetric slab's mode (0 first)."""
    k0, ratio = 2 * math.pi / WAVE, 1.0 if polarization == "Ez" else (SLAB / AROUND) ** 2

    def off(index: float) -> float:
        k, g = math.sqrt(SLAB**2 - index**2), math.sqrt(index**2 - AROUND**2)
        return k0 * THICK * k - number * math.pi - 2 * math.atan(ratio * g / k)

    index = brentq(off, AROUND + 1e-9, SLAB - 1e-9)
    return k0 * index, k0 * math.sqrt(SLAB**2 - index**2), k0 * math.sqrt(index**2 - AROUND**2)


def guided(number: int, orientation: str, y: float) -> float:
    """Rate into a mode, both ways, over the rate in the slab's medium without end; the dipole in the slab at y."""
    polarization, k0 = ("Ez" if orientation == "z" else "Hz"), 2 * math.pi / WAVE
    beta, k, g = mode(number, polarization)
    wave, slope = (math.cos, lambda a: -math.sin(a)) if number % 2 == 0 else (math.sin, math.cos)
    inside = THICK / 2 + (1 if number % 2 == 0 else -1) * math.sin(k * THICK) / (2 * k)
    outside = wave(k * THICK / 2) ** 2 / g
    if orientation == "z":
        return 2 * wave(k * y) ** 2 / (beta * (inside + outside))
    weight = inside / SLAB**2 + outside / AROUND**2
    field = beta * wave(k * y) if orientation == "y" else k * slope(k * y)
    return 4 * field**2 / (beta * k0**2 * SLAB**4 * weight)


def shares(
    tmp_path: Path, position: list[float], orientation: str, *asked: dict[str, Any], **scene: Any
) -> list[float]:
    inside = {"type": "block", "id": "all", "medium": CLAD, "x": FAR, "y": FAR, "z": FAR}
    made = problem(
        {
            "type": "emitter",
            "dimensions": "2D",
            "bodies": [inside, FILM, *scene.get("bodies", [])],
            "background": CORE,
            "position": position,
            "orientation": orientation,
            "band": {"type": "line", "wavelength": WAVE},
        },
        *(
            {"type": "guided_share", "id": f"g{n}", "sides": ["-x", "+x"], "over": "alone"} | one
            for n, one in enumerate(asked)
        ),
    )
    found = values(tmp_path, made, scene.get("resolution", 50))
    return [found[f"g{n}"].value for n in range(len(asked))]


@pytest.mark.sim
@pytest.mark.parametrize("orientation", "xyz")
def test_each_mode_takes_its_share(tmp_path: Path, orientation: str) -> None:
    found = shares(
        tmp_path,
        [0.0, 0.06, 0.0],
        orientation,
        {},
        {"mode": 2},
        {"sides": ["+x"]},
        {"over": "emitted"},
        {"mode": 2, "over": "emitted"},
    )
    first, second = (guided(number, orientation, 0.06) for number in (0, 1))
    assert found[:3] == pytest.approx([first, second, first / 2], rel=0.012)
    assert found[3] / found[4] == pytest.approx(first / second, rel=0.02) and found[3] + found[4] < 1
