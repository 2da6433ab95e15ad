"""pipeline.json: all that a study needs to go on from where it stopped."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import AwareDatetime, Field

from schemas.base import Model
from schemas.study.artifacts import Artifact
from schemas.study.graph import NodeId, PhaseNode, PhaseStatus

ProjectId = Annotated[
    str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,59}$", description="small letters, digits, - and _")
]


class PipelineMode(StrEnum):
    """Who takes part."""

    SIMULATED = "A"
    REAL_DATA = "B"


class InputType(StrEnum):
    """What a user hands in."""

    TOPIC = "topic"
    RESEARCH_QUESTION = "research_question"
    DATASET = "dataset"


class PipelineState(Model):
    """The state of one study. nodes: all nodes, parts included; artifacts: as they are expected or were written."""

    project_id: ProjectId
    mode: PipelineMode
    input_type: InputType
    created_at: AwareDatetime
    updated_at: AwareDatetime
    nodes: tuple[PhaseNode, ...] = ()
    artifacts: tuple[Artifact, ...] = ()


class PhaseStatusFile(Model):
    """status.json of a phase: where it and its parts stand."""

    phase: NodeId
    status: PhaseStatus
    updated_at: AwareDatetime
    error: str = ""
    parts: dict[str, PhaseStatus] = {}
