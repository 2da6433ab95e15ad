"""What passes between phases: kinds of artifacts, their formats, and where each one lies."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import AwareDatetime, Field, model_validator

from schemas.base import Model
from schemas.study.graph import NodeId

_NAME = r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}"
RelativePath = Annotated[
    str, Field(pattern=rf"^{_NAME}(/{_NAME}){{0,7}}$", description="path in the workspace")
]


class ArtifactType(StrEnum):
    """Kinds of artifacts."""

    LITERATURE = "literature"
    REFERENCES = "references"
    RESEARCH_PLAN = "research_plan"
    STUDY_PROTOCOL = "study_protocol"
    QUESTIONNAIRE = "questionnaire"
    VARIABLES = "variables"
    PREREGISTRATION = "preregistration"
    PERSONA_PROFILE = "persona_profile"
    PERSONA_CONTEXT = "persona_context"
    PERSONA_EXPERIENCE = "persona_experience"
    PERSONA_RESPONSE = "persona_response"
    RAW_DATA = "raw_data"
    EXCLUSIONS = "exclusions"
    PREPARATION = "preparation"
    ANALYSIS_SCRIPT = "analysis_script"
    CODINGS = "codings"
    THEMES = "themes"
    RESULTS = "results"
    RESULTS_APA = "results_apa"
    FIGURE = "figure"
    PAPER_SECTION = "paper_section"
    PAPER_DRAFT = "paper_draft"
    REVIEW_REPORT = "review_report"
    FINAL_PACKAGE = "final_package"


class ArtifactFormat(StrEnum):
    """File formats, each also the file's ending."""

    JSON = "json"
    CSV = "csv"
    MD = "md"
    PDF = "pdf"
    PNG = "png"
    R = "r"
    PY = "py"
    TEX = "tex"
    BIB = "bib"


_TYPE, _FORMAT = ArtifactType, ArtifactFormat
FORMATS: dict[ArtifactType, tuple[ArtifactFormat, ...]] = {
    **{kind: (_FORMAT.JSON,) for kind in ArtifactType},
    _TYPE.REFERENCES: (_FORMAT.BIB,),
    _TYPE.PERSONA_CONTEXT: (_FORMAT.MD,),
    _TYPE.PERSONA_EXPERIENCE: (_FORMAT.MD,),
    _TYPE.RAW_DATA: (_FORMAT.CSV,),
    _TYPE.ANALYSIS_SCRIPT: (_FORMAT.PY, _FORMAT.R),
    _TYPE.PREREGISTRATION: (_FORMAT.MD,),
    _TYPE.RESULTS_APA: (_FORMAT.MD,),
    _TYPE.FIGURE: (_FORMAT.PNG, _FORMAT.PDF),
    _TYPE.PAPER_SECTION: (_FORMAT.MD, _FORMAT.TEX),
    _TYPE.PAPER_DRAFT: (_FORMAT.MD, _FORMAT.TEX, _FORMAT.PDF),
}
"""The formats each kind may have."""


class Artifact(Model):
    """A file that a node made.

    id: node's name and the artifact's, such as scope/research_plan. path: relative to the workspace.
    produced_by: the node. caption: of a figure. created_at, sha256, bytes: filled when it is written.
    """

    id: NodeId
    type: ArtifactType
    format: ArtifactFormat
    path: RelativePath
    produced_by: NodeId
    caption: str = Field("", max_length=2000)
    created_at: AwareDatetime | None = None
    sha256: str = ""
    bytes: int = Field(0, ge=0)

    @model_validator(mode="after")
    def _fits(self) -> Artifact:
        allowed = FORMATS[self.type]
        if self.format not in allowed:
            raise ValueError(f"{self.type} is {' or '.join(allowed)}, not {self.format}")
        if not self.path.lower().endswith("." + self.format):
            raise ValueError(
                f"the path of a {self.format} artifact ends in .{self.format}, found {self.path}"
            )
        return self


class Manifest(Model):
    """manifest.json: every artifact with producer, digest and time."""

    project_id: str
    mode: str
    artifacts: tuple[Artifact, ...] = ()

    @model_validator(mode="after")
    def _unique(self) -> Manifest:
        ids = [item.id for item in self.artifacts]
        if len(set(ids)) != len(ids):
            raise ValueError("an artifact is listed twice")
        return self
