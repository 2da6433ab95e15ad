"""Venues as YAML (`tasks/explore/review/rubrics/*.yaml`), reviews by their rubric, and the merged report."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from schemas.base import Identifier, Model
from schemas.explore.paper import SECTIONS, SectionName

Verdict = Literal["reject", "borderline", "accept"]
STRICTNESS: tuple[Verdict, ...] = ("reject", "borderline", "accept")


class Scale(Model):
    """One scale of a rubric. anchors: what a score means, at least for both ends."""

    name: Identifier
    asks: str
    lowest: int
    highest: int
    anchors: dict[int, str]
    weight: float = Field(1.0, gt=0)

    @model_validator(mode="after")
    def _ends_are_explained(self) -> Scale:
        if self.lowest >= self.highest:
            raise ValueError(f"scale {self.name}: lowest {self.lowest} is not below highest {self.highest}")
        missing = {self.lowest, self.highest} - set(self.anchors)
        if missing or not all(self.lowest <= score <= self.highest for score in self.anchors):
            raise ValueError(
                f"scale {self.name}: anchors must explain {self.lowest} and {self.highest}, and none beyond"
            )
        return self

    def share(self, score: float) -> float:
        """The score as a share of the scale, 0 to 1."""
        return (score - self.lowest) / (self.highest - self.lowest)


class Venue(Model):
    """What a venue wants of a paper and how its reviewers judge."""

    venue: Identifier
    title: str
    kind: str = Field(description="half a sentence: what is published there")
    columns: Literal[1, 2] = 1
    most_pages: int | None = Field(None, ge=1)
    most_abstract_words: int | None = Field(None, ge=20)
    sections: tuple[SectionName, ...] = SECTIONS
    scales: tuple[Scale, ...] = Field(min_length=2)
    accept_at: float = Field(
        gt=0, lt=1, description="share of the weighted scales from which the verdict is accept"
    )
    borderline_at: float = Field(gt=0, lt=1)
    reviewers: int = Field(1, ge=1, le=9)
    guidance: str = Field("", description="what a reviewer of this venue looks at first")

    @model_validator(mode="after")
    def _thresholds_in_order(self) -> Venue:
        if self.borderline_at >= self.accept_at:
            raise ValueError(f"borderline_at {self.borderline_at} must be below accept_at {self.accept_at}")
        if len({scale.name for scale in self.scales}) != len(self.scales):
            raise ValueError("two scales have one name")
        return self


class ScaleScore(Model):
    """A score on one scale of the rubric, with its reason."""

    scale: Identifier
    score: int
    reason: str = Field(min_length=1)


class PaperReviewAnswer(Model):
    """What a reviewer returns. It sees the paper's text, no figures and no files."""

    summary: str
    strengths: tuple[str, ...]
    weaknesses: tuple[str, ...] = Field(min_length=1)
    questions: tuple[str, ...] = ()
    scores: tuple[ScaleScore, ...] = Field(description="each scale of the rubric once")
    recommendation: Verdict
    confidence: int = Field(ge=1, le=5)


class AreaChairAnswer(Model):
    """What the area chair makes of several reviews. The verdict may be stricter than the scores', never milder."""

    summary: str
    agreements: tuple[str, ...] = ()
    disagreements: tuple[str, ...] = ()
    decisive: str = Field(description="what decided")
    verdict: Verdict


class CitationCheck(Model):
    """By code: every citation is of a retrieved reference, and every number has its claim."""

    cited: int
    unknown: tuple[str, ...] = ()
    uncited_sections: tuple[str, ...] = Field((), description="sections that should cite and do not")

    @property
    def ok(self) -> bool:
        """No citation of anything that was not retrieved, and some citation."""
        return not self.unknown and self.cited > 0


class ReviewReport(Model):
    """`review_report.json`. score: weighted share of the scales, the median over reviewers, 0 to 1; by code, as the verdict."""

    venue: Identifier
    paper_sha256: str
    score: float = Field(ge=0, le=1)
    spread: float = Field(0.0, ge=0, description="largest minus smallest reviewer's score")
    per_scale: dict[str, float] = Field(description="median score of each scale")
    verdict: Verdict
    citation_ok: bool
    citations: CitationCheck
    feedback: tuple[str, ...] = Field(description="weaknesses and questions, each once")
    ensemble_reviews: tuple[PaperReviewAnswer, ...]
    meta_review: AreaChairAnswer | None = None
    vlm_figure_review: dict[str, Any] | None = Field(
        None, description="attached by merge_reviews; no part of the score"
    )
