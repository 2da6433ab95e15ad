"""ScopePlannerAgent: makes the research plan with hypotheses that data can contradict."""

from __future__ import annotations

from agents.study.crew import declare
from schemas.study.answers import ScopeAnswer

AGENT = declare(
    "scope_planner",
    ScopeAnswer,
    (
        "question",
        "domain",
        "paradigm",
        "venue",
        "data_profile",
        "notes",
        "literature",
        "plan",
        "issues",
        "faults",
    ),
)
