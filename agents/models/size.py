"""How large a request is, in tokens: what the server counts, or an estimate where it does not count."""

from __future__ import annotations

import json

from agents.models.wire import system_text, user_text
from schemas.talking.transcript import AgentRequest
from schemas.talking.turns import PastTurn

# English prose and code take 3.5 to 4 characters a token; the lower end errs on the safe side.
CHARACTERS_PER_TOKEN = 3.5
# A picture at the largest size sent (1568 pixels on the long edge) counts about this much.
TOKENS_PER_IMAGE = 1600
# What a call and its result weigh beside their text: ids, names, tags.
_TOKENS_PER_CALL = 50


def estimate_tokens(request: AgentRequest) -> int:
    """Tokens of a request estimated from its characters and pictures; 10 to 20 % too many rather than too few."""
    characters = len(system_text(request)) + len(user_text(request))
    characters += (
        sum(len(tool.name) + len(tool.description) + len(str(tool.input_schema)) for tool in request.tools)
        if request.tools
        else len(str(request.answer_schema))
    )
    return (
        int(characters / CHARACTERS_PER_TOKEN)
        + TOKENS_PER_IMAGE * len(request.images)
        + sum(turn_tokens(turn) for turn in request.turns)
    )


def turn_tokens(turn: PastTurn) -> int:
    """Tokens of a past turn: words, thinking, calls, results and their pictures."""
    said = turn.said
    characters = max(len(said.text), sum(len(block.text) + len(block.signature) for block in said.echo))
    characters += sum(len(json.dumps(call.arguments, ensure_ascii=False)) for call in said.calls)
    characters += sum(len(result.text) for result in turn.results)
    pictures = sum(len(result.images) for result in turn.results)
    return (
        int(characters / CHARACTERS_PER_TOKEN)
        + TOKENS_PER_IMAGE * pictures
        + _TOKENS_PER_CALL * max(1, len(said.calls))
    )
