"""Answering paused runs from the terminal: shows the question, reads the answer, resumes through Prefect's API."""

from __future__ import annotations

import sys
import threading
import time
from typing import TextIO
from uuid import UUID

from prefect import resume_flow_run

from flows.questions.answers import answer_command, parse_answer
from flows.questions.dialogue import Lines, question_text, read_answer
from flows.questions.open_questions import LOOK_S, handed_over
from flows.questions.pending import PENDING, PENDING_CHANGED, Pending
from flows.serving.embedded import page_of
from flows.terminal.console import Console, show
from schemas.errors import InputError


class Attendant:
    """A thread that serves the questions of runs in this process while there is a terminal to ask."""

    def __init__(self, console: Console, stdin: TextIO | None = None, out: TextIO | None = None):
        self.console, self.out = console, out or sys.stderr
        self.lines = Lines(stdin or sys.stdin)
        self._stop = threading.Event()
        self._threads = [
            threading.Thread(target=work, name="attendant", daemon=True) for work in (self._serve, self._take)
        ]

    def __enter__(self) -> Attendant:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        with PENDING_CHANGED:
            PENDING_CHANGED.notify_all()

    def _serve(self) -> None:
        shown: set[int] = set()
        while not self._stop.is_set():
            with PENDING_CHANGED:
                waiting = [entry for entry in PENDING.values() if id(entry) not in shown]
                if not waiting:
                    PENDING_CHANGED.wait(0.5)
                    continue
            entry = waiting[0]
            shown.add(id(entry))
            self._attend(entry)

    def _take(self) -> None:
        """Takes what `reprolab answer` hands over, of every question that waits, shown or not."""
        while not self._stop.wait(LOOK_S):
            for entry in list(PENDING.values()):
                text = handed_over(entry.run_dir, entry.question)
                if text is None:
                    continue
                try:
                    self._offer(entry, text)
                except InputError as error:
                    self._print(str(error))

    def _offer(self, entry: Pending, text: str) -> None:
        answer = parse_answer(entry.question, text, "terminal")
        entry.offered = {"choice": answer.choice, "text": answer.text}
        self._resume(entry, entry.offered)

    def _attend(self, entry: Pending) -> None:
        self._print(
            question_text(
                entry.question,
                entry.run_dir,
                entry.problem,
                f"(or answer in the browser: {page_of(entry.flow_run_id)})\n",
            ),
            end="",
        )
        while self._still_open(entry):
            text = read_answer(self.lines, entry.question, lambda: self._still_open(entry))
            if text is None:
                if self.lines.ended and self._still_open(entry):
                    command = answer_command(entry.run_dir, entry.question, living=True)
                    self._print(
                        f"(no more input; answer with {command}, in the Prefect page, or resume later)"
                    )
                    while self._still_open(entry):
                        time.sleep(0.3)
                elif not self._still_open(entry):
                    self._too_late(entry)
                return
            try:
                self._offer(entry, text)
            except InputError as error:
                self._print(f"{error}\n> ", end="")
                continue
            return

    def _resume(self, entry: Pending, values: dict[str, str]) -> None:
        """Resume the paused run; the pause may not have reached the server yet, and SQLite may be busy."""
        for _ in range(240):
            try:
                resume_flow_run(UUID(entry.flow_run_id), run_input=values)
                return
            except Exception as error:  # noqa: BLE001  not paused yet, or a passing server error: try again
                last = error
                if self._stop.wait(0.25) or not self._still_open(entry):
                    if entry.answered_by == "web":
                        self._too_late(entry)
                    return
        self._print(f"could not hand the answer over: {last}")

    def _too_late(self, entry: Pending) -> None:
        """Somebody was first; what they said is what the run goes on with."""
        if entry.taken and entry.answered_by == "web":
            self._print(f"(already answered in the browser: {': '.join(filter(None, entry.taken.values()))})")

    def _still_open(self, entry: Pending) -> bool:
        return PENDING.get(entry.question.question_id) is entry and not self._stop.is_set()

    def _print(self, text: str, end: str = "\n") -> None:
        show(text, end=end, file=self.out, flush=True)
