"""The place or setting for which another number is told is an input; what is found somewhere is a result, declared or not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.reproduce.planning.left import left_of
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.words.claims import claims_of
from tests.unit.evidence.test_evidence_headline import plan, target
from tests.unit.words.test_claims import paper

pytestmark = pytest.mark.unit


def declared(value: str, unit: str) -> ExtractedParameter:
    return ExtractedParameter(name="x", value=value, unit=unit, role="input", quotation="q", place="text")


def counted(words: str, value: str, unit: str, *inputs: ExtractedParameter) -> bool:
    """Whether the run cannot be called reproduced for this number of the abstract."""
    left = left_of(plan(target("other", value=700)), inputs, paper(words))
    return any(one.counts for one in left if one.what == f"{value} {unit}".strip())


def is_setting(words: str, told: str) -> bool:
    return {claim.told: claim.setting for claim in claims_of(paper(words))}[told]


@given(
    st.sampled_from(
        (
            "The splitting of the peaks reaches 5.6 nm",
            "The line is moved by 5.6 nm",
            "The splitting reaches 5.6 nm",
            "The shift is 5.6 nm",
        )
    ),
    st.sampled_from(
        ("at an in-plane wavevector of", "at kx/2π =", "for a lateral wave number of", "with a wavevector of")
    ),
    st.integers(2, 9).map(lambda x: f"0.{x}"),
)
def test_a_declared_input_for_which_a_result_is_told_needs_no_target(head: str, at: str, value: str) -> None:
    words = f"{head} {at} {value} per micrometre."
    found = _plain_head(head)
    assert is_setting(words, f"{value} 1/um") is found
    if found:
        assert not counted(words, value, "1/um", declared(value, "1/um"))


def _plain_head(head: str) -> bool:
    return "peaks" not in head and "line " not in head


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("The quality factor is 97 for d = 36 nm.", "36 nm"),
        ("Its linewidth is 9.98 THz at a gold thickness of 36 nm.", "36 nm"),
        ("The field is enhanced by 848.5 with a cap of 30 nm.", "30 nm"),
    ],
)
def test_a_size_for_which_a_result_is_told_is_a_setting(words: str, told: str) -> None:
    assert is_setting(words, told)


@pytest.mark.attack("judgement", "cannot be called reproduced")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("The maximum of 1171 is found at a cap of 30 nm.", "30 nm"),
        ("The quality factor reaches its largest value, 1171, at a cap of 30 nm.", "30 nm"),
        ("It peaks with 0.83 at a wavenumber of 1.03 1/um.", "1.03 1/um"),
        ("The film absorbs 83 % at a wavelength of 971 nm.", "971 nm"),
        ("The resonance has a Q of 97 at a wavevector of 1.03 1/um.", "1.03 1/um"),
        ("It has a Q of 97 at \u03bb = 971 nm.", "971 nm"),
        ("Critical coupling is reached with 28 nm of gold.", "28 nm"),
        ("The two rates, 0.3 THz each, are equal at a thickness of 28 nm.", "28 nm"),
        ("The reflectance of 0.2 % is the lowest at a gold thickness of 28 nm.", "28 nm"),
        ("The Q of 1171 comes with a bandwidth of 12 nm.", "12 nm"),
        ("The pulse is delayed by 12 fs with a lifetime of 30 um.", "30 um"),
        ("The guide has an index of 2.1 with a propagation length of 30 um.", "30 um"),
        ("The line has a Q of 97 for a finesse of 30.", "30"),
        ("The film absorbs 83 % for an enhancement of 30.", "30"),
        ("The film absorbs 83 % with a penetration depth of 30 nm.", "30 nm"),
        ("The beam holds 83 % with a divergence of 30 deg.", "30 deg"),
        ("The beam holds 83 % at a far-field angle of 30 deg.", "30 deg"),
        ("The lens focuses 83 % with a focal length of 30 um.", "30 um"),
        ("The coupler passes 83 % with L_c = 30 um.", "30 um"),
        ("We have a transmittance of 83 % with a full width of 320 nm.", "320 nm"),
        ("The cavity has a Q of 97 with a width of 2.3 THz.", "2.3 THz"),
        ("The group index is 83 with a gap of 12 meV.", "12 meV"),
        ("The film absorbs 83 % with a spacing of 550 GHz.", "550 GHz"),
        ("The film absorbs 83 % with g = 2.3 THz.", "2.3 THz"),
        ("The splitting is 5.6 nm with a depth of 36 %.", "36 %"),
        ("The loss falls to 0.1 % at a gap of 30 nm.", "30 nm"),
        ("The absorptance reaches 99.9 % with a gap of 30 nm.", "30 nm"),
        ("The light is totally absorbed, 99 %, with a gap of 30 nm.", "30 nm"),
        ("The resonance is found at 657 nm with a wavevector of 11.4 rad/um.", "11.4 rad/um"),
        ("The filter passes 83 % with a passband width of 30 nm.", "30 nm"),
        ("The beam holds 83 % with a deflection angle of 30 deg.", "30 deg"),
        ("The coupler passes 83 % for a transfer length of 30 um.", "30 um"),
        ("The beam holds 83 % with a waist radius of 30 um.", "30 um"),
        ("The cut-off of the guide, at 1.2 um, is met at a thickness of 28 nm.", "28 nm"),
        ("The transmittance falls to 50 % at a thickness of 28 nm.", "28 nm"),
        ("The second lies at a wavevector of 1.03 1/um.", "1.03 1/um"),
        ("The first line lies at 612 nm, and the second at a distance of 104 nm.", "104 nm"),
    ],
)
def test_where_something_is_found_is_no_setting(words: str, told: str) -> None:
    """Lie: a result is declared as an input, and no target compares it."""
    assert not is_setting(words, told)


@pytest.mark.attack("judgement", "cannot be called reproduced")
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_number_that_is_a_setting_once_and_a_result_once_is_a_result(order: tuple[int, int]) -> None:
    """Lie: a result hides behind a sentence that only uses it."""
    said = ("The shift is 5.6 nm at a wavevector of 1.03 1/um.", "The dip lies at a wavevector of 1.03 1/um.")
    words = " ".join(said[at] for at in order)
    assert not is_setting(words, "1.03 1/um")
    assert counted(words, "1.03", "1/um", declared("1.03", "1/um"))


@pytest.mark.attack("judgement", "cannot be called reproduced")
def test_a_setting_that_is_not_declared_or_another_number_needs_a_target() -> None:
    """Lie: an input near the number is declared."""
    words = "It is tuned by 2.2 nm per nanometre, and the polarization splitting reaches 5.6 nm "
    words += "at an in-plane wavevector of 0.52 per micrometre."
    assert not counted(words, "0.52", "1/um", declared("0.52", "1/um"))
    for near in ("0.53", "0.5", "520", "5.6"):
        assert counted(words, "0.52", "1/um", declared(near, "1/um"))
    assert counted(words, "0.52", "1/um")
    assert counted(words, "5.6", "nm", declared("0.52", "1/um"))
