"""Features and alignment of curves with known peaks, widths and shifts."""

from __future__ import annotations

import numpy as np
import pytest

from tasks.reproduce.curves.alignment import NoOverlap, compare
from tasks.reproduce.curves.curve import Curve, is_flat
from tasks.reproduce.curves.features import EdgeExtremum, extrema, global_extremum

pytestmark = pytest.mark.unit
X = np.linspace(0, 100, 501)


def _line(centre: float, fwhm: float, x: np.ndarray = X) -> np.ndarray:
    return 1 / (1 + ((x - centre) / (fwhm / 2)) ** 2)


def test_a_parabola_is_located_exactly_between_unequal_samples() -> None:
    x = np.array([0.0, 1.0, 1.7, 3.1, 4.0])
    found = global_extremum(Curve.of(x, 2 + (x - 2.03) ** 2), "dip")
    assert found.x == pytest.approx(2.03, abs=1e-12)
    assert found.y == pytest.approx(2, abs=1e-12)


def test_an_extremum_at_the_edge_is_refused() -> None:
    with pytest.raises(EdgeExtremum, match="widen the range"):
        global_extremum(Curve.of(X, X), "peak")


def test_position_and_fwhm_of_a_lorentzian() -> None:
    found = extrema(Curve.of(X, _line(40.07, 6)), 0.05)
    assert [e.kind for e in found] == ["peak"]
    assert found[0].x == pytest.approx(40.07, abs=0.01)
    assert found[0].fwhm == pytest.approx(6, rel=0.05)


@pytest.mark.parametrize("shift", [-7.3, -0.04, 0.5, 12.0])
def test_shift_is_recovered_below_a_sample(shift: float) -> None:
    reference = _line(50, 8)
    found = compare(Curve.of(X, _line(50 + shift, 8)), Curve.of(X, reference))
    assert found.shift == pytest.approx(shift, abs=0.01)
    assert found.shift_percent == pytest.approx(2 * shift, abs=0.05)
    assert found.nrms_aligned_percent < 0.5


def test_a_line_narrower_than_the_search_step_is_aligned() -> None:
    x = np.linspace(0, 100, 20001)
    found = compare(Curve.of(x, _line(57.013, 0.05, x)), Curve.of(x, _line(50, 0.05, x)))
    assert found.shift == pytest.approx(7.013, abs=0.005)
    assert found.matched_fraction == 1


def test_shift_is_limited_to_15_percent_of_the_range() -> None:
    found = compare(Curve.of(X, _line(75, 5)), Curve.of(X, _line(40, 5)))
    assert abs(found.shift) <= 15
    assert found.nrms_aligned_percent > 10


def test_a_constant_does_not_correlate() -> None:
    found = compare(Curve.of(X, np.full(X.size, 0.3)), Curve.of(X, _line(50, 8)))
    assert found.pearson is None
    assert found.major_missing == 1


def test_sparse_curves_are_compared_at_their_own_points() -> None:
    sparse = np.linspace(0, 100, 11)
    found = compare(Curve.of(sparse, np.sin(sparse / 15)), Curve.of(X, np.sin(X / 15)))
    assert found.nrms_percent < 0.1


def test_order_and_repetition_of_samples_do_not_matter() -> None:
    order = np.random.default_rng(0).permutation(X.size)
    messy = Curve.of(np.r_[X[order], X[:3]], np.r_[_line(50, 8)[order], _line(50, 8)[:3]])
    assert compare(messy, Curve.of(X, _line(50, 8))).nrms_percent == pytest.approx(0, abs=1e-9)


def test_no_common_range_is_an_error() -> None:
    with pytest.raises(NoOverlap, match="200 to 300"):
        compare(Curve.of(X + 200, X), Curve.of(X, X))


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_curves_refuse_what_is_not_finite(bad: float) -> None:
    with pytest.raises(ValueError, match="1 of 3 samples"):
        Curve.of([1, 2, 3], [1, bad, 3])


def test_flatness_is_relative_to_the_magnitude() -> None:
    assert is_flat(Curve.of(X, 5 + 0.2 * np.sin(X)))
    assert is_flat(Curve.of(X, np.zeros(X.size)))
    assert not is_flat(Curve.of(X, np.sin(X)))


def test_a_dip_near_the_end_of_the_range_is_as_high_in_both_curves():
    """The simulation goes on beyond the compared range; its dip must not seem deeper for that."""
    wide, narrow = np.linspace(450, 830, 381), np.linspace(450, 800, 351)
    shape = lambda x: 0.09 + 0.4 * (1 - np.exp(-(((x - 757) / 60) ** 2)))  # noqa: E731
    found = compare(Curve(wide, shape(wide)), Curve(narrow, shape(narrow)), (460.0, 800.0))
    [pair] = [p for p in found.pairs if p.reference.kind == "dip"]
    assert pair.simulated is not None
    assert pair.simulated.prominence == pytest.approx(pair.reference.prominence, rel=0.02)
    assert pair.simulated.fwhm == pytest.approx(pair.reference.fwhm, rel=0.02)
