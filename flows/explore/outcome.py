"""What a finished exploration leaves behind, and how it ends."""

from __future__ import annotations

from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed
from pydantic import Field

from flows.run.endings import DONE, OTHER_COURSE, STOPPED, End, left_over
from schemas.base import Model

INCOMPLETE = End("Incomplete", 10)
NOTHING = End("NothingMeasured", 11)


class Outcome(Model):
    """What a finished exploration leaves behind."""

    goal_id: str
    run_id: str
    report: str
    complete: bool
    nodes: int
    working: int
    best: str = ""
    best_words: str = ""
    paper: str = ""
    grade: str = ""
    failed_stages: tuple[str, ...] = ()
    stop_reason: str = ""
    unused_recordings: tuple[str, ...] = ()
    address: str = Field("", description="of the report, where a server of `reprolab up` shows it")
    sub_runs: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The end in one line."""
        best = f", best {self.best}: {self.best_words}" if self.best else ""
        found = f"{self.working} of {self.nodes} nodes measured{best}"
        said = f"stopped ({self.stop_reason})" if not self.complete else "explored"
        more = f"; stages that failed: {', '.join(self.failed_stages)}" if self.failed_stages else ""
        more += left_over(self.unused_recordings)
        there = f"; in a browser {self.address}" if self.address else ""
        return (
            f"{said}: {found}{more}; {'grade ' + self.grade + '; ' if self.grade else ''}{self.report}{there}"
        )

    @property
    def end(self) -> End:
        """How the run ended."""
        if not self.complete:
            return STOPPED
        if not self.working:
            return NOTHING
        if self.failed_stages:
            return INCOMPLETE
        return OTHER_COURSE if self.unused_recordings else DONE


def final_state(outcome: Outcome) -> State[Outcome]:
    """Completed where every stage was done; else Failed under a name of its own."""
    if outcome.end is DONE:
        return Completed(message=outcome.line, data=outcome)
    return Failed(name=outcome.end.name, message=outcome.line, data=outcome)
