"""A sweep's point without a value on a finer grid does not take the coarser grid's away."""

from __future__ import annotations

import pytest

from simkit.arrange import Needs, Numerics
from tasks.reproduce.measuring import Curve, Scalar
from tasks.reproduce.solving.varying import Missing, Outcome
from tasks.reproduce.uncertainty.climbed import Climb
from tasks.reproduce.uncertainty.climbing import _record
from tests.unit.solving.test_solving_sweeps import _group

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("number", range(4))
def test_a_finer_grid_without_an_end_of_the_sweep_is_no_finer_grid(number: int) -> None:
    """The last point of five ran out of time on the second grid: the value there was lost, told as "outside the curve"."""
    points = (0.1, 0.2, 0.3, 0.4)
    made = Climb(_group(points), Numerics(20.0), Needs(20.0))
    good = [Outcome({"R": Scalar(x**2)}) for x in points]
    short = [
        Outcome({"R": Missing("its time was up", "budget")}) if i == number else one
        for i, one in enumerate(good)
    ]
    _record(made, 20.0, made.group.as_curve(good))
    _record(made, 30.0, made.group.as_curve(short))
    told = made.variants["over_t"].rungs[-1]
    at_end = number in (0, len(points) - 1)
    assert told[0] == (20.0 if at_end else 30.0) and isinstance(told[1], Curve)
    if at_end:
        assert told[1].x.tolist() == list(points) and made.rungs["over_t"][-1].cause == "budget"
        assert f"at t = {points[number]:g}: its time was up" in made.rungs["over_t"][-1].reason
    else:
        assert f"at t = {points[number]:g}: its time was up" in made.lost["over_t"]
