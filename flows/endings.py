"""How a run can end, and a stage or a run before its time."""

from __future__ import annotations

from typing import NamedTuple

from schemas.errors import AwaitingAnswer
from schemas.interaction import Question
from schemas.state import ReproState


class End(NamedTuple):
    """Name of the flow run's state, and the exit code of the command that made the run."""

    name: str
    code: int


REPRODUCED = End("Completed", 0)
STOPPED = End("Stopped", 5)
OTHER_COURSE = End("OtherCourse", 6)
NOT_TESTED = End("NotTested", 12)
# Verdict -> end; a run that ended otherwise than "Reproduced" is never shown as completed.
ENDS = {"Reproduced": REPRODUCED, "Partly reproduced": End("Partial", 10), "Not reproduced": End("NotReproduced", 11)}


class RunStopped(Exception):
    """A person or a limit ended the run; a partial report follows."""


class WorkerFreed(AwaitingAnswer):
    """A question waits so long that the worker's place is given back; the flow run is suspended until the answer."""

    def __init__(self, question: Question, problem: str = "") -> None:
        super().__init__(f"waits for a person: {question.title}", fix="answer it on the page of the flow run")
        self.question, self.problem = question, problem


class StageAbandoned(Exception):
    """A person gave up on a stage; it counts as failed and the run goes on."""


def not_compared(state: ReproState) -> tuple[str, ...]:
    """Targets of the plan that nothing was compared with: their stage was given up, blocked or never run.

    Those of a material stage are not asked for: plans of earlier versions had some.
    """
    compared = {comparison.target_id for comparison in state.figure_comparisons}
    return tuple(t.target_id for stage, t in state.plan.targets() if t.target_id not in compared
                 and stage.stage_type != "MATERIAL_VALIDATION") if state.plan else ()
