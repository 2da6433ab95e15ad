"""Quotations of what people wrote: names are masked, nothing else is changed, and a typed one is found."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.study.answers import (
    ThemesAnswer,
)
from tasks.study.qualitative.names import masks_of, names_in, words_of
from tasks.study.qualitative.theming import (
    Source,
    theme_answer_faults,
    themes_of,
    widened,
)
from tasks.study.qualitative.written_themes import typed_quotations
from tasks.study.statistics.measures.coded_texts import bounds, shown
from tests.unit.study.test_study_qualitative import settled_codings, source, texts, theme

pytestmark = pytest.mark.unit

NAMED = (
    ("She told Maria about it. maria laughed.", "She told [name] about it. [name] laughed."),
    ("Call +49 170 1234567 or write to a.b@c.org!", "Call [name] or write to [name]!"),
    ("It is Anna Lena's phone, and not mine.", "It is [name]'s phone, and not mine."),
    ("I do NOT like it, I'm done on Monday.", "I do NOT like it, I'm done on Monday."),
    ("In Ulm, at IBM, Alexa never heard me.", "In [name], at [name], Alexa never heard me."),
    ("Voice is fine.\nTouch is fine.", "Voice is fine.\nTouch is fine."),
)


@pytest.mark.parametrize(("text", "printed"), NAMED)
def test_names_are_masked_and_a_not_never(text: str, printed: str) -> None:
    known = words_of(["How does Alexa hear?"])
    assert shown(text, 0, len(text), masks_of(text, 0, len(text), names_in([text], known), known)) == printed


def test_listed_names_are_masked_but_no_word_that_people_also_write_small() -> None:
    wide = Source(
        settled_codings(), {**texts(), "p1/remarks": "Wet hands. Kim was not there, no hands. Not so."}, ()
    )
    names = wide.names(["Kim", "hands", "not", "Not", "wet"])
    assert "kim" in names and not {"hands", "not"} & names
    assert "kim" not in wide.names()


words = st.lists(
    st.sampled_from(
        [
            "not",
            "Anna",
            "it",
            "heard",
            "me.",
            "No!",
            "\n",
            "`x`",
            "<b>",
            "{{h1_p}}",
            "[a](b)",
            "\u201cso\u201d",
            "Wow?",
        ]
    ),
    min_size=1,
    max_size=25,
).map(" ".join)


@given(text=words, picked=st.data())
@settings(max_examples=150, deadline=None)
def test_whatever_people_wrote_a_quotation_is_the_cell_but_for_masks_and_is_no_markdown(
    text: str, picked: st.DataObject
) -> None:
    start = picked.draw(st.integers(0, len(text) - 1))
    quote = text[start : picked.draw(st.integers(start + 1, len(text)))].strip()
    if not quote:
        return
    first, last = widened(text, quote)
    assert quote in text[first:last] and first <= text.index(quote)
    names = names_in([text], frozenset())
    masks = masks_of(text, first, last, names, frozenset())
    printed = shown(text, first, last, masks)
    parts = [
        re.escape(part) for part in printed.removeprefix("[...] ").removesuffix(" [...]").split("[name]")
    ]
    assert re.fullmatch(r"(?:.|\n)+?".join(parts), text[first:last])
    hidden = "".join(text[a:b] for a, b in masks)
    assert not {"not", "no"} & {word.strip(".!?").lower() for word in hidden.split()}
    assert any(first <= begin and last >= end for begin, end in bounds(text)) or "[...]" in printed


@given(said=words)
@settings(max_examples=100, deadline=None)
def test_a_quotation_that_is_no_substring_is_always_refused(said: str) -> None:
    made = theme(("p2", f"{said} x"[:600]))
    assert theme_answer_faults(ThemesAnswer(themes=(made,)), source())
    assert themes_of(ThemesAnswer(themes=(made,)), source()).themes[0].quotations == ()


@pytest.mark.parametrize(
    "text",
    [
        'One said "I love it more than anything".',
        "One said \u201cI love it more than anything\u201d.",
        "> I love it more than anything",
        "Er sagte \u201eIch liebe es wirklich sehr\u201c dazu.",
        "Elle dit \u00abje ne le ferais jamais\u00bb.",
        "One said 'I don't love it at all'.",
        "One said \u2018I don\u2019t love it at all\u2019.",
    ],
)
def test_a_typed_quotation_is_found(text: str) -> None:
    assert typed_quotations(text, ["How easy is a timer by voice?"])


@pytest.mark.parametrize(
    "text",
    [
        "One said {{theme_ears_quote_1}}.",
        'The item "How easy is a timer by voice?" was asked.',
        'The theme "hears wrong" holds this.',
        "The participants' answers and the coders' codes agree on that.",
    ],
)
def test_an_honest_sentence_with_marks_is_no_typed_quotation(text: str) -> None:
    assert typed_quotations(text, ["How easy is a timer by voice?"]) == []
