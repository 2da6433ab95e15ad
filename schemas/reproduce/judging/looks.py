"""Pictures compared by eye: what each agent saw, and the class that code makes of it; apart from all numbers."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import Identifier, Model

Seen = Literal["agree", "differs", "cannot_tell"]
VisualClass = Literal["PARTIAL", "FAILURE", "NOT_JUDGED"]


class LookReport(Model):
    """One agent's judgement of one look of a target."""

    name: Identifier
    verdict: Seen
    reason: str = Field(
        min_length=3, description="what is seen in the paper's picture and in the simulation's"
    )


class VisualReport(Model):
    """One agent's judgements of one target of kind image."""

    target_id: Identifier
    looks: tuple[LookReport, ...]


class PictureEvidence(Model):
    """The two pictures of an image target, and where the simulation's data come from."""

    target_id: Identifier
    figure_id: str
    paper: str | None = Field(None, description="picture of the figure, relative to the paper's folder")
    simulation: str | None = Field(
        None, description="picture that code drew from saved data, relative to the run's directory"
    )
    file: str | None = None
    sha256: str | None = None
    execution_id: str | None = None
    computed: bool = Field(
        False, description="the data come from executions of ours that ended well and ran Meep"
    )
    problems: tuple[str, ...] = ()


class LookJudged(Model):
    """One look: the plan's words, both judgements and the stricter of them."""

    name: Identifier
    kind: str
    expected: str
    tolerance: str = ""
    analyst: Seen = "cannot_tell"
    validator: Seen = "cannot_tell"
    verdict: Seen = "cannot_tell"
    reasons: tuple[str, ...] = ()


class VisualComparison(Model):
    """An image target as the report shows it. Never a SUCCESS, and counted apart from targets compared by number."""

    figure_id: str
    stage_id: Identifier
    target_id: Identifier
    description: str = ""
    classification: VisualClass
    looks: tuple[LookJudged, ...] = ()
    pictures: PictureEvidence
    reasons: tuple[str, ...] = ()
