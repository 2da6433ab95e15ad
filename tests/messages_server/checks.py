"""What the real API refuses with HTTP 400, so that tests notice a request it would refuse."""

from __future__ import annotations

import base64
import io
from typing import Any

from PIL import Image

from tests.messages_server.conversing import tools_fault
from tests.messages_server.schema_rules import schema_fault

_MAX_OPTIONAL, _MAX_UNIONS, _MAX_BREAKPOINTS, _MAX_EDGE = 24, 16, 4, 8000


def refusal_of(request: Any) -> str | None:
    """Why the API would refuse this request; None if it would not."""
    if not isinstance(request, dict):
        return "request body must be an object"
    for name, kind in (("model", str), ("max_tokens", int), ("messages", list)):
        if not isinstance(request.get(name), kind):
            return f"{name}: Field required"
    messages = request["messages"]
    if not messages or messages[0].get("role") != "user":
        return "messages: first message must use the user role"
    if messages[-1]["role"] != "user":
        return "This model does not support assistant message prefill. The conversation must end with a user message."
    blocks = list(request["system"]) if isinstance(request.get("system"), list) else []
    for message in messages:
        content = message.get("content")
        if not content:
            return "messages: all messages must have non-empty content"
        blocks += content if isinstance(content, list) else [{"type": "text", "text": content}]
    if sum("cache_control" in block for block in [*request.get("tools", ()), *blocks]) > _MAX_BREAKPOINTS:
        return f"A maximum of {_MAX_BREAKPOINTS} blocks with cache_control may be provided"
    if fault := tools_fault(request):
        return fault
    return next((fault for fault in map(_block_fault, blocks) if fault), None) or _format_fault(request)


def _block_fault(block: dict[str, Any]) -> str | None:
    if block.get("type") == "text":
        return (
            None if block.get("text", "").strip() else "text content blocks must contain non-whitespace text"
        )
    if block.get("type") in ("thinking", "redacted_thinking"):
        return "thinking blocks cannot have cache_control" if "cache_control" in block else None
    if block.get("type") == "tool_use":
        return None
    if block.get("type") == "tool_result":
        inner = block.get("content") or []
        return next(
            (fault for fault in map(_block_fault, inner if isinstance(inner, list) else []) if fault), None
        )
    if block.get("type") != "image":
        return f"unknown block type {block.get('type')}"
    try:
        with Image.open(io.BytesIO(base64.b64decode(block["source"]["data"], validate=True))) as picture:
            picture.load()
            declared = {"PNG": "image/png", "JPEG": "image/jpeg"}.get(picture.format or "")
            if declared != block["source"]["media_type"]:
                return "image media type does not match the data"
            return "image exceeds 8000 pixels" if max(picture.size) > _MAX_EDGE else None
    except (OSError, ValueError, KeyError) as error:
        return f"Could not process image: {error}"


def _format_fault(request: dict[str, Any]) -> str | None:
    form = (request.get("output_config") or {}).get("format")
    if form is None:
        return None
    if form.get("type") != "json_schema" or not isinstance(form.get("schema"), dict):
        return "output_config.format: type must be json_schema with a schema"
    counts = {"optional": 0, "unions": 0}
    fault = schema_fault(form["schema"], counts)
    if fault:
        return f"output_config.format.schema: {fault}"
    if counts["optional"] > _MAX_OPTIONAL:
        return f"Schemas contains too many optional parameters ({counts['optional']})"
    if counts["unions"] > _MAX_UNIONS:
        return f"Schemas contains too many parameters with union types ({counts['unions']})"
    return None
