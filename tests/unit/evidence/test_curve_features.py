"""Features of curves against curves whose features are known in closed form."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.reproduce.planning.plan import Reference
from schemas.reproduce.simulations.features import CurveFeature
from tasks.reproduce.curves.curve import Curve
from tasks.reproduce.curves.features import extrema
from tasks.reproduce.curves.measure import NoFeature, TooFaint, measure, sampling_error
from tests.unit.evidence.evidence_fixture import Run, scalar_target

pytestmark = pytest.mark.unit
X = np.linspace(0, 100, 1001)


def lorentzian(centre: float = 40.03, width: float = 6.0, x: np.ndarray = X) -> np.ndarray:
    return 1 / (1 + ((x - centre) / (width / 2)) ** 2)


GAUSSIAN = np.exp(-(((X - 55.5) / 4) ** 2) / 2)
SINE = np.sin(2 * np.pi * X / 20)
Q_FANO, LINE = 1.5, 50.0  # extrema of (q + e)^2 / (1 + e^2): minimum 0 at e = -q, maximum 1 + q^2 at e = 1/q
FANO = (Q_FANO + (X - LINE) / 4) ** 2 / (1 + ((X - LINE) / 4) ** 2)


def taken(y: np.ndarray, **feature: object) -> float:
    return measure(CurveFeature.model_validate(feature), [Curve.of(X, y)])


@pytest.mark.parametrize(("y", "feature", "expected", "error"), [
    (lorentzian(), {"kind": "position"}, 40.03, 1e-3),
    (lorentzian(), {"kind": "value"}, 1.0, 1e-3),
    (lorentzian(), {"kind": "width", "level": [0.5]}, 6.0, 1e-3),
    (lorentzian(), {"kind": "width", "level": [0.2]}, 6 * 2.0, 1e-3),
    (lorentzian(), {"kind": "quality_factor", "level": [0.5]}, 40.03 / 6, 1e-3),
    (1 - lorentzian(), {"kind": "position", "extremum": "minimum"}, 40.03, 1e-3),
    (1 - lorentzian(), {"kind": "width", "extremum": "minimum", "level": [0.5]}, 6.0, 1e-3),
    (GAUSSIAN, {"kind": "width"}, 4 * 2 * np.sqrt(2 * np.log(2)), 1e-3),
    (GAUSSIAN, {"kind": "width", "fraction": 0.1}, 4 * 2 * np.sqrt(2 * np.log(10)), 2e-3),
    (GAUSSIAN, {"kind": "prominence"}, 1.0, 1e-3),
    (0.25 + GAUSSIAN, {"kind": "width"}, 4 * 2 * np.sqrt(2 * np.log(2)), 1e-3),
    (0.25 + GAUSSIAN, {"kind": "width", "base": "zero"}, 4 * 2 * np.sqrt(2 * np.log(8 / 3)), 1e-3),
    (0.25 + GAUSSIAN, {"kind": "quality_factor", "base": "zero", "fraction": 0.4}, 55.5 / (8 * np.sqrt(2 * np.log(4))), 1e-3),
    (GAUSSIAN, {"kind": "integral"}, 4 * np.sqrt(2 * np.pi), 1e-6),
    (SINE, {"kind": "mean", "window": [0, 10]}, 2 / np.pi, 1e-3),
    (3 - 0.25 * X, {"kind": "mean", "window": [10, 30]}, 3 - 0.25 * 20, 1e-9),
    (GAUSSIAN, {"kind": "cutoff", "direction": "falling"}, 55.5 + 4 * np.sqrt(2 * np.log(2)), 1e-3),
    (GAUSSIAN, {"kind": "cutoff", "direction": "rising", "fraction": 0.1}, 55.5 - 4 * np.sqrt(2 * np.log(10)), 1e-3),
    (SINE, {"kind": "position", "number": 3}, 45.0, 1e-6),
    (SINE, {"kind": "position", "extremum": "minimum", "number": 2}, 35.0, 1e-6),
    (SINE, {"kind": "prominence", "number": 2}, 2.0, 1e-6),
    (SINE, {"kind": "width", "number": 2}, 10.0, 1e-3),
    (SINE, {"kind": "position", "window": [60, 80]}, 65.0, 1e-6),
    (SINE, {"kind": "crossing", "level": [0.5], "direction": "falling", "number": 2}, 20 + 20 * 5 / 12, 1e-3),
    (SINE, {"kind": "crossing", "level": [0.5], "direction": "rising", "window": [20, 39]}, 20 + 20 / 12, 1e-3),
    (SINE, {"kind": "integral", "window": [0, 10]}, 20 / np.pi, 1e-3),
    (FANO, {"kind": "position"}, LINE + 4 / Q_FANO, 1e-3),
    (FANO, {"kind": "position", "extremum": "minimum"}, LINE - 4 * Q_FANO, 1e-3),
    (FANO, {"kind": "value"}, 1 + Q_FANO**2, 1e-3),
    (3 - 0.25 * X, {"kind": "slope"}, -0.25, 1e-9),
    (3 - 0.25 * X, {"kind": "value_at", "at": [33.33]}, 3 - 0.25 * 33.33, 1e-9),
    (3 - 0.25 * X, {"kind": "value_at", "at": [float(X[-1]) * (1 + 1e-9)]}, 3 - 0.25 * float(X[-1]), 1e-6),
    (3 - 0.25 * X, {"kind": "crossing", "level": [1.234]}, (3 - 1.234) / 0.25, 1e-9),
    (SINE, {"kind": "difference", "of": [{"kind": "position", "number": 3}, {"kind": "position", "number": 1}]}, 40.0, 1e-6),
    (FANO, {"kind": "ratio", "of": [{"kind": "value"}, {"kind": "value_at", "at": [50]}]}, (1 + Q_FANO**2) / Q_FANO**2, 1e-3),
])  # fmt: skip
def test_features_of_known_curves(
    y: np.ndarray, feature: dict[str, object], expected: float, error: float
) -> None:
    assert taken(y, **feature) == pytest.approx(expected, abs=error * max(1, abs(expected)))


def test_the_gap_between_two_bands_does_not_depend_on_their_order() -> None:
    k = np.linspace(0, 0.5, 51)
    lower, upper = Curve.of(k, 0.3 * np.sin(np.pi * k)), Curve.of(k, 0.5 + 0.2 * (0.5 - k))
    for bands in ([lower, upper], [upper, lower]):
        for what, expected in (("width", 0.2), ("middle", 0.4), ("ratio", 0.5)):
            assert measure(CurveFeature(kind="band_gap", measure=what), bands) == pytest.approx(expected)
    with pytest.raises(NoFeature, match="no gap"):
        measure(CurveFeature(kind="band_gap"), [lower, Curve.of(k, 0.25 + 0.1 * k)])


@pytest.mark.parametrize(("y", "feature", "complaint"), [
    (X, {"kind": "position"}, "edge"),
    (SINE, {"kind": "position", "window": [46, 54]}, "edge"),
    (SINE, {"kind": "position", "number": 9}, "there are 5"),
    (SINE, {"kind": "crossing", "level": [0.5]}, "there are 10"),
    (SINE, {"kind": "crossing", "level": [7.0]}, "there are 0"),
    (SINE, {"kind": "position", "window": [10.01, 10.02]}, "fewer than three samples"),
    (GAUSSIAN + 1, {"kind": "width", "level": [0.5]}, "does not come to the level"),
    (GAUSSIAN + 1, {"kind": "width", "base": "zero", "fraction": 0.4}, "does not come to the level 0.8"),
    (GAUSSIAN, {"kind": "width", "level": [1.5]}, "not reached"),
    (GAUSSIAN, {"kind": "cutoff"}, "2 cut-offs"),
    (GAUSSIAN, {"kind": "value_at", "at": [101]}, "outside"),
])  # fmt: skip
def test_a_feature_that_is_not_there_is_refused_with_what_is(
    y: np.ndarray, feature: dict[str, object], complaint: str
) -> None:
    with pytest.raises(NoFeature, match=complaint):
        taken(y, **feature)


@pytest.mark.parametrize(("feature", "complaint"), [
    ({"kind": "height"}, "'position', 'value', 'prominence'"),
    ({"kind": "crossing"}, "needs level"),
    ({"kind": "slope", "number": 2}, "does not read number"),
    ({"kind": "position", "window": [5, 1]}, "smaller number first"),
    ({"kind": "width", "base": "zero", "extremum": "minimum"}, "of a maximum"),
    ({"kind": "width", "base": "zero", "level": [0.5]}, "instead of a level"),
    ({"kind": "ratio", "of": [{"kind": "value"}]}, "two features"),
    ({"kind": "difference", "of": [{"kind": "value"}, {"kind": "position"}]}, "one unit"),
    ({"kind": "ratio", "of": [{"kind": "ratio"}, {"kind": "value"}]}, "'position', 'value'"),
    ({"kind": "position", "window": [0, float("inf")]}, "finite"),
])  # fmt: skip
def test_the_vocabulary_is_closed_and_says_what_is_allowed(
    feature: dict[str, object], complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        CurveFeature.model_validate(feature)


@pytest.mark.parametrize(
    "feature", [{"kind": "position"}, {"kind": "value"}, {"kind": "width"}, {"kind": "integral"}]
)
def test_the_error_of_sampling_is_covered_and_shrinks_with_the_spacing(feature: dict[str, object]) -> None:
    wanted, found = CurveFeature.model_validate(feature), []
    exact = taken(lorentzian(), **feature)
    for samples in (61, 121):
        x = np.linspace(0, 100, samples)
        curve = Curve.of(x, lorentzian(x=x))
        value = measure(wanted, [curve])
        error = sampling_error(wanted, [curve], value)
        assert error is not None and abs(value - exact) <= 2 * error + 1e-3
        found.append(error)
    assert found[1] < found[0]


def _target(feature: dict[str, object], **changes: object):  # noqa: ANN202
    reference = Reference.model_validate(
        {
            "kind": "feature",
            "file": "data/fig2.csv",
            "x_column": "wavelength_nm",
            "y_column": "T_percent",
            "feature": feature,
        }
    )
    return scalar_target(target_id="fig2_T", x_unit="nm", **changes).model_copy(
        update={"reference": reference}
    )


def test_a_width_is_computed_from_the_saved_curve_in_the_targets_unit(tmp_path) -> None:  # noqa: ANN001
    x = 1500 + X
    run = Run(tmp_path)
    run.paper_table(wavelength_nm=x, T_percent=100 * lorentzian(width=6.2))
    for scale, width in ((0.5, 6.02), (1.0, 6.0)):
        columns = [
            ("f", "frequency", "THz", 299_792.458 / x),
            ("T", "transmittance", "1", lorentzian(width=width)),
        ]
        run.add(columns, scale=scale, targets={"T": "fig2_T"})
    found = run.judge(_target({"kind": "width"}, quantity="fwhm", unit="nm"))
    assert (found.simulated, found.reference) == pytest.approx((6.0, 6.2), rel=0.02)
    assert found.classification == "SUCCESS" and "width of maximum" in found.reference_source
    assert any("spacing of the samples" in reason for reason in found.reasons)
    half = {"kind": "crossing", "level": [0.5], "direction": "rising"}
    crossing = run.judge(_target(half, quantity="peak_position", unit="um"))
    assert (crossing.simulated, crossing.reference) == pytest.approx((1.53703, 1.53693), abs=2e-5)
    off = run.judge(_target({"kind": "position", "number": 4}, quantity="peak_position", unit="nm"))
    assert off.classification == "FAILURE" and any("maximum number 4" in reason for reason in off.reasons)


def _at_an_edge(tmp_path, peak: float, end: float = 1600.0):  # noqa: ANN001, ANN202
    """Judged positions and values where ours rises to the end of a window in which the paper's curve has its maximum."""
    x = np.linspace(1500, end, 201)
    run = Run(tmp_path)
    run.paper_table(wavelength_nm=1500 + X, T_percent=100 * lorentzian(peak))
    for scale in (0.5, 1.0):
        ours = [("f", "frequency", "THz", 299_792.458 / x), ("T", "transmittance", "1", (x - 1400) / 500)]
        run.add(ours, scale=scale, targets={"T": "fig2_T"})
    window = {"window": [1500, 1600]}
    return [
        run.judge(_target({"kind": kind} | window, quantity=quantity, unit=unit))
        for kind, quantity, unit in (("position", "peak_position", "nm"), ("value", "scalar", "%"))
    ]


