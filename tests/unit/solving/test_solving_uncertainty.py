"""Ladders, uncertainty with its parts, and what a doubt is tried at: arithmetic without Meep."""

from __future__ import annotations

import math

import numpy as np
import pytest

from simkit.arrange import Needs
from simkit.describe.parameters import Parameter
from tasks.reproduce.measuring import Curve, Scalar
from tasks.reproduce.solving.whole_study import feature_uncertainty
from tasks.reproduce.uncertainty.boundaries import disturbed
from tasks.reproduce.uncertainty.error_parts import Variants, on_grids, parts_of, sampling_error, total
from tasks.reproduce.uncertainty.ladder import APART, fitting, misfits, next_rungs
from tasks.reproduce.uncertainty.sensitivity import rounding, tries

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("whole", "least"), [((0.1,), 40), ((0.325, 0.1, 0.2), 30), ((0.6, 0.15, 0.25), 33), ((1.0, 0.35), 14)]
)
def test_every_length_is_whole_pixels_at_every_rung(whole: tuple[float, ...], least: float) -> None:
    need = Needs(least, whole)
    rungs = [fitting(need)]
    while len(rungs) < 4:
        rungs.append(next_rungs(need, rungs[-1], APART, 1)[0])
    assert rungs[0] >= least and all(b >= 1.3 * a - 1e-9 for a, b in zip(rungs, rungs[1:], strict=False))
    assert all(max(misfits(whole, rung)) < 0.01 for rung in rungs), rungs


def test_a_finer_rung_finds_a_common_grid_that_lies_a_little_further() -> None:
    """A period of 250 nm with edges 65 and 185 nm: 80, 183, 400 and 800 pixels per um, an irregular sequence."""
    need = Needs(80.0, (0.065, 0.185, 0.24, 0.25))
    rungs = [fitting(need)]
    while len(rungs) < 3:
        rungs.append(next_rungs(need, rungs[-1], APART, 2)[0])
    assert rungs[0] < 136 and rungs[1:] == [200.0, 400.0]


def test_a_common_grid_that_is_too_dear_leaves_nearer_ones() -> None:
    """Guides of 380 nm, 450 nm and so on share 100 pixels per um only: 33 times the cost of 31, so no second grid was solved at all,
    and four right values were PARTIAL."""
    need = Needs(31.0, (0.38, 0.45, 0.53, 1.13, 1.28, 1.6))
    first = fitting(need)
    for dimensions in (2, 3):
        rungs = next_rungs(need, first, 1.4, dimensions)
        assert all(1.3 <= rung / first * (1 + 1e-9) for rung in rungs)
        assert (max(rungs) / first / 1.4) ** (dimensions + 1) < 10.01 and min(rungs) / first < 1.55


def test_lengths_without_a_common_measure_are_missed_as_little_as_can_be() -> None:
    whole = (0.1, math.sqrt(2) / 10)
    found = fitting(Needs(50.0, whole))
    assert 50 <= found <= 75 and max(misfits(whole, found)) <= max(misfits(whole, 60.0))
    assert fitting(Needs(33.2)) == 34


def test_a_period_is_whole_pixels_where_not_every_length_can_be() -> None:
    """300 nm and 355 nm are whole together from 200 pixels per um on; at 53.5 and 93 the period was rounded."""
    need = Needs(50.0, (0.075, 0.225, 0.3, 0.355), periods=(0.3,))
    rungs = [fitting(need)]
    while rungs[-1] < 400:
        rungs.append(next_rungs(need, rungs[-1], APART, 2)[0])
    assert all(misfits((0.3,), rung)[0] < 0.01 for rung in rungs) and {200.0, 400.0} <= set(rungs)


def _rungs(order: float, exact: float = 2.0, size: float = 5.0) -> list[tuple[float, Scalar]]:
    return [(r, Scalar(exact + size / r**order)) for r in (20.0, 30.0, 42.0)]


