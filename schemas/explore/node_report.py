"""What a node leaves for those who come after it: built by code when the node ends."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import Model
from schemas.explore.evaluation import Comparison
from schemas.explore.tree import Label, NodeStatus

ArtifactRole = Literal["source", "data_output", "log", "binary", "figure", "unknown"]


class FilesChanged(Model):
    """Paths in the work directory, against the parent's by sha256; each sorted."""

    added: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    inherited_unchanged: tuple[str, ...] = ()

    @property
    def nothing(self) -> bool:
        """The node changed nothing: it is sterile."""
        return not (self.added or self.modified or self.deleted)


class SelfAssessment(Model):
    """From the evaluator's axes: below 0.4 a concern."""

    succeeded: bool
    headline: str = ""
    concerns: tuple[str, ...] = ()


class Artifact(Model):
    """A file of the node's work directory."""

    path: str
    role: ArtifactRole
    sha256: str
    bytes: int


class NodeReport(Model):
    """node_report.json."""

    node_id: str
    parent_id: str | None = None
    depth: int = 0
    label: Label
    status: NodeStatus
    original_direction: str = ""
    files_changed: FilesChanged = Field(default_factory=FilesChanged)
    delta_vs_parent: Comparison | None = None
    has_real_data: bool = False
    self_assessment: SelfAssessment
    next_steps_hints: tuple[str, ...] = Field((), description="from axes scored 0.4 to 0.7")
    refused: tuple[str, ...] = Field((), description="numbers of this node that did not count, and why")
    build_command: str = ""
    run_command: str = ""
    artifacts: tuple[Artifact, ...] = ()
