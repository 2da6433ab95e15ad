"""What a finished study leaves behind, and how it ends."""

from __future__ import annotations

from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed
from pydantic import Field

from flows.run.endings import DONE, OTHER_COURSE, STOPPED, End, left_over
from schemas.base import Model

OBJECTED, REJECTED = End("Objected", 10), End("Rejected", 11)


class Outcome(Model):
    """What a finished study leaves behind. package: the folder artifacts/, '' where none was made."""

    study_id: str
    run_id: str
    folder: str
    report: str
    complete: bool
    package: str = ""
    mode: str = ""
    participants: int = 0
    results: tuple[str, ...] = ()
    objections: int = 0
    rejections: int = 0
    stop_reason: str = ""
    unused_recordings: tuple[str, ...] = ()
    address: str = Field("", description="of the report, where a server of `reprolab up` shows it")

    @property
    def line(self) -> str:
        """The end in one line."""
        who = f"{self.participants} {'simulated ' if self.mode == 'A' else ''}participants"
        there = f"; in a browser {self.address}" if self.address else ""
        if not self.complete:
            return f"stopped ({self.stop_reason}); {self.report}{there}"
        more = f"; {self.objections} serious objections of the reviewers stay open" if self.objections else ""
        if self.rejections:
            more = f"; not accepted: {self.rejections} of the reviewers reject it{more}"
        more += left_over(self.unused_recordings)
        return f"studied: {who}, {len(self.results)} tests{more}; {self.package}{there}"

    @property
    def end(self) -> End:
        """How the run ended."""
        if not self.complete:
            return STOPPED
        if self.rejections:
            return REJECTED
        if self.objections:
            return OBJECTED
        return OTHER_COURSE if self.unused_recordings else DONE


def final_state(outcome: Outcome) -> State[Outcome]:
    """Completed where nothing stays open; else Failed under a name of its own."""
    if outcome.end is DONE:
        return Completed(message=outcome.line, data=outcome)
    return Failed(name=outcome.end.name, message=outcome.line, data=outcome)
