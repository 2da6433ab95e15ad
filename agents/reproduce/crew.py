"""What the agents share, and how one is declared."""

from __future__ import annotations

from agents.reproduce.constants import limit_constants, prompt_constants
from agents.reproduce.roster import ROSTER
from agents.talking.agent import Agent, Crew
from schemas.base import Model

CREW = Crew(
    rules="global_rules",
    constants=prompt_constants,
    limits=lambda settings: limit_constants(settings.limits),
    stable=("paper_text", "supplementary_text"),
    unkeyed=frozenset({"runtime_budget"}),
)


def declare(
    name: str, answer: type[Model], context: tuple[str, ...], *, prompt: str = "", sees_images: bool = False
) -> Agent:
    """An agent of the roster; its prompt has the agent's name unless given."""
    title, role = ROSTER[name]
    return Agent(CREW, name, title, prompt or name, answer, context, sees_images, role)
