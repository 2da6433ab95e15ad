"""PaperReviewerAgent: reviews the paper's text by the venue's rubric."""

from __future__ import annotations

from agents.explore.crew import declare
from schemas.explore.reviewing import PaperReviewAnswer

AGENT = declare(
    "paper_reviewer",
    PaperReviewAnswer,
    (
        "venue",
        "scales",
        "paper",
        "reviewer",
        "faults",
    ),
)
