"""Scores a node's axes, with reasons; the numbers were measured by code."""

from __future__ import annotations

from agents.explore.crew import declare
from schemas.explore.evaluation import EvaluationAnswer

AGENT = declare(
    "node_evaluator",
    EvaluationAnswer,
    ("goal", "idea", "axes", "task", "direction", "measured", "comparison", "refused", "summary", "files"),
)
