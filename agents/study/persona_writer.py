"""PersonaWriterAgent: writes a portrait of a simulated participant from drawn attributes.

Sees neither plan nor conditions.
"""

from __future__ import annotations

from agents.study.crew import declare
from schemas.study.answers import PortraitAnswer

AGENT = declare("persona_writer", PortraitAnswer, ("attributes", "domain", "language"))
