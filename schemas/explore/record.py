"""run.json of an exploration: what it was started with; enough to resume it."""

from __future__ import annotations

from typing import Literal

from schemas.base import Identifier, Model
from schemas.explore.lineage import SubRunSeed
from schemas.explore.settings import ExploreSettings


class ExploreRecord(Model):
    """seed: what a run began with that a lineage decision of another started; part_of: that other run."""

    workflow: Literal["explore"] = "explore"
    run_id: Identifier
    goal: str
    goal_id: Identifier
    settings: ExploreSettings
    started: str
    command: str = ""
    started_by: str = ""
    seed: SubRunSeed | None = None
    part_of: str = ""
