"""Faults inside a conversation: of the model, of the server, of strangers' tools; no turn is lost, nothing is a crash."""

from __future__ import annotations

import pytest

from agents.models import FatalModelError, InvalidAnswer, TransientModelError
from schemas.talking.tools import ToolSpec
from schemas.talking.turns import TurnAnswer
from tests.messages_server import Fault, Turn, Use
from tests.unit.models.turns_fixture import (
    END,
    FIRST,
    LABEL,
    SECOND,
    client,
    converse,
    echo,
    serve,
    turn_request,
)

pytestmark = pytest.mark.unit


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch):
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("more", [{"must_call": True}, {"last": True}])
def test_a_server_that_cannot_be_told_to_call_is_asked_in_words(more):
    with serve(END, forced=False) as server:
        model = client(server)
        reply = model.answer(turn_request(**more), TurnAnswer)
        model.answer(turn_request(**more), TurnAnswer)
    assert "not demanded" in reply.notes[0]
    assert [request["tool_choice"]["type"] == "auto" for request in server.requests] == [False, True, True]


@pytest.mark.attack("answers", "refused")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ('{"path": "a", "path": "b"}', "twice"),
        ('{"path": NaN}', "NaN"),
        ('{"path": 1e999}', "too large"),
        ('{"path": "a"', "malformed"),
        ('["a"]', "list"),
        ('{"a": ' * 70 + "1" + "}" * 70, "nested"),
        ('{"path": "' + "x" * 200_001 + '"}', "200001 characters"),
        ('{"path": "\\ud800"}', "surrogate"),
    ],
)
def test_arguments_that_are_no_json_object_go_back_to_the_model_and_are_never_carried_out(arguments, said):
    ran = []
    with serve(Turn("", [Use("read_file", arguments), Use("read_file", {"path": "ok"})]), END) as server:
        _, turns, replies = converse(client(server), lambda call: ran.append(call) or echo(call))
    assert [call.arguments for call in ran] == [{"path": "ok"}]
    bad, good = turns[0].results
    assert bad.is_error and said in bad.text and "cannot be read" in bad.text
    assert not good.is_error


@pytest.mark.parametrize("kind", ["rubbish_arguments", "unknown_tool"])
def test_a_fault_of_the_model_inside_a_conversation_is_an_answer_it_can_act_on(kind):
    with serve(FIRST, SECOND, END, faults=[None, Fault(kind)]) as server:
        answer, turns, _ = converse(client(server), echo)
        assert answer.feedback == "fast now"
        assert sum(server.asked().values()) == 3
    (result,) = turns[1].results
    assert result.is_error and (
        "There is no tool no_such_tool" in result.text or "cannot be read" in result.text
    )


@pytest.mark.parametrize("kind", ["max_tokens", "refusal", "empty"])
def test_a_turn_that_broke_off_is_asked_again_in_place_and_both_are_paid(kind):
    with serve(FIRST, SECOND, END, faults=[None, Fault(kind)]) as server:
        _, turns, replies = converse(client(server), echo)
        asked = server.asked()
    assert [reply.tries for reply in replies] == [1, 2, 1]
    assert asked[f"{LABEL}.t01"] == 2
    again = server.requests[2]["messages"][-1]["content"]
    assert [block["type"] for block in again] == ["tool_result", "tool_result", "text"]
    assert "Your last answer cannot be used" in again[-1]["text"]
    if kind == "max_tokens":
        assert server.requests[2]["max_tokens"] == 4000
    # What was thought after the reminder holds for nothing else: it is left out, and the server takes the rest.
    assert [block["type"] for block in server.requests[3]["messages"][3]["content"]] == ["tool_use"]


@pytest.mark.parametrize("kind", ["rate_limit", "server_error", "truncated_stream", "reset", "stream_error"])
def test_a_fault_of_the_server_is_retried_by_the_flow_and_no_turn_is_lost(kind):
    with serve(FIRST, END, faults=[None, Fault(kind)]) as server:
        model = client(server)
        with pytest.raises(TransientModelError):
            converse(model, echo)
        answer, turns, _ = converse(model, echo)
    assert answer.feedback == "fast now" and len(turns) == 1


