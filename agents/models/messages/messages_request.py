"""The body of a Messages API request: cached prefix first, then what changes, then pictures, then past turns."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from agents.models.images import image_blocks
from agents.models.messages.messages_tools import chained, tool_blocks, turn_messages
from agents.models.wire import (
    ANSWER_NOTE,
    DATA_NOTE,
    LAST_NOTE,
    TOOLS_NOTE,
    changing_context,
    request_line,
    stable_context,
    system_sections,
)
from schemas.talking.transcript import AgentRequest

_CACHED = {"type": "ephemeral"}
MAX_IMAGES = 100


@dataclass(frozen=True)
class Prompt:
    """System, tools and messages of one request, and notes on what could not be sent."""

    system: list[dict[str, Any]]
    messages: list[dict[str, Any]]
    notes: tuple[str, ...] = ()
    tools: list[dict[str, Any]] = field(default_factory=list)

    @property
    def user(self) -> list[dict[str, Any]]:
        """The blocks of the first message."""
        blocks: list[dict[str, Any]] = self.messages[0]["content"]
        return blocks

    def body(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
        """What of a request's body says what is asked, with `messages` in place of its own."""
        return {
            "messages": messages,
            **({"system": self.system} if self.system else {}),
            **({"tools": self.tools} if self.tools else {}),
        }

    def sent(self, messages: list[dict[str, Any]]) -> str:
        """The digest of all that is sent with `messages`: what the thinking of the answer will hold for."""
        return chained("", self.tools, self.system, *messages)


def prompt_of(request: AgentRequest, *, strict: bool = True, thinking: bool = True) -> Prompt:
    """The request as blocks. Cache breakpoints, three at most: after the global rules (shared by all agents), after
    the last stable system section (the agent's prompt), and after the stable context (the paper).

    The stable context stands before the `Request: <label>` line, because a line that changes with every call would
    make everything behind it uncacheable. Of a conversation with tools no part changes from turn to turn: breakpoints
    stand after tools and system, after the stable context, after the last message of the turn before and after the last
    message, so that each turn pays for its own part alone. strict, thinking: whether `finish` is held to its schema by
    the server, and whether the model is given its own thinking; some servers take neither.
    """
    user, notes = _first_turn(request)
    system = _system(request)
    if not request.tools:
        return Prompt(system, [{"role": "user", "content": user}], notes)
    tools = tool_blocks(request.tools, strict=strict)
    first = {"role": "user", "content": user}
    past, unshown = turn_messages(
        request.turns,
        chained("", tools, system, first),
        thinking=thinking,
        images=MAX_IMAGES - min(MAX_IMAGES, len(request.images)),
    )
    messages = [first, *past]
    for message in {id(m): m for m in (messages[-1], messages[max(0, len(messages) - 3)])}.values():
        message["content"][-1]["cache_control"] = _CACHED
    if request.last:
        messages[-1]["content"].append({"type": "text", "text": LAST_NOTE})
    return Prompt(system, messages, (*notes, *unshown), tools)


def _system(request: AgentRequest) -> list[dict[str, Any]]:
    system: list[dict[str, Any]] = [
        {"type": "text", "text": text} for text, _ in system_sections(request) if text.strip()
    ]
    stable = sum(1 for text, is_stable in system_sections(request) if is_stable and text.strip())
    shared = () if request.tools else (1,)  # tools stand before it: nothing that other agents share
    for last in {*shared, stable} if stable else ():
        system[last - 1]["cache_control"] = _CACHED
    return system


def _first_turn(request: AgentRequest) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """The blocks of the first message, and what could not be shown."""
    user: list[dict[str, Any]] = []
    if constant := stable_context(request):
        user.append({"type": "text", "text": f"{DATA_NOTE}\n\n{constant}", "cache_control": _CACHED})
    pictures: list[dict[str, Any]] = []
    notes: list[str] = []
    for image in request.images[:MAX_IMAGES]:
        blocks, note = image_blocks(image)
        pictures += blocks
        notes += [note] if note else []
    if len(request.images) > MAX_IMAGES:
        notes.append(
            f"{len(request.images) - MAX_IMAGES} pictures left out; at most {MAX_IMAGES} fit a request"
        )
    parts = (request_line(request), "" if constant else DATA_NOTE, changing_context(request))
    user.append({"type": "text", "text": "\n\n".join(part for part in parts if part)})
    user += pictures
    user.append({"type": "text", "text": TOOLS_NOTE if request.tools else ANSWER_NOTE})
    return user, tuple(notes)


def schema_note(schema: dict[str, Any]) -> dict[str, Any]:
    """A block that states the schema in words, for servers that cannot be given it."""
    text = json.dumps(schema, ensure_ascii=False)
    return {"type": "text", "text": f"The JSON schema of the answer:\n```json\n{text}\n```"}


def follow_up(
    messages: list[dict[str, Any]],
    answer: str,
    problems: tuple[str, ...],
    schema: dict[str, Any] | None,
    *,
    tools: bool = False,
) -> list[dict[str, Any]]:
    """The messages that tell the model what did not fit in its last `answer` ('' if that cannot be repeated)."""
    lines = "\n".join(f"- {problem}" for problem in problems)
    again = (
        "Take this turn again, corrected."
        if tools
        else f"Give the whole answer again, corrected. {ANSWER_NOTE}"
    )
    told: list[dict[str, Any]] = [
        {"type": "text", "text": f"Your last answer cannot be used:\n{lines}\n\n{again}"}
    ]
    if schema is not None:
        told.append(schema_note(schema))
    if not answer.strip():
        *before, last = messages
        return [*before, {**last, "content": [*last["content"], *told]}]
    return [*messages, {"role": "assistant", "content": answer.strip()}, {"role": "user", "content": told}]
