"""PersonaResponderAgent: answers the questionnaire as one simulated participant.

conditions: names only, in the order met. Sees neither plan nor other participants.
"""

from __future__ import annotations

from agents.study.crew import declare
from schemas.study.answers import ResponseAnswer

AGENT = declare(
    "persona_responder",
    ResponseAnswer,
    (
        "attributes",
        "portrait",
        "context",
        "experience",
        "questionnaire",
        "conditions",
        "faults",
    ),
)
