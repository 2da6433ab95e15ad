"""Reading a finished message: its text, what it cost, and whether it is an answer at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from agents.models.messages.messages_stream import Received
from schemas.talking.transcript import Usage

Fault = Literal["cut off", "refused", "empty", "context full"]


@dataclass(frozen=True)
class MessageOutcome:
    """text: all text blocks joined. fault: why it cannot be an answer, with `detail` for people and the model.

    message: what came, for an answer that calls tools.
    """

    text: str
    usage: Usage
    model: str
    message: Received
    fault: Fault | None = None
    detail: str = ""


def outcome_of(
    message: Received, max_tokens: int, hide: Callable[[str], str] = str, whole: str = "JSON object"
) -> MessageOutcome:
    """What came back, from the message's stop_reason and blocks.

    hide: takes out what a server must not repeat. whole: what a complete answer is.
    """

    def outcome(fault: Fault | None = None, detail: str = "") -> MessageOutcome:
        return MessageOutcome(
            hide(message.text()), message.usage, hide(message.model), message, fault, detail
        )

    if message.stop_reason == "max_tokens":
        return outcome(
            "cut off",
            f"answer: cut off at {max_tokens} tokens; allowed: a complete {whole}; write more concisely",
        )
    if message.stop_reason == "refusal":
        return outcome("refused", f"answer: the model refused{hide(_refusal(message.stop_details))}")
    if message.stop_reason == "model_context_window_exceeded":
        return outcome("context full", "answer: request and answer exceed the model's context")
    if not message.text().strip() and not message.calls():
        return outcome("empty", f"answer: empty; allowed: one {whole}")
    return outcome()


def _refusal(details: Any) -> str:
    category, explanation = getattr(details, "category", None), getattr(details, "explanation", None)
    said = ", ".join(str(part) for part in (category, explanation) if part)
    return f" ({said[:300]})" if said else ""
