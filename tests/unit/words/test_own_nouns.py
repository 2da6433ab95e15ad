"""An adjective and a medium's index belong to their own noun; the width of a line is that at half its maximum."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.reproduce.rules.word_rules import called
from schemas.reproduce.words.phrases import sayings
from schemas.reproduce.words.structure_words import structure_words
from schemas.reproduce.words.written import numbers_in
from tasks.reproduce.references.called import unmatched
from tests.lies.attempts import cases
from tests.unit.words.answers_fixture import a_paper, answer, target
from tests.unit.words.attempted import of_structure, read
from tests.unit.words.test_false_doubts import _input

pytestmark = pytest.mark.unit
FILM = {case["name"]: case for case in cases()}["h-film"]
LIGHT = st.floats(400.0, 990.0).map(lambda x: round(x, 1))
OWN = ("an effective index of", "a group index of", "an effective refractive index of")


def said(text: str, value: float) -> set[str]:
    number = next(n for n in numbers_in(text) if n.low == n.high == value)
    return {one.kind for one in sayings(text, number, ())}


@given(LIGHT, st.sampled_from(OWN))
def test_an_adjective_of_another_number_s_noun_is_not_said_of_a_wavelength(light: float, noun: str) -> None:
    for text in (
        f"At a cap of 30 nm it is found at {light} nm with {noun} 1.192, and later elsewhere.",
        f"The stack supports a surface wave at {light} nm ({noun.partition(' ')[2].removesuffix(' of')} = 1.192).",
        f"It has {noun} 1.192 at {light} nm.",
    ):
        assert not said(text, light) & {"relative", "group"}
        assert said(text, 1.192) & {"relative", "group"}


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("The effective wavelength is 657.1 nm with an index of 1.192.", 657.1, "relative"),
        ("It is found at an effective wavelength of 657.1 nm.", 657.1, "relative"),
        ("The wave has an effective wavelength of 551.3 nm at 657.1 nm.", 551.3, "relative"),
        ("It has an effective index and a wavelength of 1.192 and 657.1 nm.", 1.192, "relative"),
        ("The mode has a group index of 4.2 at 1550 nm.", 4.2, "group"),
        ("The index is 2.1, an effective index of 1.9.", 1.9, "relative"),
        ("It has an effective quality factor of 97 and width of 10 nm.", 10.0, "relative"),
        ("The line of 0.5 nm has a loaded Q of 97.", 0.5, "loaded"),
        ("Its loaded quality factor is 1171.", 1171.0, "loaded"),
    ],
)
def test_an_adjective_of_the_number_s_own_noun_stays(text: str, value: float, kind: str) -> None:
    """Lie: another index, width or Q is computed than the words call the number."""
    assert kind in said(text, value)


WIDTHS = (
    "Its full width at half maximum is 0.56 nm, in agreement with Q.",
    "The line has a full width at half maximum of 0.56 nm.",
    "The resonance has a FWHM of 0.56 nm.",
    "The full width at half maximum of the resonance is 0.56 nm.",
    "The mode's linewidth (full width at half maximum) is 0.56 nm.",
)


@pytest.mark.parametrize("words", WIDTHS)
def test_the_width_of_a_mode_s_line_is_that_at_half_its_maximum(words: str) -> None:
    asked = target("0.56", "nm", "-", words)
    told = called(asked, a_paper(words), ())
    assert [one for one in unmatched(told, asked, [answer("line_width")]) if "half" in one] == []


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    "words",
    [
        "The half width at half maximum of the line is 0.56 nm.",
        "The linewidth is 0.56 nm, narrower than the full width at half maximum of the comb.",
        "The comb line has a full width at half maximum of 0.56 nm.",
        "The emission line has a full width at half maximum of 0.56 nm.",
        "The comb has a full width at half maximum of 0.56 nm.",
        "The photoluminescence has a full width at half maximum of 0.56 nm.",
        "The full width at half maximum is 0.56 nm for the filter.",
        "The shift amounts to the full width at half maximum of 0.56 nm.",
        "The linewidth is 0.56 nm at the full width at half maximum of the gain, 12 nm.",
        "The width of the line at a quarter of its maximum is 0.56 nm.",
        "The width of the line at one tenth of the maximum is 0.56 nm.",
        "The 1/e width of the line is 0.56 nm.",
        "The full width of the line at 10 % of its maximum is 0.56 nm.",
        "The full width at half maximum of the field's amplitude is 0.56 nm.",
        "The HWHM of the line is 0.56 nm.",
        "At half power the linewidth is 0.56 nm.",
        "The linewidth at half the height of the cavity is 0.56 nm, at half power.",
    ],
)
def test_another_width_of_a_line_is_doubted(words: str) -> None:
    """Lie: the whole width at half maximum is compared with another one."""
    asked = target("0.56", "nm", "-", words)
    assert unmatched(called(asked, a_paper(words), ()), asked, [answer("line_width")])


MEDIA = (  # of a body each
    "The refractive indices are {a} for tantala, {b} for silica and {c} for the glass, which is semi-infinite",
    "The refractive index is {a} for tantala, {b} for silica and {c} for the glass",
    "We take indices of {a} for the tantala, {b} for the silica and {c} for the glass",
)
INDICES = st.permutations([2.1, 1.45, 1.52])


def stack(words: str, numbers: list[float], tantala: str, silica: str, glass: str) -> dict[str, Any]:
    """A paper of one film on another, and a description that gives them these indices."""
    indices = words.format(a=numbers[0], b=numbers[1], c=numbers[2])
    sizes = "The tantala layer is 108 nm thick and the silica layer 156 nm thick"
    text = f"A film of tantala lies on one of silica on a glass substrate. {indices}. {sizes}. "
    text += "Light of a wavelength of 620 nm falls on it at normal incidence."
    code = FILM["code"]
    layers = (
        f"layers=[Film(medium=Medium(index=p.{silica}), thickness=p.t_silica), "
        f"Film(medium=Medium(index=p.{tantala}), thickness=p.t_tantala)]"
    )
    old = code[code.index("layers=") : code.index(", above=")]
    names = zip(("n_tantala", "n_silica", "n_glass"), numbers, strict=True)
    return {
        **FILM,
        "text": FILM["text"].replace(FILM["text"].split("## Methods\n")[1].split("\n\n## Results")[0], text),
        "inputs": [
            *(_input(name, value, "", indices) for name, value in names),
            _input("wavelength", 620, "nm", "a wavelength of 620 nm"),
            _input("t_tantala", 108, "nm", sizes),
            _input("t_silica", 156, "nm", sizes),
        ],
        "code": code.replace(old, layers).replace("p.glass_index", f"p.{glass}"),
    }


def crossed(case: dict[str, Any]) -> list[str]:
    return [one for one in of_structure(read(case)) if "of the layer is" in one]


@settings(max_examples=10, deadline=None)
@given(st.sampled_from(MEDIA), INDICES)
def test_each_medium_of_a_list_has_its_own_index(words: str, numbers: list[float]) -> None:
    assert crossed(stack(words, numbers, "n_tantala", "n_silica", "n_glass")) == []


@pytest.mark.attack("judgement", "at most PARTIAL")
@settings(max_examples=10, deadline=None)
@given(
    st.sampled_from(MEDIA[:2]),
    INDICES,
    st.sampled_from([("n_tantala", "n_glass", "n_silica"), ("n_silica", "n_tantala", "n_glass")]),
)
def test_the_index_of_another_medium_is_doubted(
    words: str, numbers: list[float], wrong: tuple[str, str, str]
) -> None:
    """Lie: the silica layer is given the index of the glass, or of tantala."""
    assert crossed(stack(words, numbers, *wrong))


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("words", "value", "owner"),
    [
        ("The silica has an index of 1.45 for wavelengths above 400 nm.", 1.45, "silica"),
        ("The silica film has an index of 1.45 for TE light.", 1.45, "silica"),
        ("The silica film has an index of 1.45 in both directions.", 1.45, "silica"),
        ("The silica film has an index of 1.45 in the visible.", 1.45, "silica"),
        ("The silica film has an index of 1.45 for simplicity.", 1.45, "silica"),
        ("The silica film has an index of 1.45 in our model.", 1.45, "silica"),
        ("Indices are 2.10 for tantala and 1.45 for silica.", 1.45, "silica"),
    ],
)
def test_what_light_an_index_is_for_is_no_owner(words: str, value: float, owner: str) -> None:
    """Lie: words behind an index take it away from its medium."""
    told = structure_words(f"## Methods\nA silica film lies on a tantala film. {words}").numbers
    assert [n for n in told if n.value == value and owner in n.owner]