@pytest.mark.parametrize("order", [1.0, 1.5, 2.0, 2.6])
@pytest.mark.parametrize("rungs", [2, 3])
def test_the_error_of_a_regular_ladder_is_covered(order: float, rungs: int) -> None:
    variants = Variants(list(_rungs(order)[-rungs:]))
    parts, observed, _ = parts_of(variants)
    true = abs(variants.rungs[-1][1].value - 2.0)  # type: ignore[union-attr]
    known = total(parts)
    assert known is not None and true <= known <= (2.5 if rungs == 3 else 8) * true
    assert (observed is None) == (rungs == 2)


def test_an_irregular_ladder_keeps_its_spread_and_one_rung_states_nothing() -> None:
    irregular = Variants([(20.0, Scalar(1.0)), (30.0, Scalar(1.3)), (40.0, Scalar(1.1))])
    parts, observed, _ = parts_of(irregular)
    assert observed is None and total(parts) == pytest.approx(0.3) and "irregular" in parts[0].how
    assert total(parts_of(Variants([(20.0, Scalar(1.0))]))[0]) is None


def test_what_grid_and_absorber_leave_of_a_resonance_is_covered_where_both_shift_it_the_same_way() -> None:
    """In quadrature a tenth of the points of a filter's reflectance lay outside: both had moved it down."""
    x = np.linspace(-4, 4, 161)

    def shifted(by: float) -> Curve:
        return Curve(x, 1 / (1 + (x - by) ** 2))

    def left(resolution: float) -> float:
        return 400.0 / resolution**2

    lasting = 0.02  # what the absorber leaves, on every grid; doubling it takes away nine tenths
    variants = Variants(
        [(r, shifted(left(r) + lasting)) for r in (80.0, 120.0, 180.0)],
        {"absorber": (shifted(left(80.0) + 0.1 * lasting),)},
        shifted(left(80.0) + lasting),
    )
    _, _, points = parts_of(variants)
    told, finest, exact = on_grids(variants).value, variants.finest, shifted(0.0)
    assert isinstance(told, Curve) and isinstance(finest, Curve) and points is not None
    assert np.mean(np.abs(told.y - exact.y) <= points) >= 0.95
    assert np.max(points) < 3 * np.max(np.abs(finest.y - exact.y))


def test_parts_add_up_but_fits_in_quadrature_and_missing_ones_are_named() -> None:
    variants = Variants(
        _rungs(2.0),
        {"absorber": (Scalar(2.3),), "materials": (Scalar(2.04), Scalar(1.97))},
        Scalar(2.0),
        {"run time": "bands have no time"},
        {"padding": "the field grew"},
    )
    found = {part.part: part for part in parts_of(variants)[0]}
    assert found["absorber"].value == pytest.approx(0.3) and found["materials"].value == pytest.approx(0.05)
    assert found["run time"].state == "nothing to vary" and found["run time"].value == 0
    assert found["padding"].state == "not computed" and "the field grew" in found["padding"].how
    assert total(tuple(found.values())) == pytest.approx(
        math.hypot((found["resolution"].value or 0) + 0.3, 0.05)
    )


def _curve(resolution: float, samples: int = 81) -> Curve:
    x = np.linspace(1.0, 2.0, samples)
    return Curve(x, 0.2 + 0.5 / (1 + ((x - 1.5 - 4 / resolution**2) / 0.05) ** 2))


def test_a_curve_has_an_error_at_each_point_that_covers_the_true_one() -> None:
    rungs = [(r, _curve(r)) for r in (15.0, 21.0, 30.0)]
    variants = Variants(list(rungs))
    _, order, points = parts_of(variants)
    told = on_grids(variants).value
    assert isinstance(told, Curve)
    exact = 0.2 + 0.5 / (1 + ((rungs[0][1].x - 1.5) / 0.05) ** 2)
    assert points is not None and order == pytest.approx(2, abs=0.3)
    assert np.mean(np.abs(told.y - exact) <= points) > 0.95
    assert np.max(points) < 10 * np.max(np.abs(rungs[-1][1].y - exact))


