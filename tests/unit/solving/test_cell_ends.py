"""Where the layers of a unit cell end: inside, or far beyond the cell, never at its edge, where rounding chooses the medium."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.arrange import Numerics, arrange
from simkit.describe.base import RESOLVED
from simkit.describe.problem import Problem

pytestmark = pytest.mark.unit
AIR = {"kind": "medium", "index": 1.0}
DRUDE = {
    "eps_inf": 11.7,
    "poles": [{"kind": "drude", "f0": 1.0, "gamma": 0.008, "sigma": 0.387}],
    "band_um": (6.2, 8.6),
    "valid_um": (6.2, 8.6),
}
BACKS = (
    {"kind": "medium", "material": "doped"},
    {"kind": "perfect_conductor"},
    {"kind": "medium", "index": 3.4},
)


@settings(deadline=None, max_examples=30)
@given(
    back=st.sampled_from(BACKS),
    resolution=st.floats(5, 90),
    padding=st.floats(0.7, 2),
    depth=st.floats(0.2, 1.5),
)
def test_no_layer_ends_at_the_edge_of_the_cell(
    back: dict[str, Any], resolution: float, padding: float, depth: float
) -> None:
    # On one grid of a doped grating the metal's block held the last nodes, 14 um behind its own end and deep in the PML of
    # the other side: the fields grew by twelve orders.
    bar = {"type": "bar", "medium": back, "x": (-1.5, 1.5)}
    made = Problem.model_validate(
        {
            "scenes": [
                {
                    "type": "unit_cell",
                    "id": "s",
                    "period": (6.0,),
                    "layers": [{"type": "film", "medium": AIR, "thickness": depth, "pattern": [bar]}],
                    "below": AIR,
                    "above": back,
                    "light_from": "below",
                    "polarization": "x",
                    "band": {"type": "wavelengths", "shortest": 6.2, "longest": 8.6},
                }
            ],
            "quantities": [{"type": "reflectance", "id": "R", "scene": "s"}],
        },
        context=RESOLVED,
    )
    runs = arrange(
        made.scenes[0], made.quantities, Numerics(resolution, padding=padding), {"doped": DRUDE}
    ).runs
    run = runs["structure"]
    half = run.cell["xyz".index(run.stack_axis)] / 2
    ends = [body[run.stack_axis][1] for body in run.geometry if body["type"] == "block"]
    assert ends and max(ends) > 2 * half
    assert all(end < half - 1 / resolution or end > 2 * half for end in ends), (ends, half)
