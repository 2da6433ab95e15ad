"""StudyReviewerAgent: reviews the paper by a venue's criteria and names the phase at fault."""

from __future__ import annotations

from agents.study.crew import declare
from schemas.study.answers import StudyReviewAnswer

AGENT = declare(
    "study_reviewer",
    StudyReviewAnswer,
    (
        "venue",
        "criteria",
        "plan",
        "design",
        "results",
        "paper",
        "reviewer",
        "faults",
    ),
)
