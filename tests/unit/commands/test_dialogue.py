"""Questions and answers as lines: several lines, piped input, hostile text, choices that take an argument."""

from __future__ import annotations

import io
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from flows.questions.answers import checked, given_beforehand, parse_answer
from flows.questions.dialogue import Lines, ask_through_pipe, question_text, read_answer
from schemas.base import FileRef
from schemas.errors import AwaitingAnswer, InputError
from schemas.reproduce.settings import RunSettings
from schemas.talking.interaction import Choice, Question, UserAnswer

pytestmark = pytest.mark.unit
QUESTION = Question(
    question_id="code-limit-s1-1",
    kind="code_limit",
    title="What now?",
    body="Numbers.",
    choices=(
        Choice(name="guide", effect="again", words="text"),
        Choice(name="accept", effect="as it is"),
        Choice(name="other", effect="your own words", words="text", needs_words=True),
        Choice(name="backtrack", effect="go back", words="line", one_of=("s0", "s1")),
    ),
    pictures=(FileRef(path="plots/a.png", sha256="0", bytes=1),),
)


def piped(text: str) -> Lines:
    """Lines from a real pipe that has ended."""
    read, write = os.pipe()
    os.write(write, text.encode())
    os.close(write)
    return Lines(os.fdopen(read))


def run_at(folder: Path) -> Any:
    return SimpleNamespace(run_id="R1", run_dir=folder, settings=RunSettings())


def test_a_choice_is_one_line_and_words_end_with_an_empty_one() -> None:
    lines = piped("\naccept\nguide: a thicker absorber\nand a longer run\n\nother: the\nlast")
    said = [read_answer(lines, QUESTION, lambda: True) for _ in range(4)]
    assert said == ["accept", "guide: a thicker absorber\nand a longer run", "other: the\nlast", None]


def test_answers_come_through_a_pipe_and_its_end_waits_for_nobody(tmp_path: Path) -> None:
    out = io.StringIO()
    lines = piped("perhaps\naccept\n")
    assert ask_through_pipe(run_at(tmp_path), QUESTION, lines, out).choice == "accept"
    assert "'perhaps' is no answer" in out.getvalue()
    with pytest.raises(
        AwaitingAnswer, match=r"(?s)What now\?.*no terminal.*code_limit.*resume \S+ --answer code_limit=guide"
    ):
        ask_through_pipe(run_at(tmp_path), QUESTION, lines, out)
    with pytest.raises(AwaitingAnswer):
        ask_through_pipe(run_at(tmp_path), QUESTION, Lines(None), out)


def test_the_question_names_its_kind_and_full_paths_and_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    hostile = QUESTION.model_copy(
        update={"title": "\x1b[2J\x1b]0;owned\x07What now?", "body": "x" * 10_000_000}
    )
    shown = question_text(hostile, tmp_path)
    assert "\x1b" not in shown and "\x07" not in shown and len(shown) < 25_000
    assert "guide: words" in shown, "the choices stay in sight"
    shown = question_text(QUESTION, tmp_path)
    assert "[code_limit, asked by SupervisorAgent]" in shown and f"picture: {tmp_path}/plots/a.png" in shown
    assert "Enter twice" in shown


def test_a_choice_with_an_argument_takes_only_what_there_is() -> None:
    assert parse_answer(QUESTION, "backtrack", "web").text == "s0"
    assert (
        parse_answer(QUESTION, "backtrack: s1, the period is wrong", "web").text == "s1 the period is wrong"
    )
    with pytest.raises(InputError, match=r"(?s)does not know 's7'.*allowed: s0, s1"):
        parse_answer(QUESTION, "backtrack: s7", "web")
    with pytest.raises(InputError, match="needs your words"):
        parse_answer(QUESTION, "other", "web")
    with pytest.raises(InputError, match="too long"):
        checked(QUESTION, UserAnswer(choice="guide", text="x" * 30_000))


def test_an_answer_given_for_one_agents_question_serves_no_other() -> None:
    asked = Question(
        question_id="planner-question-1",
        kind="clarification",
        title="Which?",
        body="",
        choices=(
            Choice(name="disk", effect="a disk"),
            Choice(name="other", effect="words", words="text", needs_words=True),
        ),
    )
    assert given_beforehand((("clarification", "ring"),), asked, ()) is None
    assert given_beforehand((("clarification", "disk"),), asked, ()) == "disk"
    assert given_beforehand((("material_checkpoint", "approve"),), asked, ()) is None
