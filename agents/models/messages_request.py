"""The body of a Messages API request: cached prefix first, then what changes, then pictures."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from agents.models.images import image_blocks
from agents.models.wire import (
    ANSWER_NOTE,
    DATA_NOTE,
    changing_context,
    request_line,
    stable_context,
    system_sections,
)
from schemas.transcript import AgentRequest

_CACHED = {"type": "ephemeral"}
MAX_IMAGES = 100


@dataclass(frozen=True)
class Prompt:
    """System and user blocks of one request, and notes on what could not be sent."""

    system: list[dict[str, Any]]
    user: list[dict[str, Any]]
    notes: tuple[str, ...] = ()


def prompt_of(request: AgentRequest) -> Prompt:
    """The request as blocks. Cache breakpoints, three at most: after the global rules (shared by all agents), after
    the last stable system section (the agent's prompt), and after the stable context (the paper).

    The stable context stands before the `Request: <label>` line, because a line that changes with every call would
    make everything behind it uncacheable.
    """
    system: list[dict[str, Any]] = [{"type": "text", "text": text} for text, _ in system_sections(request) if text.strip()]
    stable = sum(1 for text, is_stable in system_sections(request) if is_stable and text.strip())
    for last in {1, stable} if stable else ():
        system[last - 1]["cache_control"] = _CACHED
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
        notes.append(f"{len(request.images) - MAX_IMAGES} pictures left out; at most {MAX_IMAGES} fit a request")
    parts = (request_line(request), "" if constant else DATA_NOTE, changing_context(request))
    user.append({"type": "text", "text": "\n\n".join(part for part in parts if part)})
    user += pictures
    user.append({"type": "text", "text": ANSWER_NOTE})
    return Prompt(system, user, tuple(notes))


def schema_note(schema: dict[str, Any]) -> dict[str, Any]:
    """A block that states the schema in words, for servers that cannot be given it."""
    text = json.dumps(schema, ensure_ascii=False)
    return {"type": "text", "text": f"The JSON schema of the answer:\n```json\n{text}\n```"}


def follow_up(user: list[dict[str, Any]], answer: str, problems: tuple[str, ...], schema: dict[str, Any] | None,
              ) -> list[dict[str, Any]]:
    """The messages that tell the model what did not fit in its last `answer` ('' if that cannot be repeated)."""
    lines = "\n".join(f"- {problem}" for problem in problems)
    told: list[dict[str, Any]] = [{"type": "text", "text": f"Your last answer cannot be used:\n{lines}\n\n"
                                                           f"Give the whole answer again, corrected. {ANSWER_NOTE}"}]
    if schema is not None:
        told.append(schema_note(schema))
    if not answer.strip():
        return [{"role": "user", "content": [*user, *told]}]
    return [{"role": "user", "content": user}, {"role": "assistant", "content": answer.strip()},
            {"role": "user", "content": told}]
