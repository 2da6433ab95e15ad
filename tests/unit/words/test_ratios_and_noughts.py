"""What multiplies a result is a ratio of two; a structure without a body is one where its size is nought."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.reproduce.rules.feature_rules import bound
from agents.reproduce.rules.word_rules import called
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.planning.plan import Target
from tasks.reproduce.references.called import unmatched
from tests.unit.words.answers_fixture import a_paper, answer
from tests.unit.words.test_words_around_results import target

pytestmark = pytest.mark.unit
FACTORS = st.floats(1.1, 9.9).map(lambda x: round(x, 1))


def ratio(value: float, words: str, made_of: str | None = "ratio") -> Target:
    reference = {"kind": "quotation", "value": value, "quotation": words, "made_of": made_of}
    return Target.model_validate(
        {
            "target_id": "t",
            "figure_id": "text",
            "description": "t",
            "kind": "scalar",
            "quantity": "scalar",
            "unit": "1",
            "reference": reference,
        }
    )


def doubts(value: float, words: str, made_of: str | None = "ratio") -> list[str]:
    asked = ratio(value, words, made_of)
    told = called(asked, a_paper(words), ())
    return [*bound(asked, words, ()).loose, *unmatched(told, asked, [answer("quality_factor")])]


@given(
    FACTORS,
    st.sampled_from(
        (
            "An additional period multiplies Q by {} and leaves the wavelength in place.",
            "One more period multiplies the quality factor by {}.",
            "Each further pair multiplied the quality factor by a factor of {}.",
            "A further period multiplies Q by about {}.",
        )
    ),
)
def test_what_multiplies_a_result_is_a_ratio_of_two(factor: float, words: str) -> None:
    assert doubts(factor, words.format(factor)) == []


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("words", "made_of"),
    [
        ("We multiply the quality factor by 3.9 in the figure.", "ratio"),
        ("The quality factor, multiplied by 3.9, is drawn.", "ratio"),
        ("An additional period multiplies Q by 3.9.", "difference"),
        ("An additional period multiplies Q by 3.9.", None),
        ("The quality factor of the cavity is 3.9.", "ratio"),
        ("An additional period would multiply the quality factor by 3.9.", "ratio"),
        ("A further pair multiplies the power of the pump by 3.9.", "ratio"),
        ("To compare we multiply the quality factor of the cavity by 3.9.", "ratio"),
    ],
)
def test_what_is_no_ratio_of_two_results_is_doubted(words: str, made_of: str | None) -> None:
    """Lie: a ratio is computed where the words give a value or scale a curve, or a value where they give a ratio."""
    assert doubts(3.9, words, made_of)


PAPER = (
    "A silica film (index 1.46, thickness 172 nm) lies on glass. A cap of tantala (index 2.10) with thickness t closes the stack; for "
    "t = 0 the last silica layer borders the air. A spacer of thickness s lies below. {}"
)
NOUGHT = ExtractedParameter(
    name="t_least",
    value="0",
    unit="nm",
    role="input",
    quotation="for t = 0 the last silica layer borders the air",
    place="m",
)

OF_SPACER = NOUGHT.model_copy(update={"quotation": "the cap stays as it is and s = 0"})


def left(words: str, light: float, at: float, *inputs: ExtractedParameter) -> tuple[str, ...]:
    feature = {"kind": "value_at", "at": (at,)}
    found = bound(target(light, "nm", words, feature), PAPER.format(words), inputs)
    return tuple(one for one in (*found.refused, *found.loose) if "abscissa" in one)


WITHOUT = st.sampled_from(
    (
        "The resonance moves from {} nm without cap to 742 nm with a 90 nm cap.",
        "Without a cap the resonance lies at {} nm.",
        "The bare stack supports a surface wave at {} nm.",
        "At t = 0 the resonance lies at {} nm.",
    )
)


@given(st.floats(500, 700).map(lambda x: round(x, 1)), WITHOUT)
def test_a_declared_size_of_nought_is_the_place_without_the_body(light: float, words: str) -> None:
    assert left(words.format(light), light, 0.0, NOUGHT) == ()


@pytest.mark.attack("judgement", "at most PARTIAL")
@pytest.mark.parametrize(
    ("words", "at", "inputs"),
    [
        ("The resonance moves from 598.5 nm without cap to 742 nm with a 90 nm cap.", 0.0, ()),
        ("The resonance moves from 598.5 nm without cap to 742 nm with a 90 nm cap.", 30.0, (NOUGHT,)),
        ("With a 90 nm cap the dip lies at 598.5 nm, without cap at 742 nm.", 0.0, (NOUGHT,)),
        ("The resonance moves from 598.5 nm without film to 742 nm with a 90 nm cap.", 0.0, (NOUGHT,)),
        ("The resonance moves from 598.5 nm without cap to 742 nm with a 90 nm cap.", 0.0, (OF_SPACER,)),
        ("The resonance moves from 598.5 nm without spacer to 742 nm with a 90 nm one.", 0.0, (NOUGHT,)),
        ("The resonance moves from 598.5 nm to 742 nm with a 90 nm cap.", 0.0, (NOUGHT,)),
        ("The resonance lies at 598.5 nm with a 30 nm cap and at 742 nm without cap.", 0.0, (NOUGHT,)),
    ],
)
def test_nought_is_no_place_of_another_number_or_body(
    words: str, at: float, inputs: tuple[ExtractedParameter, ...]
) -> None:
    """Lie: a curve is read at nought, where the words place the number elsewhere or leave out another body."""
    assert left(words, 598.5, at, *inputs)
