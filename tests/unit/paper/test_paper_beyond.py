"""Sentences that say more than their numbers have a note; what numbers carry, and what is no finding, stands bare."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.explore.paper.beyond import BEYOND, BEYONDS, NOTE, NOTES, Reader
from tasks.explore.paper.plain_words import known_words
from tasks.explore.paper.unbound import unbound
from tasks.explore.paper.verdicts import contradiction
from tests.unit.paper.beyond_tries import FALSE, HONEST, MORE_HONEST, stencil

pytestmark = pytest.mark.unit
DATA = stencil()
READER = Reader(DATA, known_words((DATA.title, DATA.question, "Cache blocking of stencils")))
LEAST_BARE, ALL_HONEST = 58, len(HONEST) + len(MORE_HONEST)
"""Of the honest sentences of the tries, so many stand bare; the others claim what their numbers do not show."""


def bare(sentence: str) -> bool:
    return not (unbound(sentence, DATA) or contradiction(sentence, DATA) or READER.beyond(sentence))


@pytest.mark.attack("answers", "a sentence that says more than its numbers has a note, or does not stand")
@pytest.mark.parametrize("kind", FALSE)
def test_a_false_sentence_does_not_stand_bare(kind: str) -> None:
    found = [sentence for sentence in FALSE[kind] if bare(sentence)]
    assert len(found) <= (kind == "heading or list"), found


def test_honest_sentences_stand_bare() -> None:
    assert sum(map(bare, (*HONEST, *MORE_HONEST))) >= LEAST_BARE


def test_a_number_carries_only_what_is_its_own() -> None:
    for sentence in (
        "The memory traffic is {{best.time}}.",
        "Strips took {{n002.time}} and cost no accuracy.",
        "In strips the step took {{n002.time}}, as $T = c n$ says.",
        "The step took {{n002.time}} on all machines.",
    ):
        assert not bare(sentence), sentence
    for sentence in (
        "In strips the step took {{n002.time}}.",
        "The largest error is {{n002.largest_error}}.",
        "Let $T = c n$ be the time.",
    ):
        assert not READER.beyond(sentence), sentence


def test_a_paragraph_has_one_note_for_what_stands_in_a_row() -> None:
    said = "The cache decides. Strips win, as {{n002.time}} shows. We measured one machine. It is settled."
    text, found = READER.noted(said)
    assert len(found) == 3 and text == (
        "The cache decides. Strips win, as {{n002.time}} shows. [What these sentences say beyond their numbers was not checked]. "
        f"We measured one machine. It is settled. {NOTE}"
    )
    assert (
        READER.noted("- the cache decides\n- {{n002.time}}")[0]
        == f"- the cache decides. {NOTE}\n- {{{{n002.time}}}}"
    )
    assert READER.noted(f"It cost {{{{n002.time}}}} of sweat. {BEYOND}")[1] == [
        "It cost {{n002.time}} of sweat."
    ]


@settings(max_examples=300)
@given(
    st.lists(
        st.sampled_from(
            (
                *"([,;:.?$-#*`{}@",
                "{{n001.time}}",
                "{{",
                "we ask",
                "all",
                "with strips",
                "took",
                "[fig:x]",
                " ",
                "\n",
                "\n\n- ",
                "é",
            )
        ),
        max_size=60,
    )
)
def test_any_text_is_read_and_nothing_of_it_is_lost(parts: list[str]) -> None:
    text = "".join(parts)
    noted, _ = READER.noted(text)
    for note in map(re.escape, (NOTE, NOTES, BEYOND, BEYONDS)):
        noted = re.sub(note, "", noted)
    assert re.sub(r"[\s.]", "", noted) == re.sub(r"[\s.]", "", text)


def test_a_long_text_takes_no_longer_than_its_length() -> None:
    for part in ("we ask ", "with strips ", "(", "all and ", "{{n001.time}} ", "not ", "is not "):
        begun = time.process_time()
        READER.noted(part * 4000)
        assert time.process_time() - begun < 5, part
