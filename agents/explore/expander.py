"""Proposes one child of a node."""

from __future__ import annotations

from agents.explore.crew import declare
from schemas.explore.tree import ExpansionAnswer

AGENT = declare(
    "expander",
    ExpansionAnswer,
    ("goal", "metric", "idea", "parent", "parent_report", "siblings", "best", "labels", "duplicate"),
)
