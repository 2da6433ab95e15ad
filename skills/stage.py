"""What the stages after the search share: the run's folder, its settings, and errors in words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from schemas.errors import ReproLabError
from schemas.explore.reviewing import Venue
from schemas.explore.settings import ExploreSettings
from skills import kit
from tasks.explore.review.venues import load_venue, settings_of


@dataclass(frozen=True)
class StageRun:
    """The run a stage works for."""

    run_dir: Path
    settings: ExploreSettings

    def venue(self, name: str = "") -> Venue:
        """That venue, or the run's."""
        return load_venue(name or self.settings.venue)


@contextmanager
def stage_of(ctx: kit.Call) -> Iterator[StageRun]:
    """The run of a call; what goes wrong inside becomes a tool error. Raises ToolError for a call without a run."""
    found = kit.context(ctx).run_dir
    if not found or not Path(found).is_dir():
        raise kit.ToolError("this tool works on the folder of a run, and the call came without one")
    try:
        yield StageRun(Path(found), settings_of(Path(found)))
    except ReproLabError as error:
        raise kit.ToolError(error.text()) from None
