"""Tools, past turns and calls of tools in the form of the Messages API."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from agents.models.api_schema import MAX_UNIONS, api_schema, union_count
from agents.models.images import image_blocks
from agents.models.messages.messages_stream import Received
from agents.models.wire import REMINDER, fenced
from schemas.base import digest
from schemas.errors import StateError
from schemas.reading.answer_size import size_faults
from schemas.reading.strict_json import parse_json
from schemas.talking.tools import ToolSpec
from schemas.talking.turns import FINISH, PastResult, PastTurn, TurnAnswer

MAX_SCHEMA_CHARACTERS = 30_000
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_PROPERTY = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_PROBLEM = 300


def tool_blocks(tools: tuple[ToolSpec, ...], *, strict: bool) -> list[dict[str, Any]]:
    """The tools as the API takes them. `finish` is held to its schema by the server where `strict` and the schema allow."""
    return [_finish(tool, strict) if tool.name == FINISH else _tool(tool) for tool in tools]


def turn_messages(
    turns: tuple[PastTurn, ...], sent: str, *, thinking: bool, images: int
) -> tuple[list[dict[str, Any]], list[str]]:
    """The messages of past turns, two for each, and notes on pictures that could not be shown.

    sent: the digest of all that stands before them. thinking: whether the model's thinking goes back to it; only what was
    thought after exactly what stands before it now, because the API refuses thinking whose past was changed (a result that
    was cut since, tools that changed). images: how many pictures may be shown at most; the newest are.
    """
    messages: list[dict[str, Any]] = []
    notes: list[str] = []
    left_out = max(0, sum(len(result.images) for turn in turns for result in turn.results) - images)
    for turn in turns:
        kept = thinking and turn.said.prefix == sent
        said = {"role": "assistant", "content": _said(turn.said, thinking=kept)}
        given: list[dict[str, Any]] = []
        for result in turn.results:
            hidden = min(left_out, len(result.images))
            left_out -= hidden
            block, noted = _result(result, hidden)
            given.append(block)
            notes += noted
        words = "\n\n".join(part for part in ("" if given else REMINDER, turn.note.strip()) if part)
        told = {"role": "user", "content": [*given, *([{"type": "text", "text": words}] if words else [])]}
        messages += [said, told]
        sent = chained(sent, said, told)
    return messages, notes


def chained(before: str, *parts: Any) -> str:
    """The digest of what was sent so far: `before`, then `parts`, without marks for the cache."""
    for part in parts:
        before = digest([before, _unmarked(part)])
    return before


def read_turn(
    message: Received, *, turn: int, past_ids: Iterable[str], prefix: str, hide: Callable[[str], str]
) -> dict[str, Any]:
    """A message as the fields of a TurnAnswer: names and ids that are safe, arguments read as strictly as hostile JSON.

    Arguments that are no such thing are empty and named under `unreadable`.
    """
    used = set(past_ids)
    calls: list[dict[str, Any]] = []
    unreadable: list[dict[str, Any]] = []
    echo: list[dict[str, Any]] = []
    for block in message.in_order():
        if block.kind in ("thinking", "redacted_thinking"):
            echo.append({"kind": block.kind, "text": block.text, "signature": block.signature})
        elif block.kind == "text" and block.text.strip():
            echo.append({"kind": "text", "text": hide(block.text)})
        elif block.kind == "tool_use":
            own = (
                block.id
                if _ID.fullmatch(block.id) and block.id not in used
                else f"call_{turn:02d}_{len(calls) + 1:02d}"
            )
            used.add(own)
            arguments, problem = _arguments(block.text)
            calls.append(
                {"id": own, "name": safe_name(hide(block.name)), "arguments": _hidden(arguments, hide)}
            )
            unreadable += [{"call_id": own, "problem": hide(problem)}] if problem else []
            echo.append({"kind": "call", "text": own})
    thought = any(block["kind"].endswith("thinking") for block in echo)
    exact = thought or sum(block["kind"] == "text" for block in echo) > 1
    return {
        "text": hide(message.text()).strip(),
        "calls": calls,
        "unreadable": unreadable,
        "echo": echo if exact else [],
        "prefix": prefix if thought else "",
    }


def safe_name(name: str) -> str:
    """A name that the API takes back, whatever a model called."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)[:64] or "nameless"


