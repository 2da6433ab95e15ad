"""AnalystAgent: says in words what the experiments did and found; all numbers are placeholders."""

from __future__ import annotations

from agents.explore.crew import declare
from schemas.explore.science_data import AnalystAnswer

AGENT = declare(
    "analyst",
    AnalystAnswer,
    (
        "question",
        "metric",
        "numbers",
        "nodes",
        "programs",
        "programs_left_out",
        "warning",
        "draft",
        "faults",
    ),
)
