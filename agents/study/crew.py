"""What the agents of a study share, and how one is declared."""

from __future__ import annotations

from agents.core.agent import Agent, Crew
from agents.study.roster import ROSTER
from schemas.core.base import Model

CREW = Crew(
    rules="study_rules",
    constants=lambda settings: {},
    limits=lambda settings: {},
    stable=("plan", "design", "questionnaire", "codebook"),
)


def declare(
    name: str, answer: type[Model], context: tuple[str, ...], *, prompt: str = "", sees_images: bool = False
) -> Agent:
    """An agent of the roster; its prompt has the agent's name unless given."""
    title, role = ROSTER[name]
    return Agent(CREW, name, title, prompt or name, answer, context, sees_images, role)
