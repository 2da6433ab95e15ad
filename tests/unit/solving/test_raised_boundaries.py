"""A boundary that matters is raised for all runs: at few points until it is enough, at all of them once; nothing solved is lost."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simkit.arrange import Numerics
from tasks.reproduce.measuring import Curve, Scalar
from tasks.reproduce.solving.groups import Group
from tasks.reproduce.solving.varying import Missing, Outcome
from tasks.reproduce.uncertainty.aims import within
from tasks.reproduce.uncertainty.boundaries import vary_boundaries
from tasks.reproduce.uncertainty.climbed import Climb
from tests.unit.solving.test_solving_sweeps import _group, _solver

pytestmark = pytest.mark.unit
FAR = np.linspace(0.05, 0.4, 9)


def varied(effect: float, ends: bool = False, points: int = 9) -> tuple[Climb, list[tuple[int, float]]]:
    """A sweep whose values fall short by `effect` over the padding; ends: from the second time at all points on no time is left."""
    solved: list[tuple[int, float]] = []

    class Padded(Group):
        def begins(self, numerics: Any) -> frozenset[str]:
            return frozenset({f"{numerics.padding}"})

        def evaluate(self, numerics: Any, *given: Any, **more: Any) -> Outcome:
            solved.append((len(self.points), numerics.padding))
            whole = [one for one in solved if one[0] == points]
            if ends and len(self.points) == points and len(whole) > (1 if points > 4 else 2):
                return Outcome({"over_t": Missing("enough", "budget")})
            run: Any = SimpleNamespace(digest=lambda: f"{numerics.padding}", materials=(), dimensions="2D")
            values = [
                Outcome({"R": Scalar(x * (1 - effect / numerics.padding))}, {f"{x}": (1.0, 1.0)})
                for x in self.points
            ]
            arrangement: Any = SimpleNamespace(runs=dict.fromkeys(map(str, self.points), run))
            return replace(self.as_curve(values), arrangement=arrangement)

    plain = _group(tuple(FAR[:points]))
    group = Padded(plain.name, plain.description, {}, plain.ids, plain.sweeps, plain.points)
    numerics = Numerics(40.0)
    made = Climb(group, numerics, SimpleNamespace(order=2.0))  # type: ignore[arg-type]
    made.coarse = group.evaluate(numerics)
    vary_boundaries(made, _solver(1e4), {"over_t": within(0.005)}, lambda: 1e4)
    return made, solved


@settings(max_examples=20)
@given(effect=st.floats(0.011, 0.1), points=st.sampled_from([4, 9]))
def test_all_points_are_solved_once_before_and_once_after(effect: float, points: int) -> None:
    """The nine points of a curve were solved anew for each of two steps of padding: 36 minutes without a second grid."""
    made, solved = varied(effect, points=points)
    padding = made.numerics.padding
    assert padding > 1 and made.remarks
    if points == 9:
        assert [p for count, p in solved if count == 9] == [1.0, padding]
        assert {count for count, _ in solved} == {3, 9}
    curve = made.coarse.values["over_t"]
    assert isinstance(curve, Curve) and np.allclose(curve.y, FAR[:points] * (1 - effect / padding))
    variants = made.variants["over_t"]
    (changed,) = variants.changed["padding"]
    assert isinstance(changed, Curve) and isinstance(variants.base, Curve)
    assert np.abs(changed.y - variants.base.y).max() == pytest.approx(FAR[points - 1] * effect / padding / 2)


@settings(max_examples=20)
@given(effect=st.floats(0.011, 0.1), points=st.sampled_from([4, 9]))
def test_where_there_is_no_time_to_raise_it_what_was_solved_stands(effect: float, points: int) -> None:
    """A curve that was solved twice over had no value because its third padding was cut short."""
    made, _ = varied(effect, ends=True, points=points)
    curve = made.coarse.values["over_t"]
    assert made.numerics.padding == 1 and isinstance(curve, Curve)
    assert np.allclose(curve.y, FAR[:points] * (1 - effect))
    variants = made.variants["over_t"]
    (changed,) = variants.changed["padding"]
    assert isinstance(changed, Curve) and np.abs(changed.y - curve.y).max() == pytest.approx(
        FAR[points - 1] * effect / 2
    )
    assert any("counts as an error" in remark for remark in made.remarks)
