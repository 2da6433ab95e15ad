"""The paper of a study, its reviews and its package."""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime, Field

from schemas.base import Model
from schemas.study.artifacts import Artifact
from schemas.study.document import Document
from schemas.study.graph import PhaseType

SectionName = Literal[
    "abstract", "introduction", "related_work", "method", "results", "discussion", "conclusion"
]
SECTIONS: tuple[SectionName, ...] = (
    "abstract",
    "introduction",
    "related_work",
    "method",
    "results",
    "discussion",
    "conclusion",
)


class PaperSection(Model):
    """One section as Markdown with `{{name}}` in place of every result."""

    section: SectionName
    text: str = Field(min_length=40, max_length=40_000)


class StudyIssue(Model):
    """A problem a reviewer found. phase: which phase caused it; work goes back there."""

    severity: Literal["blocking", "major", "minor"]
    phase: PhaseType
    where: str = Field(max_length=300)
    problem: str = Field(max_length=2000)
    fix: str = Field("", max_length=2000)


class Criterion(Model):
    """One criterion of a venue. score: 1 (poor) to 5 (excellent)."""

    name: str = Field(max_length=100)
    score: int = Field(ge=1, le=5)
    reason: str = Field(max_length=1500)


class ReviewReport(Document):
    """A review of the paper against a venue's criteria."""

    venue: str = Field(max_length=60)
    criteria: tuple[Criterion, ...] = Field(min_length=1, max_length=15)
    issues: tuple[StudyIssue, ...] = Field((), max_length=40)
    recommendation: Literal["accept", "minor_revision", "major_revision", "reject"]
    summary: str = Field(max_length=6000)


class PackageManifest(Document):
    """What the final package holds. sources: artifact of the workspace each file was made from, by path in the package.

    content_sha256: SHA-256 of the lines "sha256  path" of all files, in order of paths, but of those that hold times (this one,
    manifest.json): the same for the same study, whenever it was made."""

    project_id: str
    mode: Literal["A", "B"]
    made_at: AwareDatetime
    files: tuple[Artifact, ...]
    sources: dict[str, str] = {}
    content_sha256: str = ""