def test_an_extremum_that_only_the_paper_has_is_a_disagreement_with_the_value_at_the_edge(tmp_path) -> None:  # noqa: ANN001
    position, value = _at_an_edge(tmp_path, 40.0)
    assert (
        position.classification == "PARTIAL" and position.acceptable < position.error < position.investigate
    )
    assert (position.simulated, position.reference) == pytest.approx((1600, 1540), abs=0.1)
    assert value.classification == "FAILURE" and value.simulated == pytest.approx(40, abs=0.1)
    for found in (position, value):
        assert any("No extremum of ours lies inside" in reason for reason in found.reasons)
        assert not any("copied" in reason or "nothing was computed" in reason for reason in found.reasons)


def test_an_edge_beside_the_papers_extremum_is_no_success(tmp_path) -> None:  # noqa: ANN001
    position, _ = _at_an_edge(tmp_path, 96.0)
    assert position.error <= position.acceptable and position.classification == "PARTIAL"


def test_a_feature_that_only_the_paper_has_is_a_disagreement_and_nothing_to_mend(tmp_path) -> None:  # noqa: ANN001
    run, stage = Run(tmp_path), _target({"kind": "crossing", "level": [0.5], "direction": "rising", "window": [1500, 1600]},
                                        quantity="peak_position", unit="nm")  # fmt: skip
    x = np.linspace(1500, 1600, 401)
    run.paper_table(wavelength_nm=x, T_percent=lorentzian(40.0, x=x - 1500) * 100)
    for scale in (0.5, 1.0):
        twice = np.maximum(lorentzian(30.0, x=x - 1500), lorentzian(70.0 + scale, x=x - 1500))
        run.add([("f", "frequency", "THz", 299_792.458 / x), ("T", "transmittance", "1", twice)], scale=scale,
                targets={"T": "fig2_T"})  # fmt: skip
    found = run.judge(stage)
    assert found.classification == "FAILURE"
    assert found.stands and found.simulated is None and found.file, "it refutes: both resolutions show it"
    assert any(
        "Our curve lacks the crossing" in reason and "there are 2" in reason for reason in found.reasons
    )
    assert not any("widen" in reason or "wrote a value" in reason for reason in found.reasons)


