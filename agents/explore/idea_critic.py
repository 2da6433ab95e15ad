"""Criticises every proposal."""

from __future__ import annotations

from agents.explore.crew import declare
from schemas.explore.deliberation import IdeaCriticAnswer

AGENT = declare(
    "idea_critic", IdeaCriticAnswer, ("goal", "metric", "files", "references", "known_ideas", "proposals")
)
