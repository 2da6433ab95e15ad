"""Streams of other servers: arguments in one piece, parts left out, and what is no stream of a message."""

from __future__ import annotations

from types import SimpleNamespace as Event
from typing import Any

import pytest

from agents.models.messages.messages_stream import MAX_BLOCKS, Received
from schemas.talking.transcript import Usage

pytestmark = pytest.mark.unit
START = Event(type="message_start", message=Event(model="m", usage=Event(input_tokens=7, output_tokens=1)))


def taken(*events: Any) -> Received:
    message = Received()
    for event in (START, *events):
        message.take(event)
    return message


def begun(index: int, **block: Any) -> Event:
    return Event(type="content_block_start", index=index, content_block=Event(**block))


def more(index: int, kind: str, **delta: Any) -> Event:
    return Event(type="content_block_delta", index=index, delta=Event(type=kind, **delta))


def test_arguments_may_come_at_once_or_in_pieces():
    message = taken(
        begun(1, type="tool_use", id="b", name="run", input={}),
        more(1, "input_json_delta", partial_json='{"a"'),
        begun(0, type="tool_use", id="a", name="read", input={"path": "x"}),
        more(1, "input_json_delta", partial_json=": 1}"),
    )
    assert [(block.id, block.text) for block in message.calls()] == [
        ("a", '{"path": "x"}'),
        ("b", '{"a": 1}'),
    ]


def test_thinking_keeps_its_signature_and_what_does_not_belong_is_passed_over():
    message = taken(
        begun(0, type="thinking", thinking="h"),
        more(0, "thinking_delta", thinking="m"),
        more(0, "signature_delta", signature="s"),
        more(0, "text_delta", text="no"),
        begun(1, type="redacted_thinking", data="d"),
        begun(2, type="server_tool_use"),
        begun(3, type="text", text="so"),
        Event(type="ping"),
        Event(type="news"),
    )
    assert [(block.kind, block.text, block.signature) for block in message.in_order()][:2] == [
        ("thinking", "hm", "s"),
        ("redacted_thinking", "d", ""),
    ]
    assert message.text() == "so" and message.stop_reason is None


def test_counts_of_the_end_replace_those_of_the_beginning_where_they_are_numbers():
    message = taken(
        Event(
            type="message_delta",
            delta=Event(stop_reason="end_turn"),
            usage=Event(output_tokens=9, input_tokens=None, cache_read_input_tokens=True),
        )
    )
    assert message.usage == Usage(input_tokens=7, output_tokens=9) and message.stop_reason == "end_turn"


def test_what_is_no_message_is_an_error_the_client_knows():
    with pytest.raises(ValueError, match="begins with"):
        Received().take(begun(0, type="text", text=""))
    with pytest.raises(LookupError):
        taken(more(0, "text_delta", text="x"))
    with pytest.raises(TypeError):
        taken(begun(0, type="text", text=""), more(0, "text_delta", text=None))
    with pytest.raises(ValueError, match="blocks"):
        taken(*(begun(n, type="text", text="") for n in range(MAX_BLOCKS + 1)))
