"""A sweep that moves nothing but where the power is measured: all of its points come from the same fields."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from simkit.arrange import Numerics
from simkit.describe.__main__ import described
from simkit.describe.document import document
from tasks.files.store import Store
from tasks.reproduce.describing.in_sandbox import declared, from_document
from tasks.reproduce.measuring import Curve, Scalar
from tasks.reproduce.meep_interpreter import find_meep
from tasks.reproduce.solving.groups import groups_of
from tasks.reproduce.solving.one_run import Budget, Solver
from tasks.reproduce.solving.varying import scene_values

pytestmark = pytest.mark.sim
RUNG = 40.0  # of its own at the one point and the many
COUPLER = """from simkit.describe import *

def describe(p):
    core = Medium(index=p.core)
    upper = Block(id="upper", medium=core, x=(-inf, inf), y=(p.gap / 2, p.gap / 2 + p.t))
    lower = Block(id="lower", medium=core, x=(0, inf), y=(-p.gap / 2 - p.t, -p.gap / 2))
    pair = Device(id="pair", dimensions="2D", bodies=(upper, lower), background=Medium(index=p.cladding), polarization="Ez",
                  ports=(Port(id="in", side="-x", center=p.gap / 2 + p.t / 2),), source="in", band=Line(wavelength=p.wavelength))
    below = PowerThrough(id="below", scene="pair", start=(p.x, -p.deep, 0), end=(p.x, 0, 0), towards="+x")
    return Problem(scenes=(pair,), quantities=(below,),
                   sweeps=(Sweep(id="along", of="below", parameter="x", low=p.first, high=p.last),))
"""
GIVEN = [
    {"id": name, "value": value, "unit": unit, "origin": "assumption", "assumption_id": name}
    for name, value, unit in (
        ("core", 2.1, "1"),
        ("cladding", 1.45, "1"),
        ("t", 260, "nm"),
        ("gap", 200, "nm"),
        ("wavelength", 1064, "nm"),
        ("x", 1.0, "um"),
        ("deep", 1.2, "um"),
        ("first", 0.5, "um"),
        ("last", 5.5, "um"),
    )
]


def test_a_plane_that_is_moved_along_a_coupler_is_solved_once(tmp_path: Path) -> None:
    """Fourteen positions of a plane were fourteen runs of one device on each grid."""
    made = from_document(document(described(COUPLER, GIVEN)), declared(GIVEN), COUPLER)
    [group] = [group for group in groups_of(made, {}) if group.sweep is not None]
    group = group.with_points((0.5, 3.0, 5.5))
    group = group.with_rung(RUNG)
    assert group.same_scene
    once = {run.digest() for _, run in group.runs_at(Numerics(RUNG))}
    solver = Solver(Store(tmp_path), find_meep(), Budget(300))
    found = group.evaluate(Numerics(RUNG), solver)
    curve = found.values["along"]
    assert isinstance(curve, Curve) and len(once) < 4 and set(found.spent) == once
    problem = made.resolved({"x": 3.0})
    own = scene_values(group.scene(problem), group.arranged(problem), Numerics(RUNG), {}, solver)
    assert own.spent.keys() - once
    assert isinstance(lone := own.values["below"], (Curve, Scalar))
    assert curve.y[1] == pytest.approx(
        float(np.ravel(getattr(lone, "y", getattr(lone, "value", 0)))[0]), rel=0.002
    )
    assert curve.y[0] < 0.1 and 0.9 < curve.y[2] <= 1.001  # one coupling length of 5.5 um
