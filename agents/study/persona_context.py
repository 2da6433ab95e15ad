"""PersonaContextAgent: writes the situation of a simulated participant.

Sees neither plan, conditions nor other participants.
"""

from __future__ import annotations

from agents.study.crew import declare
from schemas.study.answers import ContextAnswer

AGENT = declare("persona_context", ContextAnswer, ("attributes", "portrait", "setting", "language"))
