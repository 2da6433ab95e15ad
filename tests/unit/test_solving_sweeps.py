"""A sweep is a curve of single numbers over one parameter: refined where it turns, and one lost point loses no others."""

from __future__ import annotations

import numpy as np
import pytest

from simkit.describe.__main__ import described
from simkit.describe.document import document
from simkit.describe.problem import Sweep
from tasks.measuring import Curve, Scalar
from tasks.solving.beside import theory
from tasks.solving.climbing import refined
from tasks.solving.describing import declared, from_document
from tasks.solving.varying import Group, Missing, Outcome, groups_of
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


DIPOLE = """from simkit.describe import *

def describe(p):
    mirror = Block(id="mirror", medium=PerfectConductor(), z=(-inf, 0))
    above = Emitter(id="above", dimensions="3D", bodies=(mirror,), background=vacuum(), position=(0, 0, p.height),
                    orientation="z", band=Line(wavelength=p.wavelength))
    return Problem(scenes=(above,), quantities=(PurcellFactor(id="F", scene="above"),),
                   sweeps=(Sweep(id="S", of="F", parameter="height", low=p.low, high=p.high),))
"""


def test_theory_stands_beside_each_point_of_a_sweep() -> None:
    lengths = [{"id": name, "value": value, "unit": "um", "origin": "assumption", "assumption_id": name}
               for name, value in (("height", 0.1), ("wavelength", 1), ("low", 0.1), ("high", 0.5))]
    made = from_document(document(described(DIPOLE, lengths)), declared(lengths), DIPOLE)
    group = next(g for g in groups_of(made, {}) if g.sweep is not None)
    curve = Curve(np.array([0.1, 0.3]), np.zeros(2), "parameter")
    name, exact = theory(group, "S", curve, {})
    assert exact.y == pytest.approx([1.85074, 1.13786], abs=1e-5) and exact.axis == "parameter" and "dipole" in name


def test_theory_stands_beside_a_reflectance_over_the_angle() -> None:
    code = CODE.replace("band=Wavelengths(shortest=p.shortest, longest=p.longest)", "angle=p.angle, band=Line(wavelength=p.at)")
    code = code.replace('polarization="x"', 'polarization="s"').replace(
        'Transmittance(id="T", scene="film"))', '), sweeps=(Sweep(id="S", of="R", parameter="angle", low=p.low, high=p.high),)')
    angles = [{"id": name, "value": value, "unit": "deg", "origin": "assumption", "assumption_id": name}
              for name, value in (("angle", 0), ("low", 0), ("high", 60))]
    lengths = [{**item, "origin": "assumption", "assumption_id": item["id"], "quotation": ""} for item in FILM[:2]]
    given = [*lengths, *angles, {"id": "at", "value": 600, "unit": "nm", "origin": "assumption", "assumption_id": "A3"}]
    made = from_document(document(described(code, given)), declared(given), code)
    group = next(g for g in groups_of(made, {}) if g.sweep is not None)
    name, exact = theory(group, "S", Curve(np.array([0.0, 0.5, 1.0]), np.zeros(3), "parameter"), {})
    assert name == "transfer matrix" and np.all(np.diff(exact.y) > 0)
