"""AreaChairAgent: weighs several reviews; never milder than their scores."""

from __future__ import annotations

from agents.explore.crew import declare
from schemas.explore.reviewing import AreaChairAnswer

AGENT = declare(
    "area_chair",
    AreaChairAnswer,
    (
        "venue",
        "scales",
        "paper",
        "reviews",
        "verdict_by_scores",
    ),
)