def test_the_place_of_a_peak_has_its_own_uncertainty_with_sampling() -> None:
    def place(curve: Curve) -> float:
        return float(curve.x[np.argmax(curve.y)])

    fine = Variants([(r, _curve(r, 2001)) for r in (10.0, 14.0, 20.0)])
    value, known = feature_uncertainty(fine, place)
    assert known is not None and abs(value - 1.5) <= known < 0.05
    sparse = Variants([(r, _curve(1e3, 21)) for r in (10.0, 14.0, 20.0)])
    assert sampling_error(sparse.finest) > 20 * sampling_error(_curve(1e3, 201))  # type: ignore[arg-type]


def test_doubts_are_tried_at_alternatives_five_per_cent_or_within_the_rounding() -> None:
    quoted = Parameter(id="t", value=15.0, unit="nm", origin="paper", quotation="15 nm")
    assumed = Parameter(id="n", value=1.5, origin="assumption", assumption_id="A1")
    assert tries(quoted) == [(15.5, "within the quotation's rounding")] and rounding(0.620) == pytest.approx(
        0.005
    )
    written = quoted.model_copy(update={"value": 2.0, "unit": "1", "quotation": "an index of 2.00"})
    assert tries(written) == [
        (pytest.approx(2.005), "within the quotation's rounding")
    ]  # as written, not as stored
    assert rounding(1500.0) == 0.5 and rounding(1.52) == pytest.approx(0.005)
    assert [value for value, _ in tries(assumed)] == pytest.approx([1.425, 1.575])
    assert tries(assumed.model_copy(update={"alternatives": (1.4,)})) == [(1.4, "alternative of the ledger")]
    near = tries(assumed.model_copy(update={"alternatives": (1.501,)}))
    assert [value for value, _ in near] == pytest.approx([1.501, 1.425, 1.575]), (
        "who assumes does not choose how little"
    )
    short = quoted.model_copy(update={"value": 3.0, "quotation": "3 nm"})
    assert tries(short) == [(pytest.approx(3.15), "5% more")], "no half more of a design's number"
    told = quoted.model_copy(update={"value": 3.0, "quotation": "3.0 ± 0.4 nm"})
    assert tries(told) == [(pytest.approx(3.4), "within the quotation's rounding")]
    angle = Parameter(id="turned", value=60.0, unit="deg", origin="assumption", assumption_id="A1")
    assert tries(angle) == [] and len(tries(angle.model_copy(update={"value": 62.0}))) == 2
    unit = Parameter(id="a", value=1.0, unit="a", origin="assumption", assumption_id="A1")
    assert tries(unit) == [] and len(tries(unit.model_copy(update={"value": 0.2}))) == 2
    assert tries(Parameter(id="m", value=5, origin="assumption", assumption_id="A", count=True)) == []


def test_a_fit_is_disturbed_by_its_own_error() -> None:
    entry = {
        "eps_inf": 2.0,
        "poles": [{"kind": "drude", "f0": 1.0, "gamma": 0.1, "sigma": 3.0}],
        "rms_relative_error": 0.1,
    }
    assert disturbed(entry)["eps_inf"] == pytest.approx(2.1) and disturbed(entry)["poles"][0][
        "sigma"
    ] == pytest.approx(3.3)
    assert disturbed({"index": 1.5}) == {"index": 1.5}


def test_where_edges_are_smoothed_no_grid_is_much_finer_than_asked_for() -> None:
    """A grating of 0.32 um with teeth of 0.16, 0.5 and 0.2 um was solved on 40, 100 and 200 pixels per um: 975 CPU s for the third."""
    need = Needs(40.0, (0.1, 0.16, 0.25, 1.92), smoothed=True)
    rungs = [fitting(need)]
    while len(rungs) < 4:
        rungs.append(next_rungs(need, rungs[-1], 1.5, 2)[0])
    assert rungs[0] < 46 and all(1.5 <= b / a < 1.73 for a, b in zip(rungs, rungs[1:], strict=False))
