"""The record of a run as it lies in its folder, and the run that a person means."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from flows.run.records import find_record
from schemas.base import Model
from schemas.errors import InputError
from schemas.reading.handed import kept_model
from schemas.reproduce.settings import RunSettings
from schemas.run.pasted import typed
from tasks.files.checkpoints import when


class Origin(Model):
    """A checkpoint that a run began from: another run's, or one of its own that it was taken back to."""

    run_id: str
    checkpoint: str
    timestamp: str

    def words(self, run_id: str) -> str:
        """For people, in the report of run `run_id`."""
        where = f"checkpoint {self.checkpoint} ({when(self.timestamp)} UTC)"
        if self.run_id == run_id:
            return f"taken back to its {where}; what had come after it is put aside and stays on the bill"
        return (
            f"forked from run {self.run_id} at {where}; answers up to there are that run's, and on its bill"
        )


class RunRecord(Model):
    """run.json: what a run was started with; enough to resume it."""

    workflow: Literal["reproduce"] = "reproduce"
    run_id: str
    paper: str
    paper_id: str
    settings: RunSettings
    started: str
    command: str = ""
    started_by: str = ""
    origins: tuple[Origin, ...] = Field(
        (), description="oldest first; prior.jsonl is the record up to the last"
    )

    @property
    def generation(self) -> int:
        """1, and one more for each time the run was taken back."""
        return 1 + sum(origin.run_id == self.run_id for origin in self.origins)


def find_run(outputs: Path, run_id: str) -> Path:
    """The directory of a run by its id, `latest` (the newest that is no debug run), or a unique beginning of an id."""
    return find_record(outputs, run_id, workflow="reproduce", last=_is_debug)


def _is_debug(run_dir: Path) -> bool:
    """Whether a run is a debug run, which is never the latest while there is another."""
    try:
        return read_record(run_dir).settings.debug_mode
    except InputError:
        return False


def read_record(run_dir: Path) -> RunRecord:
    """run.json of a run."""
    return kept_model(
        run_dir / "run.json",
        RunRecord,
        "the run's record",
        fix=f"`{typed('status', outputs=run_dir.parents[1])}` lists the runs",
    )
