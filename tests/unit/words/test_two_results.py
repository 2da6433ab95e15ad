"""Numbers and curves that are said to be the difference or ratio of two results: their words, or a definition, must make them so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.reproduce.rules.feature_rules import bound
from agents.reproduce.rules.made_of import differentiates
from schemas.reproduce.planning.plan import Reference, Target
from tests.unit.words.test_feature_words import INPUTS, quoted

pytestmark = pytest.mark.unit
TEXT = (
    "The retardance is the phase by which the parallel component lags behind the perpendicular one. Figure 1 shows the "
    "retardance. At 633 nm it amounts to 91.7 deg. The transmittance is the ratio of the transmitted power to the incident one. "
    "At 600 nm the transmittance amounts to 12.5 %. A filament lowers the resonance frequency by 25.4 MHz. The transmittance "
    "drops to 33.1 % by interference. Some 45 % of the light is lost. The forward efficiency is smallest in comparison with the "
    "backward one, 0.58 of it. Between the lines 17 % of the power is reflected."
)


def made(words: str, value: float, unit: str, kind: str) -> Target:
    target = quoted(words, value, unit)
    return target.model_copy(update={"reference": target.reference.model_copy(update={"made_of": kind})})


def unmade(target: Target, text: str = TEXT, caption: str = "") -> bool:
    return any("of two results" in fault for fault in bound(target, text, INPUTS, caption).loose)


@pytest.mark.parametrize(
    ("words", "value", "unit", "kind"),
    [
        ("At 633 nm it amounts to 91.7 deg", 91.7, "deg", "difference"),
        ("lowers the resonance frequency by 25.4 MHz", 25.4, "MHz", "difference"),
        ("smallest in comparison with the backward one, 0.58 of it", 0.58, "1", "ratio"),
        ("The stopband is thus 14.54 GHz wide", 14.54, "GHz", "difference"),
        ("The lines cross at w = 905.3 nm at a frequency of 0.5485", 905.3, "nm", "difference"),
        (
            "the monopole band and the dipole band meet when the bars are 905.3 nm wide",
            905.3,
            "nm",
            "difference",
        ),
    ],
)
def test_what_words_or_a_definition_make_of_two_results(
    words: str, value: float, unit: str, kind: str
) -> None:
    assert not unmade(made(words, value, unit, kind))


@pytest.mark.parametrize(
    "words",
    [
        "the curve crosses 0.9 at 905.3 nm",
        "The two curves cross 0.5 at 905.3 nm",
        "The bands cross the light line at 905.3 nm",
    ],
)
def test_a_level_that_is_crossed_makes_no_difference_of_two_results(words: str) -> None:
    text = f"Figure 1 shows them. {words}."
    assert unmade(made(words, 905.3, "nm", "difference"), text)


@pytest.mark.parametrize("kind", ["difference", "ratio"])
@pytest.mark.parametrize(
    ("words", "value"),
    [
        (
            "At 600 nm the transmittance amounts to 12.5 %",
            12.5,
        ),  # defined as a ratio, and of one scene all the same
        ("drops to 33.1 % by interference", 33.1),
        ("Some 45 % of the light is lost", 45),
        ("Between the lines 17 % of the power is reflected", 17),
    ],
)
def test_a_share_of_the_light_is_of_one_scene(words: str, value: float, kind: str) -> None:
    assert unmade(made(words, value, "%", kind))


@given(
    noun=st.sampled_from(
        ["reflectance", "transmittance", "absorptance", "efficiency", "enhancement factor", "quality factor"]
    ),
    verb=st.sampled_from(["is", "is defined as", "denotes", "means"]),
    kind=st.sampled_from(["difference", "ratio"]),
)
def test_no_definition_makes_two_results_of_what_one_scene_has(noun: str, verb: str, kind: str) -> None:
    text = f"The {noun} {verb} the {kind} of two powers. At the wavelength used the {noun} amounts to 45 %."
    found = made(f"At the wavelength used the {noun} amounts to 45 %", 45, "%", kind)
    assert unmade(found, text) == (noun != "enhancement factor" or kind == "difference")


@pytest.mark.parametrize(
    ("column", "caption", "told"),
    [
        ("retardance_deg", "Figure 1", True),
        ("R", "Shift of the resonance", True),
        ("R", "The reflectance over the band, larger for thin films", False),
        ("T", "The transmittance", False),
    ],
)
def test_a_column_is_made_of_two_results_by_name_caption_or_definition(
    column: str, caption: str, told: bool
) -> None:
    data = {"kind": "data", "file": "a.csv", "x_column": "x", "made_of": "difference", "y_column": column}
    curve = quoted("x", 1).model_copy(update={"kind": "curve", "reference": Reference.model_validate(data)})
    assert unmade(curve, caption=caption) != told


@pytest.mark.parametrize(
    ("caption", "kind", "doubted"),
    [
        ("Phase (in cycles, relative to posts of 80 nm) against the diameter.", "difference", False),
        ("Phase with respect to the bare substrate.", "difference", False),
        ("Intensity relative to the incident beam.", "difference", True),
        ("Phase of the transmitted light. Intensities are relative to the beam.", "difference", True),
    ],
)
def test_a_phase_is_measured_from_another(caption: str, kind: str, doubted: bool) -> None:
    curve = made("At 633 nm it amounts to 91.7 deg", 91.7, "deg", kind).model_copy(
        update={
            "kind": "curve",
            "reference": Reference(kind="data", file="f.csv", x_column="x", y_column="phi", made_of=kind),
        }
    )
    assert unmade(curve, "The posts stand on glass.", caption) is doubted


@pytest.mark.parametrize(
    ("sentence", "words", "value", "ratio"),
    [
        (
            "The wide arms reduce the crosstalk by 17.5 dB, to -33.8 dB.",
            "reduce the crosstalk by 17.5 dB",
            56.2,
            True,
        ),
        ("Crosstalk falls to -33.8 dB, an improvement of 17.5 dB.", "an improvement of 17.5 dB", 56.2, True),
        ("The side port is 17.5 dB weaker than before.", "17.5 dB weaker than before", 56.2, True),
        ("The crosstalk falls to -33.8 dB.", "The crosstalk falls to -33.8 dB", 4.17e-4, False),
        ("The insertion loss is 0.31 dB.", "insertion loss is 0.31 dB", 0.931, False),
    ],
)
def test_a_change_in_dB_is_a_ratio(sentence: str, words: str, value: float, ratio: bool) -> None:
    assert unmade(made(words, value, "1", "ratio"), f"{TEXT} {sentence}") is not ratio
    assert unmade(made(words, value, "1", "difference"), f"{TEXT} {sentence}") or ratio


DEFINED = (
    "The group index is n_g = n_B - w dn_B/dw, and the bulk sensitivity is S = {sign} at fixed wavelength. "
    "At one half S is 1.007 in all. The Bloch index is 1.903 in water. For light n_g is 3.08 in all. The add/drop ratio of S is kept."
)


@pytest.mark.parametrize(
    "sign", ["dn_B/dn_c", "\u2202n/\u2202c", "d ln n / dc", "\\Delta\\lambda/\\Delta n", "dlambda/dT"]
)
def test_what_a_paper_defines_as_a_derivative_is_a_slope_or_the_difference_of_two_results(sign: str) -> None:
    """A sensor's S = dn_B/dn_c, quoted as "S is 1.007", was neither: the paper's main claim could only be PARTIAL."""
    text = DEFINED.format(sign=sign)
    assert not unmade(made("S is 1.007", 1.007, "1", "difference"), text)
    assert unmade(made("S is 1.007", 1.007, "1", "ratio"), text)
    assert unmade(made("The Bloch index is 1.903 in water", 1.903, "1", "difference"), text)
    assert unmade(made("n_g is 3.08", 3.08, "1", "difference"), text)
    assert differentiates("S is 1.007", text) and not differentiates("n_g is 3.08", text)


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    "words", ["diameter/depth", "the add/drop port", "17 dB/dm", "d1/d2", "and/or", "dB/dB"]
)
def test_what_only_looks_like_a_derivative_is_none(words: str) -> None:
    """Lie: a value is passed off as a difference of two results."""
    assert not differentiates(words, f"S is {words}. Figure 1.")


@pytest.mark.parametrize(
    ("words", "value", "unit"),
    [
        ("The factor from one N to the next goes from 4.62 to 4.56.", 4.62, "1"),
        ("With three shells 87 % of this peak intensity is kept.", 87, "%"),
        ("The losses differ by a factor of 5.6.", 5.6, "1"),
    ],
)
def test_words_of_ratios(words: str, value: float, unit: str) -> None:
    assert not unmade(made(words, value, unit, "ratio"), f"{TEXT} {words}")
