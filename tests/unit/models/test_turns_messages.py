"""Conversations with tools over the Messages API, against a server that refuses what the real one refuses."""

from __future__ import annotations

import hashlib
import json

import pytest

from agents.models.messages.messages_request import prompt_of
from agents.talking.conversing import countdown
from schemas.errors import StateError
from schemas.talking.tools import ToolSpec
from schemas.talking.turns import PastResult, TurnAnswer
from tests.messages_server import Turn, Use
from tests.messages_server.examples import a_request
from tests.unit.models.turns_fixture import (
    AGENT,
    CONTEXT,
    END,
    FIRST,
    LABEL,
    PAPER,
    SECOND,
    client,
    converse,
    echo,
    given,
    past,
    picture,
    serve,
    turn_request,
)

pytestmark = pytest.mark.unit


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch):
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def test_requests_without_tools_are_what_they_always_were():
    request = a_request(attempt=2, round=3, step=1)
    prompt = prompt_of(request)
    assert request.digest() == "80331ae0049449a4da9e5d741df119675382d9d9a2311297d4375fd82c30cb45"
    sent = json.dumps([prompt.system, prompt.user]).encode()
    assert (
        hashlib.sha256(sent).hexdigest() == "cb3c853d0f0fb58f58806dfd6bd749152b9c742326091ec60a88828b371de010"
    )
    assert prompt.tools == [] and len(prompt.messages) == 1


def test_a_conversation_of_three_turns_with_parallel_calls_pictures_and_thinking(tmp_path):
    shown = picture(tmp_path / "plot.png")

    def carry_out(call):
        return (
            echo(call)
            if call.name == "read_file"
            else PastResult(call_id=call.id, text="ran", images=(shown,))
        )

    with serve(FIRST, SECOND, END) as server:
        answer, turns, replies = converse(client(server), carry_out)
        asked = server.asked()
    assert answer.feedback == "fast now"
    assert [len(turn.said.calls) for turn in turns] == [2, 1]
    assert asked == {LABEL: 1, f"{LABEL}.t01": 1, f"{LABEL}.t02": 1}
    last = server.requests[-1]
    assert [tool["name"] for tool in last["tools"]] == ["read_file", "run_code", "finish"]
    assert last["tool_choice"] == {"type": "auto"} and "output_config" not in last
    assert [message["role"] for message in last["messages"]] == [
        "user",
        "assistant",
        "user",
        "assistant",
        "user",
    ]
    assert [block["type"] for block in last["messages"][1]["content"]] == [
        "thinking",
        "text",
        "tool_use",
        "tool_use",
    ]
    assert [block["type"] for block in last["messages"][3]["content"]] == [
        "thinking",
        "tool_use",
    ]  # even without text
    result = last["messages"][4]["content"][0]
    assert [block["type"] for block in result["content"]] == ["text", "text", "image"]
    assert all(isinstance(reply.price_usd, float) and reply.tries == 1 for reply in replies)


def test_each_turn_pays_for_its_own_part_alone():
    long = Turn("", [Use("read_file", {"path": "a.py"})])
    with serve(*[long] * 8, END) as server:
        _, turns, replies = converse(
            client(server), lambda call: PastResult(call_id=call.id, text="line of code\n" * 300)
        )
    first = replies[0].usage.cache_write_tokens
    assert first > 1500
    for before, reply in zip(replies, replies[1:], strict=False):
        read, written = reply.usage.cache_read_tokens, reply.usage.cache_write_tokens
        assert read == before.usage.cache_read_tokens + before.usage.cache_write_tokens
        assert written < 1400, "a turn writes what it added"
        assert reply.usage.input_tokens < 150
    marks = [json.dumps(request).count('"cache_control"') for request in server.requests]
    assert max(marks) <= 4


def test_the_first_turn_may_be_told_to_call_a_tool():
    with serve(END) as server:
        converse(client(server), echo, must_call=True)
    assert server.requests[0]["tool_choice"] == {"type": "any"}


def test_the_last_turn_may_only_finish_and_says_so():
    turns = (past(("run_code", {}, "ran")),)
    assert turn_request(turns, last=True).digest() == turn_request(turns).digest(), (
        "a higher limit buys nothing again"
    )
    with serve(Turn("", [Use("run_code")]), END) as server:
        client(server).answer(turn_request(turns, last=True), TurnAnswer)
    assert server.requests[0]["tool_choice"] == {"type": "tool", "name": "finish"}
    assert "No turn is left" in server.requests[0]["messages"][-1]["content"][-1]["text"]


def test_a_note_of_ours_stands_behind_the_results_and_in_no_key():
    plain, words = past(("run_code", {}, "ran")), past(text="done?")
    turns = tuple(turn.model_copy(update={"note": countdown(2)}) for turn in (plain, words))
    assert countdown(2) and not countdown(3)
    assert turn_request(turns).digest() == turn_request((plain, words)).digest()
    sent = prompt_of(turn_request(turns)).messages
    assert [block["type"] for block in sent[2]["content"]] == ["tool_result", "text"]
    assert sent[2]["content"][1]["text"] == countdown(2)
    assert (
        sent[4]["content"][0]["text"].startswith("You called no tool")
        and countdown(2) in sent[4]["content"][0]["text"]
    )


def test_words_alone_are_reminded_of_the_tools():
    with serve(Turn("I think it is fine."), END) as server:
        _, turns, _ = converse(client(server), echo)
    assert [len(turn.said.calls) for turn in turns] == [0]
    assert "You called no tool" in json.dumps(server.requests[1]["messages"][-1])


def test_an_answer_that_does_not_fit_goes_back_as_an_error_of_finish():
    with serve(Turn("", [Use("finish", {"verdict": "maybe"})]), END) as server:
        answer, turns, _ = converse(client(server), echo)
    told = server.requests[1]["messages"][-1]["content"][0]
    assert told["is_error"] is True
    assert "verdict" in json.dumps(told["content"]) and "checklist: missing" in json.dumps(told["content"])
    assert answer.feedback == "fast now"


def test_finish_beside_other_calls_is_sent_back_and_the_others_run():
    both = Turn("", [Use("read_file", {"path": "a"}), Use("finish", given())])
    with serve(both, END) as server:
        _, turns, _ = converse(client(server), echo)
    read, finish = turns[0].results
    assert not read.is_error and finish.is_error and "alone" in finish.text


@pytest.mark.parametrize("names", [("read_file", "read_file"), ("finish",)])
def test_tools_that_share_a_name_or_take_the_reserved_one_are_refused(names):
    tools = tuple(
        ToolSpec(name=name, description="", input_schema={"type": "object"}, skill="s") for name in names
    )
    with pytest.raises(StateError, match="unique"):
        turn_request(tools=tools)


def test_the_server_counts_a_turn_with_its_tools():
    with serve(END) as server:
        model = client(server)
        small, large = (
            model.count_tokens(turn_request()),
            model.count_tokens(turn_request((past(("read_file", {"path": "a"}, "x" * 4000)),))),
        )
    assert large > small + 1000


def test_the_paper_is_read_from_the_cache_by_another_conversation_of_the_same_agent():
    assert AGENT.crew.stable == ("paper",) and CONTEXT["paper"] == PAPER
    with serve(END) as server:
        model = client(server)
        converse(model, echo)
        reply = model.answer(
            turn_request().model_copy(update={"context": turn_request().context[:1]}), TurnAnswer
        )
    assert reply.usage.cache_read_tokens > 1500
