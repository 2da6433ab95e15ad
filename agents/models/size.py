"""How large a request is, in tokens: what the server counts, or an estimate where it does not count."""

from __future__ import annotations

from agents.models.wire import system_text, user_text
from schemas.transcript import AgentRequest

# English prose and code take 3.5 to 4 characters a token; the lower end errs on the safe side.
CHARACTERS_PER_TOKEN = 3.5
# A picture at the largest size sent (1568 pixels on the long edge) counts about this much.
TOKENS_PER_IMAGE = 1600


def estimate_tokens(request: AgentRequest) -> int:
    """Tokens of a request estimated from its characters and pictures; 10 to 20 % too many rather than too few."""
    characters = len(system_text(request)) + len(user_text(request)) + len(str(request.answer_schema))
    return int(characters / CHARACTERS_PER_TOKEN) + TOKENS_PER_IMAGE * len(request.images)