def test_a_simulation_that_ends_before_the_window_has_no_edge_to_judge(tmp_path) -> None:  # noqa: ANN001
    position, _ = _at_an_edge(tmp_path, 40.0, end=1580.0)
    assert position.simulated is None and any("widen" in reason for reason in position.reasons)


def test_a_number_that_the_script_worked_out_is_no_answer_to_a_feature(tmp_path) -> None:  # noqa: ANN001
    run = Run(tmp_path)
    run.paper_table(wavelength_nm=1500 + X, T_percent=100 * lorentzian())
    for scale in (0.5, 1.0):
        run.add(
            [("w", "fwhm", "nm", [6.0 + 0.01 * scale])], kind="scalar", scale=scale, targets={"w": "fig2_T"}
        )
    found = run.judge(_target({"kind": "width"}, quantity="fwhm", unit="nm"))
    assert found.classification == "FAILURE" and found.simulated is None


def test_the_optimum_of_a_sweep_is_taken_from_its_points(tmp_path) -> None:  # noqa: ANN001
    run, gaps = Run(tmp_path), np.linspace(10, 50, 21)
    run.paper_table(gap_nm=gaps, T_percent=100 * np.exp(-(((gaps - 31) / 15) ** 2)))
    for scale in (0.5, 1.0):
        for gap in gaps[::-1]:
            value = np.exp(-(((gap - 30.5 + 0.01 * scale) / 15) ** 2))
            run.add([("T", "transmittance", "1", [value])], scale=scale, kind="scalar", targets={"T": "fig2_T"},
                    point=(("gap_nm", float(gap)),))  # fmt: skip
    target = _target({"kind": "position"}, quantity="scalar", unit="nm")
    target = target.model_copy(
        update={"reference": target.reference.model_copy(update={"x_column": "gap_nm"})}
    )
    found = run.judge(target)
    assert (found.simulated, found.reference) == pytest.approx((30.49, 31.0), abs=0.05)


