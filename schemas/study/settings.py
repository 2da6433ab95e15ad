"""What a user may set about a study, beside what any workflow has: model, caps on money, tokens and time."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from schemas.literature.retrieval import RetrievalSettings
from schemas.run.settings import CoreSettings
from schemas.study.pipeline import PipelineMode

Framework = Literal["frequentist", "bayesian", "both"]
Paradigm = Literal["quantitative", "qualitative", "mixed"]
Checkpoint = Literal["after_scope", "after_design", "before_package"]


class StudySettings(CoreSettings):
    """Settings of one study. Source: the specification's configuration, with limits."""

    mode: PipelineMode | None = Field(
        None, description="A: simulated participants, B: real data; by default as the input says"
    )
    workspace: Path | None = Field(
        None, description="folder of projects, one folder each; by default the run's own"
    )
    domain: str = Field(
        "", max_length=200, description="hint at the field of research, such as voice interfaces"
    )
    venue: str = Field(
        "", max_length=60, description="venue whose format and criteria count, such as CHI or CSCW"
    )
    framework: Framework = Field("frequentist", description="statistical framework")
    participants: int = Field(30, ge=2, le=1000, description="simulated participants at most (mode A)")
    paradigm: Paradigm = Field("quantitative", description="research paradigm")
    language: str = Field(
        "en", pattern=r"^[a-z]{2}(-[A-Z]{2})?$", description="language of the paper (en, de, pt-BR)"
    )
    allow_rows: bool = Field(
        False, description="rows of the data may be sent to models; otherwise only a profile without rows"
    )
    checkpoints: tuple[Checkpoint, ...] = Field(
        ("after_scope", "after_design", "before_package"), description="where the run waits for a person"
    )
    parallel: int = Field(4, ge=1, le=32, description="nodes at the same time")
    revisions: int = Field(2, ge=0, le=5, description="times the review may send work back")
    retrieval: RetrievalSettings = Field(
        default_factory=RetrievalSettings,
        description="where literature is looked for (docs/guide/literature.md)",
    )
    seed: int = Field(
        1, ge=0, description="draws the attributes of simulated participants and all resampling"
    )
