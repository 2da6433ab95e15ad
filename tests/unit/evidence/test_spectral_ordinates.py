"""Features whose number depends on what the ordinate is: a wavelength's slope over an index is no frequency's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.reproduce.planning.plan import Reference, Target
from tasks.reproduce.evidence.not_computed import EvidenceError
from tasks.reproduce.evidence.target_feature import Columns, feature_of
from tests.unit.evidence.test_evidence_headline import target as plain_target

pytestmark = pytest.mark.unit
N = np.linspace(1.8, 2.2, 9)


def _target(unit: str, feature: dict[str, object], column: str) -> Target:
    named = Reference.model_validate(
        {"kind": "feature", "file": "r.csv", "x_column": "index", "y_column": column, "feature": feature}
    )
    return plain_target("slope").model_copy(update={"unit": unit, "x_unit": "1", "reference": named})


SLOPE = {"kind": "slope"}
RATIO = {"kind": "ratio", "of": [{"kind": "value_at", "at": [2.2]}, {"kind": "value_at", "at": [1.8]}]}


@settings(max_examples=25, deadline=None)
@given(st.floats(500, 1500), st.floats(100, 900), st.sampled_from(["nm", "um"]))
def test_a_resonance_over_an_index_has_the_papers_slope_whatever_ours_is_in(
    low: float, rise: float, unit: str
) -> None:
    nm = low + rise * (N - 1.8)
    paper = Columns(N, nm, "1", "nm")
    for ours in (
        Columns(N, 1e3 / nm, "1", "c/um"),
        Columns(N, 299792.458 / nm, "1", "THz"),
        Columns(N, nm / 1e3, "1", "um"),
    ):
        for told in (unit, f"{unit}/1"):
            target = _target(told, SLOPE, "resonance_nm")
            wanted, found = (
                feature_of(target, [paper]).value,
                feature_of(target, [ours], simulated=True).value,
            )
            assert found == pytest.approx(wanted, rel=1e-3)
        target = _target("1", RATIO, "resonance_nm")
        assert feature_of(target, [ours], simulated=True).value == pytest.approx(
            feature_of(target, [paper]).value, rel=1e-6
        )


def test_what_has_no_wavelength_is_not_compared_with_one() -> None:
    ours = Columns(N, 0.3 + 0.1 * N, "1", "c/a")
    with pytest.raises(EvidenceError, match="c/a"):
        feature_of(_target("nm", SLOPE, "resonance_nm"), [ours], simulated=True)


def test_what_is_no_light_keeps_its_own_unit() -> None:
    ours = Columns(N, 50 + 10 * N, "1", "%")
    assert feature_of(_target("1", SLOPE, "R"), [ours], simulated=True).value == pytest.approx(0.1)
    quality = Columns(N, 100 * N, "1", "1")
    assert feature_of(_target("1", RATIO, "Q"), [quality], simulated=True).value == pytest.approx(2.2 / 1.8)


SIDE = np.linspace(180, 260, 9)


@settings(max_examples=25, deadline=None)
@given(st.floats(400, 700), st.floats(0.1, 1.5), st.sampled_from(["1", "nm/nm", "nm/um", "um/um"]))
def test_a_wavelength_over_a_length_has_a_slope_without_unit(low: float, slope: float, told: str) -> None:
    """0.61 nm per nm was compared with 0.00090: um of light over nm of a post's side."""
    nm = low + slope * (SIDE - 180)
    named = Reference.model_validate(
        {"kind": "feature", "file": "r.csv", "x_column": "side_nm", "y_column": "peak_nm", "feature": SLOPE}
    )
    target = plain_target("slope").model_copy(update={"unit": told, "x_unit": "nm", "reference": named})
    for ours in (
        Columns(SIDE, nm, "nm", "nm"),
        Columns(SIDE / 1e3, nm / 1e3, "um", "um"),
        Columns(SIDE, nm / 1e3, "nm", "um"),
        Columns(SIDE / 1e3, 1e3 / nm, "um", "c/um"),
    ):
        wanted = slope * (1e3 if told == "nm/um" else 1)
        assert feature_of(target, [ours], simulated=True).value == pytest.approx(wanted, rel=0.1)


