"""How a run can end, and a stage or a run before its time."""

from __future__ import annotations

from typing import NamedTuple

from schemas.core.errors import AwaitingAnswer
from schemas.core.interaction import Question


class End(NamedTuple):
    """Name of the flow run's state, and the exit code of the command that made the run."""

    name: str
    code: int


DONE = End("Completed", 0)
STOPPED = End("Stopped", 5)
OTHER_COURSE = End("OtherCourse", 6)


class RunStopped(Exception):
    """A person or a limit ended the run; a partial report follows."""


class WorkerFreed(AwaitingAnswer):
    """A question waits so long that the worker's place is given back; the flow run is suspended until the answer."""

    def __init__(self, question: Question, problem: str = "") -> None:
        super().__init__(f"waits for a person: {question.title}", fix="answer it on the page of the flow run")
        self.question, self.problem = question, problem


class StageAbandoned(Exception):
    """A person gave up on a stage; it counts as failed and the run goes on."""
