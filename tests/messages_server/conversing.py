"""Turns of a conversation with tools: what the server says in them, and what the API demands of them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.messages_server.schema_rules import schema_fault

_NAME, _ID = re.compile(r"[a-zA-Z0-9_-]{1,128}"), re.compile(r"[a-zA-Z0-9_-]+")
_PROPERTY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")


@dataclass(frozen=True)
class Use:
    """A call of a tool. arguments: an object, or the text to stream as it is."""

    name: str
    arguments: Mapping[str, Any] | str = ()  # type: ignore[assignment]
    id: str = ""

    def text(self) -> str:
        """The arguments as they are streamed."""
        return (
            self.arguments
            if isinstance(self.arguments, str)
            else json.dumps(dict(self.arguments), ensure_ascii=False)
        )


@dataclass(frozen=True)
class Turn:
    """What the server says in one turn: thinking, words, calls."""

    text: str = ""
    calls: Sequence[Use] = ()
    thinking: str | None = None


def content_of(said: Turn, request: dict[str, Any]) -> list[dict[str, Any]]:
    """The blocks of a message; ids follow from how many calls came before, the signature of thinking from all that did."""
    before = sum(
        block["type"] == "tool_use"
        for message in request["messages"]
        if isinstance(message["content"], list)
        for block in message["content"]
    )
    blocks: list[dict[str, Any]] = []
    if said.thinking is not None:
        blocks.append(
            {
                "type": "thinking",
                "thinking": said.thinking,
                "signature": signature(request, request["messages"]),
            }
        )
    if said.text:
        blocks.append({"type": "text", "text": said.text})
    for number, use in enumerate(said.calls, before + 1):
        blocks.append(
            {"type": "tool_use", "id": use.id or f"toolu_{number:04d}", "name": use.name, "input": use.text()}
        )
    return blocks


def said_of(answer: Mapping[str, Any]) -> Turn:
    """A recorded TurnAnswer as the server says it again."""
    return Turn(
        answer.get("text", ""), [Use(call["name"], call["arguments"], call["id"]) for call in answer["calls"]]
    )


def signature(request: dict[str, Any], messages: Sequence[dict[str, Any]]) -> str:
    """What thinking is bound to: tools, system and all messages before it."""
    bound = _unmarked([request.get("tools", []), request.get("system", []), list(messages)])
    return hashlib.sha256(json.dumps(bound, sort_keys=True).encode()).hexdigest()


def turns_before(request: dict[str, Any]) -> int:
    """How many turns of the model came before; 0 in requests without tools."""
    return (
        sum(message["role"] == "assistant" for message in request["messages"]) if request.get("tools") else 0
    )


def tools_fault(request: dict[str, Any]) -> str | None:
    """Why the API would refuse the tools or the turns of this request; None if it would not."""
    tools, names = request.get("tools", []), set()
    for number, tool in enumerate(tools):
        place = f"tools.{number}.custom"
        if not isinstance(tool.get("name"), str) or not _NAME.fullmatch(tool["name"]):
            return f"{place}.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'"
        if tool["name"] in names:
            return "tools: Tool names must be unique."
        names.add(tool["name"])
        schema = tool.get("input_schema")
        if not isinstance(schema, dict) or schema.get("type") != "object":
            return f"{place}.input_schema.type: Input should be 'object'"
        if {"anyOf", "oneOf", "allOf"} & set(schema):
            return (
                f"{place}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level"
            )
        if not all(_PROPERTY.fullmatch(name) for name in schema.get("properties", {})):
            return f"{place}.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{{1,64}}$'"
        if tool.get("strict") and (fault := schema_fault(schema, {"optional": 0, "unions": 0})):
            return f"{place}.input_schema: {fault}"
    choice = request.get("tool_choice")
    if choice is not None and (not tools or choice.get("type") not in ("auto", "any", "tool", "none")):
        return "tool_choice: may only be specified while providing tools"
    if choice is not None and choice["type"] == "tool" and choice.get("name") not in names:
        return f"Tool '{choice.get('name')}' not found in provided tools"
    return _turns_fault(request)


def _turns_fault(request: dict[str, Any]) -> str | None:
    seen: set[str] = set()
    called: list[str] = []
    for number, message in enumerate(request["messages"]):
        blocks = message["content"] if isinstance(message["content"], list) else []
        given = [block.get("tool_use_id") for block in blocks if block.get("type") == "tool_result"]
        missing = [own for own in called if own not in given]
        if missing:
            return (
                f"messages.{number - 1}: `tool_use` ids were found without `tool_result` blocks immediately after: "
                f"{', '.join(missing)}"
            )
        if len(set(given)) < len(given) or set(given) - set(called):
            return f"messages.{number}: unexpected `tool_use_id` found in `tool_result` blocks: {given}"
        if any(block.get("type") != "tool_result" for block in blocks[: len(given)]):
            return f"messages.{number}: `tool_result` blocks must come first"
        uses = [block for block in blocks if block.get("type") == "tool_use"]
        if (uses or given) and not request.get("tools"):
            return "Requests which include `tool_use` or `tool_result` blocks must define tools"
        called = [use.get("id") for use in uses]
        for use in uses:
            if not _ID.fullmatch(str(use.get("id"))) or not _NAME.fullmatch(str(use.get("name"))):
                return f"messages.{number}: a tool_use's id or name should match its pattern"
            if not isinstance(use.get("input"), dict):
                return f"messages.{number}: tool_use.input: Input should be a valid dictionary"
        if len(set(called)) < len(called) or seen & set(called):
            return "messages: `tool_use` ids must be unique"
        seen |= set(called)
        if message["role"] == "user" and uses:
            return f"messages.{number}: `tool_use` blocks can only be in `assistant` messages"
        for place, block in enumerate(blocks):
            if block.get("type") == "thinking" and block.get("signature") != signature(
                request, request["messages"][:number]
            ):
                return (
                    f"messages.{number}.content.{place}: Invalid `signature` in `thinking` block. The block is bound to a "
                    "different conversation."
                )
    return None


def _unmarked(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: _unmarked(value) for name, value in part.items() if name != "cache_control"}
    return [_unmarked(item) for item in part] if isinstance(part, list) else part
