"""The test server refuses the conversations that the real API refuses."""

from __future__ import annotations

import copy
from typing import Any

import anthropic
import pytest

from tests.messages_server import Fault, MessagesServer, Turn, Use, conversations

pytestmark = pytest.mark.unit
TOOL: dict[str, Any] = {
    "name": "read",
    "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}},
}
MARK = {"cache_control": {"type": "ephemeral"}}


def use(own: str = "a", **more: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": own, "name": "read", "input": {}, **more}


def result(own: str = "a", **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": own, "content": [{"type": "text", "text": "x"}], **more}


def request(*blocks: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """A conversation of these messages, assistant and user in turn after the first."""
    messages = [{"role": "user", "content": "Request: coder.x.1.1.0"}]
    messages += [
        {"role": ("assistant", "user")[n % 2], "content": copy.deepcopy(each)}
        for n, each in enumerate(blocks)
    ]
    return {"model": "m", "max_tokens": 100, "messages": messages, "tools": [TOOL], **more}


def server(*turns: Turn, faults: tuple[Fault | None, ...] = ()) -> MessagesServer:
    return MessagesServer(conversations({"coder.x.1.1.0": turns}), faults)


def sdk(of: MessagesServer) -> anthropic.Anthropic:
    return anthropic.Anthropic(api_key="k", base_url=of.base_url, max_retries=0, timeout=10)


def test_a_proper_conversation_is_answered_streamed_or_not():
    turn = Turn("next", [Use("read", {"path": "b" * 500}), Use("read", {"path": "c"})], thinking="so")
    with server(Turn("", [Use("read")]), turn) as running:
        asked = request([use()], [result()])
        plain = sdk(running).messages.create(**asked)
        with sdk(running).messages.stream(**asked) as stream:
            streamed = stream.get_final_message()
    assert [block.type for block in plain.content] == ["thinking", "text", "tool_use", "tool_use"]
    assert plain.content[2].input == streamed.content[2].input == {"path": "b" * 500}
    assert (
        plain.content[2].id != plain.content[3].id and plain.stop_reason == streamed.stop_reason == "tool_use"
    )
    assert running.asked() == {"coder.x.1.1.0.t01": 2}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            request([use()], [{"type": "text", "text": "no"}]),
            "without `tool_result` blocks immediately after: a",
        ),
        (request([use("a"), use("b")], [result("a")]), "immediately after: b"),
        (request([use()], [result("b"), result("a")]), "unexpected `tool_use_id`"),
        (request([use()], [result(), result()]), "unexpected `tool_use_id`"),
        (request([use()], [{"type": "text", "text": "first"}, result()]), "must come first"),
        (request([use()], [result()], [use()], [result()]), "unique"),
        (request([use("a b")], [result("a b")]), "pattern"),
        (request([use(input="{}")], [result()]), "valid dictionary"),
        (request([use()], [result()], tools=[]), "must define tools"),
        (request([use()], [result(content=[{"type": "text", "text": " "}])]), "non-whitespace"),
        (request(tools=[TOOL, TOOL]), "unique"),
        (request(tools=[{**TOOL, "name": "a b"}]), "pattern"),
        (request(tools=[{**TOOL, "input_schema": {"type": "array"}}]), "object"),
        (request(tools=[{**TOOL, "input_schema": {"type": "object", "anyOf": []}}]), "top level"),
        (request(tools=[{**TOOL, "strict": True}]), "additionalProperties"),
        (request(tools=[], tool_choice={"type": "any"}), "tool_choice"),
        (
            request(
                [use(**MARK)],
                [result(**MARK)],
                system=[{"type": "text", "text": "s", **MARK}] * 2,
                tools=[{**TOOL, **MARK}],
            ),
            "maximum of 4",
        ),
        (
            request([{"type": "thinking", "thinking": "", "signature": "forged"}, use()], [result()]),
            "different conversation",
        ),
        (
            request([{"type": "thinking", "thinking": "", "signature": "x", **MARK}, use()], [result()]),
            "thinking",
        ),
    ],
)
def test_it_refuses_what_the_api_refuses_of_a_conversation(asked, said):
    with server(Turn("x")) as running, pytest.raises(anthropic.BadRequestError, match=said):
        sdk(running).messages.create(**asked)


def test_thinking_is_bound_to_what_stood_before_it():
    with server(Turn("", [Use("read")], thinking="hm"), Turn("done"), Turn("done")) as running:
        first = sdk(running).messages.create(**request())
        back = [
            {"type": "thinking", "thinking": "hm", "signature": first.content[0].signature},
            use(first.content[1].id),
        ]
        proper = request(back, [result(first.content[1].id)])
        assert sdk(running).messages.create(**proper).content[0].text == "done"
        with pytest.raises(anthropic.BadRequestError, match="different conversation"):
            sdk(running).messages.create(**{**proper, "system": "other rules"})


def test_a_turn_that_was_not_scripted_is_an_error():
    with (
        server(Turn("one")) as running,
        pytest.raises(anthropic.InternalServerError, match=r"no answer for coder.*t01"),
    ):
        sdk(running).messages.create(**request([use()], [result()]))
