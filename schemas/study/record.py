"""run.json of a study: what it was started with; enough to resume it."""

from __future__ import annotations

from typing import Literal

from schemas.base import Identifier, Model
from schemas.study.settings import StudySettings


class StudyRecord(Model):
    """input: path as it was given. workspace: the folder of the project."""

    workflow: Literal["study"] = "study"
    run_id: Identifier
    input: str
    study_id: Identifier
    workspace: str
    settings: StudySettings
    started: str
    command: str = ""
    started_by: str = ""
