"""What a server does not take, found out by its refusals: asked without from then on."""

from __future__ import annotations

from agents.models.errors import FatalModelError
from agents.models.messages.messages_errors import (
    refuses_choice,
    refuses_schema,
    refuses_temperature,
    refuses_thinking,
)
from schemas.talking.transcript import AgentRequest
from schemas.talking.turns import FINISH


class Lacking:
    """The refusals of one server so far. Safe to use from several threads."""

    def __init__(self) -> None:
        self._known: set[tuple[str, str, str]] = set()  # what, of which model, for what

    def has(self, what: str, request: AgentRequest) -> bool:
        """Whether `request` goes without: "schema" (held to by the server), "choice" (a forced call), "thinking",
        "temperature"."""
        return (what, request.model_name, _holds_for(what, request)) in self._known

    def give_way(self, request: AgentRequest, error: FatalModelError) -> str | None:
        """What is left out from now on because of `error`, in words; None where nothing can be."""
        forced = request.must_call or request.last
        tried = {
            "temperature": (
                "no temperature is sent",
                request.temperature is not None and refuses_temperature(error),
            ),
            "choice": ("that a tool is called is not demanded", forced and refuses_choice(error)),
            "thinking": (
                "the model is not given its thinking of earlier turns",
                bool(request.turns) and refuses_thinking(error),
            ),
            "schema": (
                "`finish` is not held to its schema by the server"
                if request.tools
                else "the server refuses structured output, so the schema is in the prompt",
                refuses_schema(error),
            ),
        }
        for what, (words, refused) in tried.items():
            if refused and not self.has(what, request):
                self._known.add((what, request.model_name, _holds_for(what, request)))
                return f"{words} ({error.found})"
        return None


def _holds_for(what: str, request: AgentRequest) -> str:
    """What a refusal holds for: one conversation's thinking, one answer's schema, any request to this model."""
    if what == "thinking":
        return request.position.conversation()
    if what == "schema":
        return " ".join(
            [
                request.answer_type,
                *(str(tool.input_schema.get("title")) for tool in request.tools if tool.name == FINISH),
            ]
        )
    return ""
