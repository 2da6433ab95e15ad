"""Light without layers is solved one pixel wide: which runs that holds for, and what is foreseen for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from simkit.arrange import Numerics, arrange
from simkit.uniform import narrowed
from tasks.reproduce.solving.run_cost import foresee
from tests.unit.solving.test_shared_references import cell

pytestmark = pytest.mark.unit


def _pair(angle: float = 0.0, period: float | None = 0.9) -> tuple[Any, Any]:
    problem = cell(0.3, angle, period)
    runs = arrange(problem.scenes[0], problem.quantities, Numerics(40.0), {}).runs
    reference, structure = (runs[name] for name in sorted(runs))
    return reference, structure


@pytest.mark.parametrize("angle", [0.0, 0.4])
def test_the_light_without_layers_is_narrow_and_a_structure_is_not(angle: float) -> None:
    """In front of 3D posts it cost half as much as they did."""
    reference, structure = _pair(angle)
    narrow = narrowed(reference)
    assert narrow is not None and narrow.cell[0] == 1 / 40 and narrow.cell[1:] == reference.cell[1:]
    assert narrowed(structure) is None and narrow.bloch == reference.bloch
    assert foresee(reference).pixels < foresee(structure).pixels / 30
    assert narrowed(_pair(period=None)[0]) is None  # of films it is a line as it is


@pytest.mark.parametrize(
    "change",
    [
        lambda run: {"bloch": None},
        lambda run: {"bloch": (0.1, 0.2, 0.0)},
        lambda run: {"geometry": ({"type": "block"},)},
        lambda run: {"sources": tuple(replace(s, size=(0.2, 0.0, 0.0)) for s in run.sources)},
        lambda run: {"sources": tuple(replace(s, wave_vector=(0.3, 0.0, 0.0)) for s in run.sources)},
        lambda run: {"sources": tuple(replace(s, kind="mode") for s in run.sources)},
        lambda run: {"monitors": {n: replace(m, size=(0.2, 0.0, 0.0)) for n, m in run.monitors.items()}},
        lambda run: {"monitors": {n: replace(m, kind="ldos") for n, m in run.monitors.items()}},
        lambda run: {"monitors": {n: replace(m, size=(0.9, 1.0, 0.0)) for n, m in run.monitors.items()}},
        lambda run: {"layers": (*run.layers, replace(run.layers[0], axis="x"))},
        lambda run: {"subtract": {"reflection": ("0" * 32, "reflection")}},
        lambda run: {"resolution": 3.0},
        lambda run: {"resolution": 40.3},
    ],
)
def test_what_may_vary_across_is_solved_whole(change: Any) -> None:
    reference, _ = _pair()
    assert narrowed(replace(reference, **change(reference))) is None
