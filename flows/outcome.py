"""What a finished run leaves behind, and the state in which its flow run ends on Prefect's page."""

from __future__ import annotations

from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed
from pydantic import Field

from schemas.base import Model
from schemas.debugging import DebugSummary

# Verdict -> name of the state; a run that ended otherwise than "Reproduced" is never shown as completed.
_NAMES = {"Partly reproduced": "Partial", "Not reproduced": "NotReproduced"}


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
    diagnosis: DebugSummary | None = Field(None, description="of a debug run, which judges nothing")

    @property
    def line(self) -> str:
        """The end in one line: verdict, counts, report."""
        if self.diagnosis is not None:
            return f"diagnosis, nothing judged; report {self.html}"
        compared = self.success + self.partial + self.failure
        counts = f"{self.success} of {compared} SUCCESS, {self.partial} PARTIAL, {self.failure} FAILURE"
        said = self.verdict or "no verdict"
        if not self.complete:
            said = f"stopped ({self.stop_reason or 'the plan did not come to its end'})"
        unused = f"; {len(self.unused_recordings)} recorded answers were not used" if self.unused_recordings else ""
        return f"{said}: {counts}{unused}; report {self.html}"


def final_state(outcome: Outcome) -> State[Outcome]:
    """Completed where the paper was reproduced (or a debug run came to its end); else Failed under a name of its own."""
    good = outcome.diagnosis is not None or (outcome.verdict == "Reproduced" and not outcome.unused_recordings)
    if outcome.complete and good:
        return Completed(message=outcome.line, data=outcome)
    name = _NAMES.get(outcome.verdict, "NotTested") if outcome.complete else "Stopped"
    if outcome.complete and outcome.verdict == "Reproduced":
        name = "OtherCourse"
    return Failed(name=name, message=outcome.line, data=outcome)
