"""What is kept and shown of a conversation: new results only, the turn, who is charged."""

from __future__ import annotations

import pytest

from agents.models.messages.messages_api import MessagesModel
from flows.calls.calling import _readable
from flows.commands.transcripts import block
from schemas.talking.transcript import Position, TranscriptEntry, placed
from schemas.talking.turns import TurnAnswer
from tests.messages_server import MessagesServer, Turn, Use, context_answerer
from tests.messages_server.examples import write_transcript
from tests.unit.models.turns_fixture import PLACE, past, picture, settings, turn_request

pytestmark = pytest.mark.unit
CALL = {"id": "a", "name": "read_file", "arguments": {"path": "a.py"}}


def entry(turn: int, answer: dict, request=None, **place) -> TranscriptEntry:
    asked = request or turn_request()
    return TranscriptEntry(
        position=PLACE.model_copy(update={"turn": turn, **place}),
        answer=answer,
        prompt_id="p",
        request=_readable(asked),
    )


def test_a_later_turn_keeps_what_is_new_and_is_shown_with_it(tmp_path):
    turns = (
        past(("read_file", {"path": "a"}, "first")),
        past(("plot", {}, "second"), images=(picture(tmp_path / "p.png"),)),
    )
    kept = _readable(turn_request(turns))
    assert [result["text"] for result in kept["results"]] == ["second"] and len(
        kept["results"][0]["images"]
    ) == 1
    assert "context" not in kept and kept["answer_type"] == "TurnAnswer"
    assert [section["title"] for section in _readable(turn_request())["context"]] == ["task"]
    said = entry(
        2,
        {"text": "on", "calls": [CALL], "echo": [{"kind": "thinking", "text": "hm"}], "prefix": "abc"},
        turn_request(turns),
    )
    shown = "\n".join(block(7, said, full=False))
    assert "turn 3" in shown and "read_file" in shown and "abc" not in shown
    assert "second" in "\n".join(block(7, said, full=True))


@pytest.mark.parametrize(
    "place",
    [
        Position(agent="coder", stage_id="n0.1", turn=4),
        Position(agent="planner"),
        Position(agent="coder", stage_id="n003", turn=123),
    ],
)
def test_a_label_names_agent_and_stage_whatever_the_turn(place):
    assert placed(place.label()) == (place.agent, place.stage_id)


def test_the_most_alike_conversation_answers_turn_by_turn(tmp_path, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.setattr("tests.messages_server.alike._AGENTS", {"# CoderAgent\n": "coder"})
    other = turn_request().model_copy(
        update={
            "context": tuple(
                section.model_copy(update={"text": "draw a plot of the spectrum"})
                for section in turn_request().context
            )
        }
    )
    lines = []
    for stage, asked, word in (("n001", other, "plot"), ("n002", turn_request(), "fast")):
        lines.append(entry(0, {"text": word, "calls": [CALL]}, asked, stage_id=stage))
        later = asked.model_copy(update={"turns": (past(("read_file", {}, "x")),)})
        lines.append(entry(1, {"text": f"{word} again", "calls": [CALL]}, later, stage_id=stage))
    with MessagesServer(context_answerer(write_transcript(tmp_path / "t.jsonl", *lines))) as server:
        model = MessagesModel(settings(base_url=server.base_url).model)
        turns = ()
        for word in ("fast", "fast again"):
            said = TurnAnswer.model_validate(model.answer(turn_request(turns), TurnAnswer).answer)
            assert said.text == word
            turns += (past(("read_file", {}, "x")),)


def test_more_calls_than_are_carried_out_are_asked_for_again(monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    said = [
        Turn("", [Use("read_file", {"path": str(n)}) for n in range(33)]),
        Turn("", [Use("read_file", {"path": "a"})]),
    ]
    with MessagesServer(lambda request: said.pop(0)) as server:
        reply = MessagesModel(settings(base_url=server.base_url).model).answer(turn_request(), TurnAnswer)
    assert reply.tries == 2 and len(reply.answer["calls"]) == 1 and "32" in reply.notes[0]
