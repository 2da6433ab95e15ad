"""The questions that wait in this process: for the terminal's attendant, and for the overview of the run."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from schemas.talking.interaction import Question


@dataclass
class Pending:
    """A question that waits, and the paused flow run that its answer resumes.

    offered: choice and text that the terminal sent; taken: those that the run goes on with, whoever was first; person: who said
    so, where the server knows.
    """

    question: Question
    flow_run_id: str
    run_dir: Path
    problem: str = ""
    offered: dict[str, str] = field(default_factory=dict)
    taken: dict[str, str] = field(default_factory=dict)
    person: str = ""

    @property
    def answered_by(self) -> Literal["terminal", "web"]:
        """Where the answer that was taken came from."""
        return "terminal" if self.offered and self.offered == self.taken else "web"


PENDING: dict[str, Pending] = {}
PENDING_CHANGED = threading.Condition()


@contextmanager
def announced(pending: Pending) -> Iterator[None]:
    """The terminal's attendant sees the question while it waits."""
    name = pending.question.question_id
    with PENDING_CHANGED:
        PENDING[name] = pending
        PENDING_CHANGED.notify_all()
    try:
        yield
    finally:
        with PENDING_CHANGED:
            PENDING.pop(name, None)
            PENDING_CHANGED.notify_all()
