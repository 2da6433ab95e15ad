"""Reading a finished message: its text, what it cost, and whether it is an answer at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from anthropic.types import Message

from schemas.transcript import Usage

Fault = Literal["cut off", "refused", "empty", "context full"]


@dataclass(frozen=True)
class Outcome:
    """text: all text blocks joined. fault: why it cannot be an answer, with `detail` for people and the model."""

    text: str
    usage: Usage
    model: str
    fault: Fault | None = None
    detail: str = ""


def outcome_of(message: Message, max_tokens: int, hide: Callable[[str], str] = str) -> Outcome:
    """What came back, from the message's stop_reason and blocks. hide: takes out what a server must not repeat."""
    text = hide("".join(str(getattr(block, "text", "") or "") for block in message.content or () if block.type == "text"))
    usage, model = usage_of(message), hide(str(message.model or ""))
    if message.stop_reason == "max_tokens":
        return Outcome(text, usage, model, "cut off", f"answer: cut off at {max_tokens} tokens; allowed: a complete "
                       "JSON object; write more concisely")
    if message.stop_reason == "refusal":
        return Outcome(text, usage, model, "refused", f"answer: the model refused{hide(_refusal(message))}")
    if message.stop_reason == "model_context_window_exceeded":
        return Outcome(text, usage, model, "context full", "answer: request and answer exceed the model's context")
    if not text.strip():
        return Outcome(text, usage, model, "empty", "answer: empty; allowed: one JSON object")
    return Outcome(text, usage, model)


def usage_of(message: Message) -> Usage:
    """Token counts; None where the server gives none (compatible servers leave some out)."""
    counted = message.usage

    def count(name: str) -> int | None:
        value: Any = getattr(counted, name, None)
        return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None

    return Usage(input_tokens=count("input_tokens"), output_tokens=count("output_tokens"),
                 cache_read_tokens=count("cache_read_input_tokens"),
                 cache_write_tokens=count("cache_creation_input_tokens"))


def _refusal(message: Message) -> str:
    details = getattr(message, "stop_details", None)
    category, explanation = getattr(details, "category", None), getattr(details, "explanation", None)
    said = ", ".join(str(part) for part in (category, explanation) if part)
    return f" ({said[:300]})" if said else ""
