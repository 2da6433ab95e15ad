"""PersonaExperienceAgent: lives through the conditions as one simulated participant.

conditions: in the order met. Sees neither plan, questions nor other participants.
"""

from __future__ import annotations

from agents.study.crew import declare
from schemas.study.answers import ExperienceAnswer

AGENT = declare(
    "persona_experience",
    ExperienceAnswer,
    (
        "attributes",
        "portrait",
        "context",
        "conditions",
        "procedure",
        "language",
    ),
)
