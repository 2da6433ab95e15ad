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
        if "content" in value:
            return 4 + count_tokens(value["content"])
        return count_tokens(value.get("text", ""))
    return 0


def input_tokens(request: dict[str, Any]) -> int:
    """Tokens of system, messages and schema."""
    schema = (request.get("output_config") or {}).get("format")
    return (count_tokens(request.get("system", [])) + count_tokens(request["messages"])
            + (count_tokens(json.dumps(schema)) if schema else 0))


def cached_prefixes(request: dict[str, Any]) -> list[tuple[str, int]]:
    """The text up to each cache breakpoint with its tokens, shortest first."""
    blocks = list(request["system"]) if isinstance(request.get("system"), list) else []
    for message in request["messages"]:
        blocks += message["content"] if isinstance(message["content"], list) else []
    marked = [number for number, block in enumerate(blocks, 1) if "cache_control" in block]
    return [(json.dumps([b.get("text", "") for b in blocks[:end]]), count_tokens(blocks[:end])) for end in marked]


def message(number: int, model: str, text: str, stop_reason: str, usage: dict[str, int]) -> dict[str, Any]:
    """A complete message; no content blocks when `text` is empty."""
    content = [{"type": "text", "text": text}] if text else []
    return {"id": f"msg_test_{number}", "type": "message", "role": "assistant", "model": model, "content": content,
            "stop_reason": stop_reason, "stop_sequence": None, "usage": usage}


def events(whole: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The (name, data) events that stream `whole`."""
    usage = whole["usage"]
    start = {**whole, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    yield "message_start", {"type": "message_start", "message": start}
    yield "ping", {"type": "ping"}
    for index, block in enumerate(whole["content"]):
        empty = {"type": "text", "text": ""}
        yield "content_block_start", {"type": "content_block_start", "index": index, "content_block": empty}
        for place in range(0, len(block["text"]), _CHUNK):
            delta = {"type": "text_delta", "text": block["text"][place:place + _CHUNK]}
            yield "content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}
        yield "content_block_stop", {"type": "content_block_stop", "index": index}
    ended = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    if whole.get("stop_details"):
        ended["stop_details"] = whole["stop_details"]
    yield "message_delta", {"type": "message_delta", "delta": ended,
                            "usage": {"output_tokens": usage["output_tokens"]}}
    yield "message_stop", {"type": "message_stop"}


def sse(name: str, data: dict[str, Any]) -> bytes:
    """One server-sent event."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()
