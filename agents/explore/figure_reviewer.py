"""Looks at a figure or a table as a referee would."""

from __future__ import annotations

from agents.explore.crew import declare
from schemas.explore.asked_by_skills import FigureReviewAnswer

AGENT = declare(
    "figure_reviewer", FigureReviewAnswer, ("caption", "kind", "table", "context"), sees_images=True
)
