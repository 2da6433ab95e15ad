"""How much a server of tools may say."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ToolLimits:
    """start_s: wall seconds until a server has listed its tools. tools: of one server. schema_bytes: of one tool's schema.

    message_bytes: one message of a server. During one call, messages: how many; flood_bytes: all it may write, both streams;
    rubbish: lines that are no message. text_chars, pictures, picture_bytes, picture_side: of one result. argument_bytes: of
    one call.
    """

    start_s: float = 300.0
    tools: int = 64
    schema_bytes: int = 20_000
    message_bytes: int = 32 << 20
    messages: int = 5000
    flood_bytes: int = 96 << 20
    rubbish: int = 100
    text_chars: int = 40_000
    pictures: int = 4
    picture_bytes: int = 5_000_000
    picture_side: int = 8000
    argument_bytes: int = 2_000_000