def test_a_band_gap_needs_the_columns_of_both_bands(tmp_path) -> None:  # noqa: ANN001
    run, k = Run(tmp_path), np.linspace(0, 0.5, 31)
    bands = {"band_1": 0.3 * np.sin(np.pi * k), "band_2": 0.5 + 0.2 * (0.5 - k) ** 2}
    run.paper_table(k=k, **bands)
    reference = Reference.model_validate(
        {
            "kind": "feature",
            "file": "data/fig2.csv",
            "x_column": "k",
            "y_column": "band_1",
            "second_column": "band_2",
            "feature": {"kind": "band_gap", "measure": "ratio"},
        }
    )
    target = scalar_target(target_id="gap", quantity="gap_ratio", unit="%").model_copy(
        update={"reference": reference}
    )
    for scale, change in ((0.5, 1.02), (1.0, 1.01)):
        columns = [
            ("k", "wavevector", "1", k),
            *((name, "frequency", "c/a", change**n * y) for n, (name, y) in enumerate(bands.items())),
        ]
        run.add(columns, scale=scale, kind="bands", targets={"band_1": "gap", "band_2": "gap"})
    found = run.judge(target)
    assert found.reference == pytest.approx(100 * 0.2 / 0.4) and found.simulated == pytest.approx(
        100 * 0.205 / 0.4025
    )
    assert found.classification == "SUCCESS"


