"""Messages and their event streams, token counts included."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterator
from typing import Any

from PIL import Image

CHARACTERS_PER_TOKEN = 3.6
_CHUNK = 200


def count_tokens(value: Any) -> int:
    """Plausible tokens of a request's part: text by length, pictures by area (width x height / 750)."""
    if isinstance(value, str):
        return max(1, round(len(value) / CHARACTERS_PER_TOKEN))
    if isinstance(value, list):
        return sum(count_tokens(item) for item in value)
    if isinstance(value, dict):
        if value.get("type") == "image":
            data = base64.b64decode(value["source"]["data"])
            with Image.open(io.BytesIO(data)) as picture:
                return max(1, picture.width * picture.height // 750)
        if value.get("type") == "tool_use":
            return 10 + count_tokens(value["name"] + json.dumps(value["input"]))
        if value.get("type") == "thinking":
            return count_tokens(value["thinking"])
        if "content" in value:
            return 4 + count_tokens(value["content"])
        return count_tokens(value.get("text", ""))
    return 0


def input_tokens(request: dict[str, Any]) -> int:
    """Tokens of tools, system, messages and schema."""
    schema = (request.get("output_config") or {}).get("format")
    return (
        _tools_tokens(request)
        + count_tokens(request.get("system", []))
        + count_tokens(request["messages"])
        + (count_tokens(json.dumps(schema)) if schema else 0)
    )


def cached_prefixes(request: dict[str, Any]) -> list[tuple[str, int]]:
    """What stands up to each cache breakpoint (tools, system, messages) with its tokens, shortest first.

    Another tool_choice is another prefix of messages, not of tools and system.
    """
    blocks = list(request["system"]) if isinstance(request.get("system"), list) else []
    fixed = len(blocks)
    for message in request["messages"]:
        blocks += message["content"] if isinstance(message["content"], list) else []
    marked = [number for number, block in enumerate(blocks, 1) if "cache_control" in block]
    plain = [{name: value for name, value in block.items() if name != "cache_control"} for block in blocks]
    tools = request.get("tools", [])
    chosen = request.get("tool_choice")
    keys = [json.dumps([tools, plain[:end], chosen if end > fixed else None]) for end in marked]
    return [
        (key, _tools_tokens(request) + count_tokens(plain[:end]))
        for key, end in zip(keys, marked, strict=True)
    ]


def _tools_tokens(request: dict[str, Any]) -> int:
    return count_tokens(json.dumps(request["tools"])) if request.get("tools") else 0


def message(
    number: int, model: str, content: list[dict[str, Any]], stop_reason: str, usage: dict[str, int]
) -> dict[str, Any]:
    """A complete message. The input of a tool_use block is the text of its JSON, as it is streamed."""
    return {
        "id": f"msg_test_{number}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": usage,
    }


def events(whole: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The (name, data) events that stream `whole`."""
    usage = whole["usage"]
    start = {**whole, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    yield "message_start", {"type": "message_start", "message": start}
    yield "ping", {"type": "ping"}
    for index, block in enumerate(whole["content"]):
        empty, deltas = _streamed(block)
        yield "content_block_start", {"type": "content_block_start", "index": index, "content_block": empty}
        for delta in deltas:
            yield "content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}
        yield "content_block_stop", {"type": "content_block_stop", "index": index}
    ended = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    if whole.get("stop_details"):
        ended["stop_details"] = whole["stop_details"]
    yield (
        "message_delta",
        {"type": "message_delta", "delta": ended, "usage": {"output_tokens": usage["output_tokens"]}},
    )
    yield "message_stop", {"type": "message_stop"}


def _streamed(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A block as it begins, and the pieces that fill it."""
    if block["type"] == "tool_use":
        pieces = _pieces(block["input"])
        return {**block, "input": {}}, [
            {"type": "input_json_delta", "partial_json": piece} for piece in pieces
        ]
    if block["type"] == "thinking":
        return (
            {"type": "thinking", "thinking": "", "signature": ""},
            [
                *({"type": "thinking_delta", "thinking": piece} for piece in _pieces(block["thinking"])),
                {"type": "signature_delta", "signature": block["signature"]},
            ],
        )
    return {"type": "text", "text": ""}, [
        {"type": "text_delta", "text": piece} for piece in _pieces(block["text"])
    ]


def _pieces(text: str) -> list[str]:
    return [text[place : place + _CHUNK] for place in range(0, len(text), _CHUNK)]


def sse(name: str, data: dict[str, Any]) -> bytes:
    """One server-sent event."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()
