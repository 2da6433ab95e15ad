"""SectionReviewerAgent: says what one section still needs."""

from __future__ import annotations

from agents.explore.crew import declare
from schemas.explore.paper import SectionReviewAnswer

AGENT = declare(
    "section_reviewer",
    SectionReviewAnswer,
    (
        "section",
        "asks",
        "venue",
        "numbers",
        "findings",
        "configurations",
        "figures",
        "references",
        "draft",
        "contradicted",
    ),
)