def _arguments(text: str) -> tuple[dict[str, Any], str]:
    try:
        value = parse_json(text) if text.strip() else {}
    except ValueError as error:
        return {}, str(error)[:_PROBLEM]
    if not isinstance(value, dict):
        return {}, f"found {type(value).__name__}; allowed: one JSON object"
    faults = size_faults(value)
    return ({}, "; ".join(faults)[:_PROBLEM]) if faults else (value, "")


def _hidden(value: Any, hide: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return hide(value)
    if isinstance(value, dict):
        return {hide(name): _hidden(item, hide) for name, item in value.items()}
    return [_hidden(item, hide) for item in value] if isinstance(value, list) else value


def _finish(tool: ToolSpec, strict: bool) -> dict[str, Any]:
    plain = {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}
    try:
        schema = api_schema(tool.input_schema)
    except StateError:  # recursive or open: a tool may be so, only no grammar
        return plain
    return (
        plain | {"input_schema": schema, "strict": True}
        if strict and union_count(schema) <= MAX_UNIONS
        else plain
    )


def _tool(tool: ToolSpec) -> dict[str, Any]:
    """A tool whose schema a stranger's server may have written: what the API would refuse is said in words instead."""
    schema = tool.input_schema
    properties = schema.get("properties", {})
    text = json.dumps(schema, ensure_ascii=False, sort_keys=True)
    fits = (
        schema.get("type") == "object"
        and isinstance(properties, dict)
        and len(text) <= MAX_SCHEMA_CHARACTERS
        and all(_PROPERTY.fullmatch(name) and isinstance(step, dict) for name, step in properties.items())
        and not {"anyOf", "oneOf", "allOf"} & set(schema)
    )
    if fits:
        return {"name": tool.name, "description": tool.description, "input_schema": schema}
    told = text if len(text) <= MAX_SCHEMA_CHARACTERS else text[:MAX_SCHEMA_CHARACTERS] + " ... (cut)"
    return {
        "name": tool.name,
        "description": f"{tool.description}\n\nJSON schema of the arguments: {told}".strip(),
        "input_schema": {"type": "object"},
    }


def _said(said: TurnAnswer, *, thinking: bool) -> list[dict[str, Any]]:
    calls = {
        call.id: {"type": "tool_use", "id": call.id, "name": safe_name(call.name), "input": call.arguments}
        for call in said.calls
    }
    if not said.echo:
        return [*([{"type": "text", "text": said.text}] if said.text else []), *calls.values()]
    blocks: list[dict[str, Any]] = []
    for block in said.echo:
        if block.kind == "text":
            blocks.append({"type": "text", "text": block.text})
        elif block.kind == "call":
            blocks += [calls[block.text]] if block.text in calls else []
        elif thinking and block.kind == "thinking":
            blocks.append({"type": "thinking", "thinking": block.text, "signature": block.signature})
        elif thinking:
            blocks.append({"type": "redacted_thinking", "data": block.text})
    return blocks


def _result(result: PastResult, hidden: int) -> tuple[dict[str, Any], list[str]]:
    """The block of a result; its first `hidden` pictures are named, not shown."""
    content: list[dict[str, Any]] = []
    if result.text.strip() or not result.images:
        content.append({"type": "text", "text": fenced("result", result.text.strip() or "(nothing)")})
    notes: list[str] = []
    if hidden:
        content.append(
            {"type": "text", "text": f"({hidden} earlier pictures of this result are no longer shown)"}
        )
    for image in result.images[hidden:]:
        shown, note = image_blocks(image)
        content += shown
        notes += [note] if note else []
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": result.call_id, "content": content}
    return block | ({"is_error": True} if result.is_error else {}), notes


def _unmarked(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: _unmarked(value) for name, value in part.items() if name != "cache_control"}
    return [_unmarked(item) for item in part] if isinstance(part, list) else part