@given(st.integers(5, 15), st.floats(0.2, 0.8))
def test_a_value_at_a_sample_is_known_whatever_lies_between_the_samples(count: int, ratio: float) -> None:
    """A transmittance over the number of pairs: at N = 9 '12 % left open by the spacing of the samples', which is all there is."""
    curve = Curve(np.arange(1.0, count + 1), ratio ** np.arange(count))
    at = [CurveFeature(kind="value_at", at=(float(n),)) for n in (count - 2, count - 1)]
    assert [sampling_error(one, [curve], measure(one, [curve])) for one in at] == [0, 0]
    both = CurveFeature.model_validate(
        {"kind": "ratio", "of": [one.model_dump(include={"kind", "at"}) for one in at]}
    )
    assert sampling_error(both, [curve], measure(both, [curve])) == 0
    between = CurveFeature(kind="value_at", at=(count - 1.5,))
    assert (sampling_error(between, [curve], measure(between, [curve])) or 0) > 0


@pytest.mark.parametrize("shallow", [1, 2, 3])
def test_a_shallow_extremum_is_there_and_several_are_no_proof_that_none_is(shallow: int) -> None:
    """A second minimum of 1.8 % of the range, drawn on a logarithmic axis, was told to be lacking: a true paper failed."""
    bumps = sum(np.exp(-(((X - at) / 2) ** 2)) for at in (35, 55, 75)[: shallow - 1])
    y = np.exp(-X / 6) + 0.3 * np.exp(-(((X - 20) / 3) ** 2)) + 0.02 * bumps - 1e-4 * X
    asked = {"kind": "position", "extremum": "minimum", "number": 2}
    if shallow == 1:
        with pytest.raises(NoFeature) as none:
            taken(y, **asked)
        assert not isinstance(none.value, TooFaint)
    elif shallow == 2:
        assert 25 < taken(y, **asked) < 35
    else:
        with pytest.raises(TooFaint, match="of at least 0.5 %: 3"):
            taken(y, **asked)


@settings(max_examples=60, deadline=None)
@given(st.floats(0.02, 0.98), st.floats(1, 5), st.floats(0, 6))
def test_a_value_in_a_gap_is_no_surer_than_the_curve_bends_there(
    place: float, turns: float, phase: float
) -> None:
    """A sweep had 12 nm between its points and 32 before the second: 8 % off, told as known to 2 %."""
    x = np.array([20, 43.75, 55.6, 67.5, 79.4, 91.2, 103])
    at = 20 + place * (43.75 - 20)
    wave = turns / 83 * (x - 20) + phase
    curve = Curve.of(x, 2 + np.cos(wave))
    feature = CurveFeature(kind="value_at", at=(at,))
    read = measure(feature, [curve])
    left = sampling_error(feature, [curve], read)
    exact = 2 + np.cos(turns / 83 * (at - 20) + phase)
    assert left is not None and abs(read - exact) <= 1.3 * left + 2e-3


@given(
    first=st.floats(0.3, 0.45),
    second=st.floats(0.55, 0.7),
    dent=st.floats(1e-5, 0.04),
    upside_down=st.booleans(),
)
def test_a_plateau_with_a_shallow_dent_is_one_feature(
    first: float, second: float, dent: float, upside_down: bool
) -> None:
    """Two maxima of 1.00000 with a dip of 2e-4 between were two features that the curve cannot do without: a FAILURE at 0.3 %."""
    x = np.linspace(0, 1, 401)
    middle = (first + second) / 2
    hill = 1 - np.where((x > first) & (x < second), 0, np.minimum((x - first) ** 2, (x - second) ** 2) / 0.1)
    y = hill - dent * np.exp(-(((x - middle) / 0.02) ** 2))
    y[[np.argmin(abs(x - first)), np.argmin(abs(x - second))]] = 1.0  # equally high
    y = -y if upside_down else y
    found = extrema(Curve.of(x, y), 0.05)
    assert [one.kind for one in found] == (["dip"] if upside_down else ["peak"])
    deep = y - (0.5 if not upside_down else -0.5) * np.exp(-(((x - middle) / 0.02) ** 2))
    assert len(extrema(Curve.of(x, deep), 0.05)) == 3
