"""FigureMakerAgent: draws the paper's figures from the data as code."""

from __future__ import annotations

from agents.explore.crew import declare
from schemas.explore.figures import FigureMakerAnswer

AGENT = declare(
    "figure_maker",
    FigureMakerAnswer,
    (
        "question",
        "data_guide",
        "numbers",
        "configurations",
        "findings",
        "previous",
        "feedback",
        "faults",
    ),
    sees_images=True,
)
