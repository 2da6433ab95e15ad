"""Proposes experiments from one point of view."""

from __future__ import annotations

from agents.explore.crew import declare
from schemas.explore.deliberation import IdeaPersonaAnswer

AGENT = declare(
    "idea_persona",
    IdeaPersonaAnswer,
    ("goal", "metric", "files", "references", "known_ideas", "persona", "round", "proposals", "criticisms"),
)