@pytest.mark.parametrize(
    ("unit", "x_unit", "window", "slope"),
    [
        ("nm/RIU", "", (), 442.0),
        ("nm/RIU", "1", (), 442.0),
        ("nm/RIU", "", (1.8, 2.0), 442.0),
        ("um/1", "", (), 0.442),
    ],
)
def test_a_sensitivity_has_the_index_s_own_unit(
    unit: str, x_unit: str, window: tuple[float, ...], slope: float
) -> None:
    """A slope in nm per RIU over an index in "1" had no value where the abscissa's unit was left open."""
    feature: dict[str, object] = {"kind": "slope", **({"window": window} if window else {})}
    target = _target(unit, feature, "resonance_nm").model_copy(update={"x_unit": x_unit})
    ours = Columns(N, (1000 + 442 * (N - 1.8)) / 1e3, "1", "um")
    assert feature_of(target, [ours], simulated=True).value == pytest.approx(slope, rel=1e-6)


@pytest.mark.parametrize(("told", "wanted"), [("nm/nm", 0.5), ("nm/um", 500.0), ("1", 0.5)])
def test_a_slope_s_window_is_in_the_abscissa_s_own_unit(told: str, wanted: float) -> None:
    named = Reference.model_validate(
        {
            "kind": "feature",
            "file": "r.csv",
            "x_column": "side",
            "y_column": "peak_nm",
            "feature": {**SLOPE, "window": (0.18, 0.22)},
        }
    )
    target = plain_target("slope").model_copy(update={"unit": told, "x_unit": "", "reference": named})
    ours = Columns(SIDE / 1e3, (500 + 0.5 * SIDE) / 1e3, "um", "um")
    assert feature_of(target, [ours], simulated=True).value == pytest.approx(wanted, rel=1e-6)


@settings(max_examples=25, deadline=None)
@given(
    st.floats(-50, 50).filter(lambda one: abs(one) > 0.1),
    st.sampled_from([("%", "nm"), ("%", "um"), ("1", "um"), ("%", "deg")]),
    st.sampled_from(["%", "1"]),
)
def test_a_share_over_a_length_or_an_angle_has_the_slope_of_its_unit(
    slope: float, told: tuple[str, str], saved: str
) -> None:
    """slope: in % over nm, or over a tenth of a degree in radians."""
    share, over = told
    x, x_unit = np.linspace(1, 2, 9), "nm" if over != "deg" else "mrad"
    y = slope * (x if saved == "%" else x / 100)
    named = Reference.model_validate(
        {"kind": "feature", "file": "r.csv", "x_column": "x", "y_column": "y", "feature": SLOPE}
    )
    target = plain_target("slope").model_copy(
        update={"unit": f"{share}/{over}", "x_unit": x_unit, "reference": named}
    )
    wanted = slope * {"nm": 1.0, "um": 1e3, "deg": np.pi / 0.18}[over] / (1 if share == "%" else 100)
    found = feature_of(target, [Columns(x, y, x_unit, saved)], simulated=True).value
    assert found == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize(("unit", "times"), [("%", 100.0), ("1", 1.0), ("‰", 1000.0)])
def test_a_ratio_of_two_features_is_in_its_targets_unit(unit: str, times: float) -> None:
    """87 % of the peak is kept: 0.787 was 99 % off."""
    ratio = {"kind": "ratio", "of": [{"kind": "value"}, {"kind": "value", "curve": "second"}]}
    x = np.linspace(-1, 1, 201)
    curves = [Columns(x, height * np.exp(-(x**2) / 0.1), "um", "1") for height in (13.73, 17.44)]
    named = Reference(kind="quotation", value=87, quotation="87 % of it is kept", place="text", feature=ratio)  # type: ignore[arg-type]
    target = plain_target("kept").model_copy(update={"unit": unit, "x_unit": "um", "reference": named})
    assert feature_of(target, curves).value == pytest.approx(times * 13.73 / 17.44, rel=1e-6)
