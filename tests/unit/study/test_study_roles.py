"""A number without a role that the design gives it was typed, and what is attributed to somebody outside is a reference; what is kept
to the last answer is taken out, and said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.study.wording.citing import invented
from tasks.study.wording.placeholders import TAKEN_OUT, without_notes
from tasks.study.wording.reported import forged
from tasks.study.wording.stated import made_of, stated
from tasks.study.wording.striking import struck
from tasks.study.wording.typed import typed_numbers
from tests.unit.study import tries_of_wording as tries
from tests.unit.study.study_fixture import plan, protocol, questionnaire, variables

pytestmark = pytest.mark.unit
DESIGN = (protocol(24), questionnaire(), variables())
GIVEN = "\n".join((tries.TOLD, tries.DESIGN, stated(plan(), *DESIGN)))


def numbers(text: str) -> list[str]:
    return typed_numbers(text, GIVEN, before_results="were planned" in text or "We assume" in text)


def references(text: str) -> list[str]:
    return invented(text, (), tries.TOLD, about=tries.DESIGN + made_of(*DESIGN))


@pytest.mark.attack("answers", "a number that no role binds is typed")
@pytest.mark.parametrize("text", tries.NUMBERS)
def test_a_number_without_a_role_is_typed(text: str) -> None:
    assert numbers(text)


@pytest.mark.attack("answers", "what is attributed to somebody outside is a reference")
@pytest.mark.parametrize("text", tries.REFERENCES[::2])
def test_what_is_attributed_to_somebody_outside_is_a_reference(text: str) -> None:
    assert references(text)


def test_of_references_that_were_not_looked_at_most_are_found() -> None:
    assert sum(bool(references(text)) for text in tries.REFERENCES[1::2]) >= 19


@pytest.mark.parametrize("text", tries.HONEST)
def test_honest_sentences_pass(text: str) -> None:
    assert not references(text) and not forged(text)
    if "attention check" not in text:
        assert not numbers(text)


def faults(text: str) -> list[tuple[str, str]]:
    return [
        *(("a number", found) for found in numbers(text)),
        *(("a reference", found) for found in references(text)),
        *(("code's words", found) for found in forged(text)),
    ]


def test_what_is_kept_to_the_last_is_taken_out_and_the_rest_stays() -> None:
    text = (
        "Two conditions were compared. Ease rose to 6. Experts agree. Answers were given in writing.\n\n- One item.\n- Trust was 4.\n\n"
        "Data are in the package."
    )
    left, out = struck(text, faults)
    assert left == (
        f"Two conditions were compared. [{TAKEN_OUT}: 2 sentences, for a number, a reference] Answers were given in writing.\n\n"
        f"- One item.\n[{TAKEN_OUT}: a sentence, for a number]\n\nData are in the package."
    )
    assert len(out) == 3 and not faults(without_notes(left))
    assert without_notes(left).count("conditions") == 1 and TAKEN_OUT not in without_notes(left)
    assert forged(f"[{TAKEN_OUT}: 5 sentences]"), "only code writes it"


@given(
    st.lists(
        st.sampled_from(
            (*tries.NUMBERS, *tries.REFERENCES, *tries.HONEST, "\n\n", "- ", "**", "`", "[", "](")
        ),
        max_size=12,
    )
)
def test_nothing_that_may_not_stand_is_left_whatever_the_text(parts: list[str]) -> None:
    left, _ = struck(" ".join(parts), faults)
    assert not faults(without_notes(left))


@pytest.mark.parametrize(
    "words",
    [
        "one ",
        "5 ",
        "Smith ",
        "Smith, ",
        "has been ",
        "one to ",
        "the two ",
        "a-",
        "(",
        "*a b ",
        "a theory ",
        "\u201ca ",
        "5:",
        "1 a to ",
    ],
)
def test_a_long_answer_is_read_in_seconds(words: str) -> None:
    numbers((words * 12_000)[:24_000])
    references((words * 12_000)[:24_000])
