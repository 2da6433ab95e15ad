"""What a finished run leaves behind, and how it ends: the state on Prefect's page and the terminal's exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from flows.run.endings import DONE, OTHER_COURSE, STOPPED, End, left_over
from schemas.base import Model
from schemas.reproduce.simulations.debugging import DebugSummary
from schemas.reproduce.state import ReproState

if TYPE_CHECKING:  # `reprolab status` needs no Prefect
    from prefect.client.schemas.objects import State

NOT_TESTED = End("NotTested", 12)
# Verdict -> end; a run that ended otherwise than "Reproduced" is never shown as completed.
ENDS = {
    "Reproduced": DONE,
    "Partly reproduced": End("Partial", 10),
    "Not reproduced": End("NotReproduced", 11),
}


class Outcome(Model):
    """What a finished run leaves behind."""

    paper_id: str
    run_id: str
    report: str
    html: str
    complete: bool
    stop_reason: str = ""
    verdict: str = Field("", description="of the report's first page")
    reason: str = Field("", description="why it is that verdict")
    success: int
    partial: int
    failure: int
    unused_recordings: tuple[str, ...] = ()
    address: str = Field("", description="of the report, where a server of `reprolab up` shows it")
    diagnosis: DebugSummary | None = Field(None, description="of a debug run, which judges nothing")

    @property
    def line(self) -> str:
        """The end in one line: verdict, counts, report."""
        if self.diagnosis is not None:
            return f"diagnosis, nothing judged; report {self.html}{self._there}"
        compared = self.success + self.partial + self.failure
        counts = f"{self.success} of {compared} SUCCESS, {self.partial} PARTIAL, {self.failure} FAILURE"
        said = self.verdict or "no verdict"
        if not self.complete:
            said = f"stopped ({self.stop_reason or 'the plan did not come to its end'})"
        return f"{said}: {counts}{left_over(self.unused_recordings)}; report {self.html}{self._there}"

    @property
    def _there(self) -> str:
        return f"; in a browser {self.address}" if self.address else ""

    @property
    def end(self) -> End:
        """How the run ended; a debug run, which judges nothing, has only to come to its end."""
        if not self.complete:
            return STOPPED
        if self.diagnosis is not None:
            return DONE
        return OTHER_COURSE if self.unused_recordings else ENDS.get(self.verdict, NOT_TESTED)


def final_state(outcome: Outcome) -> State[Outcome]:
    """Completed where the paper was reproduced (or a debug run came to its end); else Failed under a name of its own."""
    from prefect.states import Completed, Failed

    if outcome.end is DONE:
        return Completed(message=outcome.line, data=outcome)
    return Failed(name=outcome.end.name, message=outcome.line, data=outcome)


def not_compared(state: ReproState) -> tuple[str, ...]:
    """Targets of the plan that nothing was compared with: their stage was given up, blocked or never run.

    Those of a material stage are not asked for: plans of earlier versions had some.
    """
    compared = {comparison.target_id for comparison in state.figure_comparisons}
    return (
        tuple(
            t.target_id
            for stage, t in state.plan.targets()
            if t.target_id not in compared and stage.stage_type != "MATERIAL_VALIDATION"
        )
        if state.plan
        else ()
    )
