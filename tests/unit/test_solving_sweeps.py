"""A sweep is a curve of single numbers over one parameter: refined where it turns, and one lost point loses no others."""

from __future__ import annotations

import numpy as np
import pytest

from simkit.describe.__main__ import described
from simkit.describe.document import document
from simkit.describe.problem import Sweep
from tasks.measuring import Curve, Scalar
from tasks.solving.climbing import refined
from tasks.solving.describing import declared, from_document
from tasks.solving.varying import Group, Missing, Outcome
from tests.unit.described_fixture import CODE, FILM

pytestmark = pytest.mark.unit


def _group(points: tuple[float, ...]) -> Group:
    made = from_document(document(described(CODE, FILM)), declared(FILM), CODE)
    ends = {"id": "over_t", "of": "R", "parameter": "t", "low": 0.05, "high": 0.4}
    sweep = Sweep.model_validate(ends, context={"resolved": True})
    return Group("over_t", made, {}, ("over_t",), sweep, points)


def test_points_that_gave_no_value_are_left_out_or_named() -> None:
    points = (0.1, 0.2, 0.3, 0.4)
    outcomes = [Outcome({"R": Scalar(x**2)}, 1.0) for x in points]
    found = _group(points).as_curve(outcomes)
    curve = found.values["over_t"]
    assert isinstance(curve, Curve) and curve.axis == "parameter" and found.cpu_s == 4
    assert np.allclose(curve.y, np.square(points))
    lost = Outcome({"R": Missing("no mode was found")})
    fewer = _group(points).as_curve([lost, *outcomes[1:]]).values["over_t"]
    assert isinstance(fewer, Curve) and fewer.x.tolist() == [0.2, 0.3, 0.4]
    gone = _group(points).as_curve([lost, lost, *outcomes[2:]]).values["over_t"]
    assert isinstance(gone, Missing) and "t = 0.1: no mode was found" in gone.reason


def test_points_are_added_where_the_curve_turns() -> None:
    x = np.linspace(0, 1, 9)
    finer = refined(Curve(x, np.exp(-(((x - 0.5) / 0.08) ** 2))))
    added = np.setdiff1d(finer, x)
    assert added.size and np.all(np.abs(added - 0.5) < 0.4) and np.min(np.abs(added - 0.5)) < 0.1


def test_each_point_is_the_description_with_another_value() -> None:
    group = _group((0.1, 0.2))
    thick = [group.description.resolved({"t": x}).scenes[0].layers[0].thickness for x in group.points]
    assert thick == [0.1, 0.2] and group.needs().resolution >= 40
