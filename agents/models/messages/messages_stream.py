"""A streamed message put together block by block, arguments of tools kept as the text they came as.

The SDK's own accumulation reads arguments leniently (a key twice, NaN, an end that is missing); here they stay text until
they are read as strictly as any hostile JSON.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from schemas.talking.transcript import Usage

MAX_BLOCKS = 1000
_COUNTS = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_tokens": "cache_read_input_tokens",
    "cache_write_tokens": "cache_creation_input_tokens",
}


@dataclass
class StreamBlock:
    """One block. text: of a text, of thinking, the data of redacted thinking, or a call's arguments as they came."""

    kind: str
    text: str = ""
    signature: str = ""
    id: str = ""
    name: str = ""


@dataclass
class Received:
    """A message as far as it has come. begun: whether the server has said anything about it, and so charges for it."""

    begun: bool = False
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    blocks: dict[int, StreamBlock] = field(default_factory=dict)
    stop_reason: str | None = None
    stop_details: Any = None

    def in_order(self) -> list[StreamBlock]:
        """The blocks in their order."""
        return [self.blocks[index] for index in sorted(self.blocks)]

    def text(self) -> str:
        """All text blocks joined."""
        return "".join(block.text for block in self.in_order() if block.kind == "text")

    def calls(self) -> list[StreamBlock]:
        """The calls of tools."""
        return [block for block in self.in_order() if block.kind == "tool_use"]

    def take(self, event: Any) -> None:
        """Add one event of the stream. Raises ValueError, AttributeError or TypeError for a stream that is none."""
        if event.type == "message_start":
            self.begun, self.model = True, str(event.message.model or "")
            self.usage = _counted(event.message.usage, Usage())
        elif not self.begun:
            if event.type != "ping":
                raise ValueError(f"the stream begins with {str(event.type)[:40]}, not with message_start")
        elif event.type == "content_block_start":
            if len(self.blocks) >= MAX_BLOCKS:
                raise ValueError(f"a message of more than {MAX_BLOCKS} blocks")
            self.blocks[int(event.index)] = _block(event.content_block)
        elif event.type == "content_block_delta":
            _extend(self.blocks[int(event.index)], event.delta)
        elif event.type == "message_delta":
            self.stop_reason = event.delta.stop_reason
            self.stop_details = getattr(event.delta, "stop_details", None)
            self.usage = _counted(event.usage, self.usage)


def _block(started: Any) -> StreamBlock:
    kind = str(started.type)
    if kind == "tool_use":  # some servers send the arguments at once instead of in pieces
        given = getattr(started, "input", None)
        return StreamBlock(
            kind, json.dumps(given) if given else "", id=str(started.id or ""), name=str(started.name or "")
        )
    if kind == "redacted_thinking":
        return StreamBlock(kind, str(started.data or ""))
    text = getattr(started, "thinking" if kind == "thinking" else "text", "")
    return StreamBlock(kind, str(text or ""), signature=str(getattr(started, "signature", "") or ""))


def _extend(block: StreamBlock, delta: Any) -> None:
    if delta.type == "text_delta" and block.kind == "text":
        block.text += delta.text
    elif delta.type == "thinking_delta" and block.kind == "thinking":
        block.text += delta.thinking
    elif delta.type == "signature_delta" and block.kind == "thinking":
        block.signature = delta.signature
    elif delta.type == "input_json_delta" and block.kind == "tool_use":
        block.text += delta.partial_json


def _counted(counted: Any, before: Usage) -> Usage:
    """Token counts; what a server does not tell stays as it was (compatible servers leave some out)."""
    told: dict[str, int | None] = {}
    for name, theirs in _COUNTS.items():
        value = getattr(counted, theirs, None)
        usable = isinstance(value, int) and not isinstance(value, bool) and value >= 0
        told[name] = value if usable else getattr(before, name)
    return Usage(**told)
