"""Grades the leaves of a rubric that state no number; those that do are measured by code."""

from __future__ import annotations

from agents.explore.crew import declare
from schemas.explore.grade import LeafGraderAnswer

AGENT = declare(
    "leaf_grader", LeafGraderAnswer, ("paper_text", "files", "other_files", "log", "outcome", "leaves")
)
