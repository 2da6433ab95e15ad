"""What the figure reader's answer may change: names that code lacks. Numbers, scales and code's doubts stay as they are."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.reproduce.figure_names import AxisSeen, CurveSeen, FigureNames, TickSeen
from tasks.reproduce.papers.proposed_figures import curves_in, figure_words
from tasks.reproduce.papers.reader_names import is_open, taking_names, with_names
from tests.unit.papers.reader_tries import TRIES, figure

pytestmark = pytest.mark.unit


def outcome(which: str, answer: dict[str, Any]) -> str:
    before = figure(which == "refused")
    after = with_names(before, FigureNames.model_validate(answer))
    changed = after.named is not None or after.seen != before.seen
    if after.in_doubt:
        return "doubted" if not changed else "doubted and taken"
    return "taken" if changed else "nothing"


@pytest.mark.parametrize("number", range(len(TRIES)))
def test_tries(number: int) -> None:
    which, answer, expected = TRIES[number]
    assert outcome(which, answer) == expected


_WORDS = st.text(max_size=20)
_VALUES = st.floats(-1e100, 1e100, allow_nan=False)
_ANSWERS = st.builds(
    FigureNames,
    axes=st.lists(
        st.builds(
            AxisSeen, panel=st.integers(1, 3), axis=st.sampled_from("xy"), name=_WORDS, unit=_WORDS,
            kind=st.sampled_from(["", "linear", "logarithmic"]),
            ticks=st.lists(st.builds(TickSeen, place=st.floats(0, 1), value=_VALUES), max_size=6).map(tuple),
        ), max_size=4,
    ).map(tuple),
    curves=st.lists(
        st.builds(CurveSeen, curve=st.integers(1, 4), name=_WORDS, what=st.sampled_from(["theory", "unclear"])), max_size=4
    ).map(tuple),
)  # fmt: skip


@settings(deadline=None)
@given(_ANSWERS, st.booleans())
def test_no_answer_changes_a_number_or_lifts_a_refusal(answer: FigureNames, refused: bool) -> None:
    before = figure(refused)
    named = with_names(before, answer)
    assert named.proposal == before.proposal
    after = taking_names(named)
    assert (after.proposal is None) == refused
    for one, other in zip(curves_in(before).values(), curves_in(after).values(), strict=True):
        assert (one.rows == other.rows).all() and one.name in ("", other.name)
    words = figure_words(named, "a caption")
    assert not re.search(r"(?<!\\)<[A-Za-z/!?]", words) and len(words) < 30_000


def test_what_is_asked_about() -> None:
    assert is_open(figure(True)) and is_open(figure(False))
    answer = FigureNames(
        axes=(AxisSeen(panel=1, axis="y", name="R"),), curves=(CurveSeen(curve=2, name="b"),)
    )
    named = taking_names(with_names(figure(False), answer))
    assert not is_open(named)
    assert [curve.y_column for curve in curves_in(named).values()] == ["film_r", "b_r"]
