"""A kept run is solved again only where the way it is drawn has changed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from simkit.runs import Layer, Monitor, Run, Source, Stop

pytestmark = pytest.mark.unit
AIR, METAL = {"kind": "medium", "index": 1.0}, {"kind": "perfect_conductor"}
BLOCK = {"type": "block", "id": "b", "x": (0, 1), "y": (0, 1), "z": (0, 1)}
RING = {
    "type": "ring",
    "id": "r",
    "center": (0, 0, 0),
    "inner": 1,
    "outer": 2,
    "bounds": (0, 1),
    "medium": AIR,
}


@pytest.mark.parametrize(
    ("body", "again"),
    [
        ({**BLOCK, "medium": AIR}, False),
        ({**BLOCK, "medium": METAL}, True),
        ({"type": "repeat", "body": {**BLOCK, "medium": METAL}, "count": 2, "step": (1, 0, 0)}, True),
        ({**RING, "filling": METAL}, True),
        ({**RING, "filling": AIR}, False),
    ],
)
def test_only_runs_with_bodies_of_ideal_metal_know_how_its_faces_are_drawn(
    body: dict[str, Any], again: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run(
        "2D",
        (4.0, 4.0, 0.0),
        10.0,
        (Layer("pml", "x", 1.0),),
        (body,),
        (Source("current", "Ez", (0, 0, 0), (0, 0, 0), 1.0, 0.2),),
        {"flux": Monitor("flux", (0, 0, 0), (0, 1, 0), (1.0,))},
        Stop("settled", 1e-6, 10.0, 1.0),
    )
    before = run.digest()
    monkeypatch.setattr("simkit.runs.FACES_VERSION", 99)
    assert (replace(run).digest() != before) is again
