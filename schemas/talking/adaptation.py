"""Adaptations of prompts to one paper."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from schemas.base import Identifier, Model

CONFIDENCE_NEEDED: dict[str, float] = {"append": 0.6, "modify": 0.8, "disable": 0.9}


class PromptAdaptation(Model):
    """One change to one agent's prompt."""

    adaptation_id: Identifier
    target_agent: str
    modification_type: Literal["append", "modify", "disable"]
    section: str = Field(description="heading of the section of the target prompt")
    original_content: str = Field("", description="text to replace (modify) or to disable; verbatim")
    content: str = ""
    confidence: float = Field(description="0 to 1; append above 0.6, modify above 0.8, disable above 0.9")
    reason: str


class AdaptationAnswer(Model):
    """What the prompt adaptor returns."""

    domain: str
    materials: tuple[str, ...]
    techniques: tuple[str, ...]
    adaptations: tuple[PromptAdaptation, ...]
    warnings: tuple[str, ...] = ()
    domain_analysis: str = Field(
        "", description="two or three sentences: what kind of problem this is, and what is unusual"
    )


class AdaptationRecord(Model):
    """An adaptation and what became of it."""

    adaptation: PromptAdaptation
    applied: bool
    note: str = ""
    base_digest: str = Field("", description="digest of the base prompt it was written for")


class AdaptationEffect(Model):
    """What one applied adaptation made of its agent's prompt, the earlier ones applied; digests of the text, before results are
    masked for the blind."""

    adaptation_id: Identifier
    agent: str
    digest_before: str
    digest_after: str
    characters: int = Field(description="how much longer (shorter, if negative) the prompt became")


class AdaptationAnalysis(Model):
    """What the prompt adaptor made of the paper, and what came of it."""

    domain: str
    domain_analysis: str = ""
    materials: tuple[str, ...] = ()
    techniques: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    effects: tuple[AdaptationEffect, ...] = ()
