"""A question as text, and its answer as lines: from a terminal, or from a pipe where nobody sits at one."""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from flows.questions.answers import parse_answer
from flows.questions.pausing import awaiting
from flows.run.context import Run
from flows.terminal.console import printable, show
from schemas.errors import InputError
from schemas.talking.interaction import Question, UserAnswer

_WORDS = {"none": "", "line": ": ...", "text": ": words, several lines if you like"}


def question_text(question: Question, run_dir: Path, problem: str = "", elsewhere: str = "") -> str:
    """The question as a terminal shows it: kind, title, body, pictures with full paths, choices."""
    pictures = "".join(f"\n  picture: {run_dir / ref.path}" for ref in question.pictures)
    choices = "\n".join(
        f"  {choice.name + _WORDS[choice.words]:16} {printable(choice.effect, 1000)}"
        for choice in question.choices
    )
    wrong = f"\nThe last answer did not fit:\n{problem}\n" if problem else ""
    text = any(choice.words == "text" for choice in question.choices)
    return (
        f"\n{'=' * 78}\n{printable(question.title, 300)}\n[{question.kind}, asked by {question.asked_by}]\n{'-' * 78}\n"
        f"{printable(question.body)}{pictures}\n{printable(wrong)}\n"
        f"Answer with one of (words may follow after a colon):\n{choices}\n"
        + ("Words may take several lines; an empty line (Enter twice) submits them.\n" if text else "")
        + elsewhere
        + "> "
    )


class Lines:
    """Lines of a stream, nothing read ahead is lost. `ended` when there will be no more."""

    def __init__(self, stream: TextIO | None):
        self.stream, self.ended, self._buffer = stream, stream is None, b""

    def read(self, wanted: Callable[[], bool]) -> str | None:
        """The next line; None at the end of the input, or when it is not `wanted` any more."""
        while True:
            line, mark, rest = self._buffer.partition(b"\n")
            if mark or (self.ended and line):
                self._buffer = rest
                return line.decode("utf-8", "replace")
            if self.ended or not wanted():
                return None
            self._more()

    def _more(self) -> None:
        assert self.stream is not None
        try:
            descriptor = self.stream.fileno()
        except (OSError, ValueError):  # no file behind it
            part = self.stream.readline().encode()
        else:
            try:
                ready, _, _ = select.select([descriptor], [], [], 0.3)
                if not ready:
                    return
                part = os.read(descriptor, 65536)
            except (OSError, ValueError):  # closed meanwhile, or a terminal that is gone
                part = b""
        self.ended = not part
        self._buffer += part


def read_answer(lines: Lines, question: Question, wanted: Callable[[], bool]) -> str | None:
    """A whole answer: one line, or for a choice that takes a text all lines up to an empty one."""
    first = ""
    while not first.strip():
        line = lines.read(wanted)
        if line is None:
            return None
        first = line
    name = first.partition(":")[0].strip()
    if not any(choice.name == name and choice.words == "text" for choice in question.choices):
        return first
    answer = [first]
    while line := lines.read(wanted):
        answer.append(line)
    return "\n".join(answer)


def ask_through_pipe(run: Run, question: Question, lines: Lines, out: TextIO | None = None) -> UserAnswer:
    """Answer from lines that were piped in. Raises AwaitingAnswer at their end: nobody is waited for unseen."""
    out = out or sys.stderr
    show(question_text(question, run.run_dir), end="", file=out, flush=True)
    until = time.monotonic() + run.settings.limits.user_timeout_s
    while True:
        text = read_answer(lines, question, lambda: time.monotonic() < until)
        if text is None:
            raise awaiting(run, question, "there is no terminal, and no answer on standard input")
        try:
            return parse_answer(question, text, "terminal")
        except InputError as error:
            show(f"{error}\n> ", end="", file=out, flush=True)