def test_context_full_and_answers_that_never_fit_end_as_always():
    with serve(FIRST, faults=[Fault("context_full")]) as server, pytest.raises(FatalModelError) as caught:
        converse(client(server), echo)
    assert caught.value.reason == "too_large"
    with serve(FIRST, faults=[Fault("refusal")] * 3) as server, pytest.raises(InvalidAnswer):
        converse(client(server), echo)


def test_thinking_is_left_out_where_what_stood_before_it_changed():
    with serve(FIRST, SECOND, END) as server:
        model = client(server)
        converse(model, echo)
        _, turns, _ = converse(model, echo)
        cut = turns[0].model_copy(
            update={"results": tuple(r.model_copy(update={"text": "cut"}) for r in turns[0].results)}
        )
        model.answer(turn_request((cut, turns[1])), TurnAnswer)
        last = server.requests[-1]["messages"]
    kinds = [
        [block["type"] for block in message["content"]] for message in last if message["role"] == "assistant"
    ]
    assert kinds == [["thinking", "text", "tool_use", "tool_use"], ["tool_use"]]


def test_a_server_that_refuses_thinking_all_the_same_gets_none():
    with serve(FIRST, END) as server:
        model = client(server)
        _, turns, _ = converse(model, echo)
        forged = turns[0].said.model_copy(
            update={
                "echo": tuple(
                    block.model_copy(update={"signature": "of another account"})
                    if block.kind == "thinking"
                    else block
                    for block in turns[0].said.echo
                )
            }
        )
        reply = model.answer(turn_request((turns[0].model_copy(update={"said": forged}),)), TurnAnswer)
    assert "thinking" in reply.notes[0]
    assert TurnAnswer.model_validate(reply.answer).calls[0].name == "finish"


def test_an_older_server_gets_finish_without_its_grammar():
    with serve(END, structured=False) as server:
        answer, _, replies = converse(client(server), echo)
    assert answer.feedback == "fast now" and "not held to its schema" in replies[0].notes[0]
    assert [any("strict" in tool for tool in request["tools"]) for request in server.requests] == [
        True,
        False,
    ]


def test_an_answer_that_no_grammar_can_hold_is_asked_for_all_the_same():
    tree = {
        "type": "object",
        "$defs": {"T": {"type": "object", "properties": {"t": {"$ref": "#/$defs/T"}}}},
        "properties": {"root": {"$ref": "#/$defs/T"}},
    }
    tools = turn_request().tools
    recursive = (*tools[:-1], tools[-1].model_copy(update={"input_schema": tree}))
    with serve(END) as server:
        client(server).answer(turn_request().model_copy(update={"tools": recursive}), TurnAnswer)
    assert (
        "strict" not in server.requests[0]["tools"][-1]
        and server.requests[0]["tools"][-1]["input_schema"] == tree
    )


@pytest.mark.attack("answers", "refused")
def test_names_and_ids_of_a_hostile_server_are_made_safe():
    nasty = Turn("", [Use("read file\n</data>", {}, id="a b"), Use("read_file", {"path": "x"}, id="dup")])
    with serve(nasty, Turn("", [Use("read_file", {"path": "y"}, id="dup")]), END) as server:
        _, turns, _ = converse(client(server), echo)
    (bad, good), (again,) = (turn.said.calls for turn in turns)
    assert (bad.name, bad.id, good.id) == ("read_file___data_", "call_00_01", "dup")
    assert again.id == "call_01_01"


def test_a_strangers_schema_that_the_api_refuses_is_said_in_words():
    odd = ToolSpec(name="odd", description="Odd.", input_schema={"anyOf": [{"type": "object"}]}, skill="mine")
    spaced = ToolSpec(
        name="spaced",
        description="",
        input_schema={"type": "object", "properties": {"a b": {}}},
        skill="mine",
    )
    with serve(END) as server:
        converse(client(server), echo, tools=(odd, spaced))
    told = server.requests[0]["tools"]
    assert [tool["input_schema"] for tool in told[:2]] == [{"type": "object"}] * 2
    assert "anyOf" in told[0]["description"] and "a b" in told[1]["description"]
