"""How a run can end, and a stage or a run before its time."""

from __future__ import annotations

import logging
from typing import NamedTuple
from uuid import UUID

from schemas.errors import AwaitingAnswer, ReproLabError
from schemas.talking.interaction import Question


class End(NamedTuple):
    """Name of the flow run's state, and the exit code of the command that made the run."""

    name: str
    code: int


DONE = End("Completed", 0)
STOPPED = End("Stopped", 5)
OTHER_COURSE = End("OtherCourse", 6)


def left_over(unused: tuple[str, ...]) -> str:
    """Where a replay left the recorded course, for the end of a line: what it first did not come to; '' where it kept to it."""
    if not unused:
        return ""
    return f"; another course than recorded: {len(unused)} recorded answers were not used, first {unused[0]}"


_NO_EXCEPTION = "Unexpected result for failed state"  # Prefect's, of a failed state whose data are an outcome


class ExpectedEnd(Exception):
    """What a regression came to that is not its best end: the data of a failed state, raised by Prefect in this process."""

    def __init__(self, line: str, outcome: object) -> None:
        super().__init__(line)
        self.outcome = outcome

    def __reduce__(self) -> tuple[object, ...]:
        return (ExpectedEnd, (str(self), self.outcome))


class _NoTraceback(logging.Filter):
    """An expected end is in the log already, and a ReproLabError says all that a person needs."""

    def filter(self, record: logging.LogRecord) -> bool:
        """False for a line about an expected end; an error of ours loses its traceback."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, ReproLabError):
            record.msg, record.args, record.exc_info, record.exc_text = str(error), (), None, None
        return not (isinstance(error, ExpectedEnd) or str(error).startswith(_NO_EXCEPTION))


# Prefect logs a traceback of every failed state's exception, also of one that refuses a flow's parameters: so from the import on.
for _name in ("prefect.engine", "prefect.flow_runs"):
    logging.getLogger(_name).addFilter(_NoTraceback())


class RunStopped(Exception):
    """A person or a limit ended the run; a partial report follows."""


class WorkerFreed(AwaitingAnswer):
    """A question waits so long that the worker's place is given back; the flow run is suspended until the answer.

    task_run, flow_run: Prefect's ids of the task that asked and of the flow run it is in, a stage's maybe; this ends both. None
    where no task asked.
    """

    def __init__(
        self,
        question: Question,
        problem: str = "",
        task_run: UUID | None = None,
        flow_run: UUID | None = None,
    ) -> None:
        super().__init__(f"waits for a person: {question.title}", fix="answer it on the page of the flow run")
        self.question, self.problem, self.task_run, self.flow_run = question, problem, task_run, flow_run


class StageAbandoned(Exception):
    """A person gave up on a stage; it counts as failed and the run goes on."""
