"""What a run of a study knows beside its workspace, and who may write what."""

from __future__ import annotations

from pydantic import Field

from schemas.base import Identifier
from schemas.run.state import CoreState


class StudyState(CoreState):
    """The course of a run: costs, questions, why it stopped. The study itself is in its workspace (pipeline.json)."""

    study_id: Identifier
    current: str = Field("", description="the node at work")

    @property
    def subject_id(self) -> str:
        """The study's id."""
        return self.study_id

    @property
    def place(self) -> str:
        """The node at work."""
        return self.current.replace("/", "-") or "-"


StudyState.OWNERSHIP = {
    "begin": frozenset({"current"}),
    "merge_node": frozenset({"metrics", "runtime_used_s", "user_interactions", "stop_reason"}),
    "recall": frozenset({"metrics", "runtime_used_s"}),
    "ask_user": frozenset({"user_interactions", "pending_user_questions", "stop_reason"}),
    "account": frozenset({"metrics", "runtime_used_s", "stop_reason"}),
}
