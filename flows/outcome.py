"""What a finished run leaves behind, and how it ends: the state on Prefect's page and the terminal's exit code."""

from __future__ import annotations

from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed
from pydantic import Field

from flows.endings import ENDS, NOT_TESTED, OTHER_COURSE, REPRODUCED, STOPPED, End
from schemas.base import Model
from schemas.debugging import DebugSummary
from schemas.errors import AwaitingAnswer


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

    @property
    def end(self) -> End:
        """How the run ended; a debug run, which judges nothing, has only to come to its end."""
        if not self.complete:
            return STOPPED
        if self.diagnosis is not None:
            return REPRODUCED
        return OTHER_COURSE if self.unused_recordings else ENDS.get(self.verdict, NOT_TESTED)


def final_state(outcome: Outcome) -> State[Outcome]:
    """Completed where the paper was reproduced (or a debug run came to its end); else Failed under a name of its own."""
    if outcome.end is REPRODUCED:
        return Completed(message=outcome.line, data=outcome)
    return Failed(name=outcome.end.name, message=outcome.line, data=outcome)


def waiting_state(run_id: str, reason: AwaitingAnswer) -> State[Outcome]:
    """The end of a flow run whose question nobody answered, with the way to go on from the browser."""
    return Failed(name="Waiting", message=(
        f"{reason.what}. Nothing is lost: press Retry to be asked again; or start the deployment anew with {run_id} under "
        "'Continue a run' and the answer under 'Answers given beforehand'."))
