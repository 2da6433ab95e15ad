"""Replay answers by position, says what changed and what was never asked, and names broken lines."""

from __future__ import annotations

import json

import pytest

from agents.models import InvalidAnswer, open_model
from agents.models.replay import ReplayModel
from schemas.errors import InputError, ReplayError
from schemas.reproduce.settings import RunSettings
from schemas.reproduce.simulations.execution import ExperimentResult
from schemas.run.settings import ModelSettings
from schemas.talking.review import ReviewAnswer
from schemas.talking.transcript import Position, TranscriptEntry
from tests.messages_server.examples import REVIEW, a_call, a_request, write_transcript

pytestmark = pytest.mark.unit


def test_answers_by_position_at_no_price(tmp_path):
    later = {**REVIEW, "feedback": "second round"}
    model = ReplayModel(write_transcript(tmp_path / "t.jsonl", a_call(), a_call(later, round=2)))
    reply = model.answer(a_request(round=2), ReviewAnswer)
    assert reply.answer == later
    assert reply.price_usd is None
    assert reply.usage.input_tokens is None
    assert model.header["paper_id"] == "film"
    assert model.unused() == ["call design_reviewer.film.1.1.0"]
    model.mark_used("design_reviewer.film.1.1.0")
    assert model.unused() == []


def test_a_missing_position_is_named_with_its_neighbours(tmp_path):
    model = ReplayModel(
        write_transcript(tmp_path / "t.jsonl", a_call(), a_call(agent="planner", stage_id="-"))
    )
    with pytest.raises(ReplayError) as caught:
        model.answer(a_request(round=4), ReviewAnswer)
    assert "design_reviewer for stage film, attempt 1, round 4" in str(caught.value)
    assert "nearest recorded: design_reviewer.film.1.1.0" in str(caught.value)


def test_a_changed_prompt_is_noted_or_refused_when_strict(tmp_path):
    path = write_transcript(tmp_path / "t.jsonl", a_call(prompt_digest="old"))
    reply = ReplayModel(path).answer(a_request(prompt_digest="new"), ReviewAnswer)
    assert any("changed since recording (old -> new)" in note for note in reply.notes)
    with pytest.raises(ReplayError, match="strict"):
        ReplayModel(path, strict=True).answer(a_request(prompt_digest="new"), ReviewAnswer)
    ReplayModel(path, strict=True).answer(a_request(prompt_digest="old"), ReviewAnswer)


def test_a_recorded_answer_is_validated_like_any_other(tmp_path):
    model = ReplayModel(write_transcript(tmp_path / "t.jsonl", a_call({"verdict": "fine"})))
    with pytest.raises(InvalidAnswer, match=r"t\.jsonl, line 2"):
        model.answer(a_request(), ReviewAnswer)


def test_experiments_and_questions_come_back(tmp_path):
    position = Position(agent="simulation_designer", stage_id="film", step=1)
    result = ExperimentResult(question="is 20 enough?", code="print(1)", exit_code=0, output="1")
    asked = {"choice": "approve", "text": "", "answered_by": "terminal"}
    model = ReplayModel(
        write_transcript(
            tmp_path / "t.jsonl",
            TranscriptEntry(kind="experiment", position=position, answer=result.model_dump(mode="json")),
            TranscriptEntry(
                kind="question",
                position=Position(agent="supervisor"),
                request={"question_id": "q-1"},
                answer=asked,
            ),
        )
    )
    assert model.unused() == ["experiment simulation_designer.film.1.1.1", "question q-1"]
    assert model.experiment(position, ExperimentResult) == result
    answer = model.question("q-1")
    assert answer is not None
    assert (answer.choice, answer.answered_by) == ("approve", "recorded")
    assert model.experiment(position.model_copy(update={"step": 2}), ExperimentResult) is None
    assert model.question("q-2") is None
    assert model.unused() == []


def test_the_last_recording_of_a_position_counts_and_is_noted(tmp_path):
    path = write_transcript(tmp_path / "t.jsonl", a_call(), a_call({**REVIEW, "feedback": "after the crash"}))
    reply = ReplayModel(path).answer(a_request(), ReviewAnswer)
    assert reply.answer["feedback"] == "after the crash"
    assert any("more than once" in note for note in reply.notes)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{broken", "line 3: not a line of JSON"),
        ("[]", "line 3: not an object"),
        (json.dumps({"position": {"agent": "No body"}, "answer": {}}), "line 3: this is no transcript entry"),
        ('{"answer": {}, "answer": {}}', "twice"),
        (
            TranscriptEntry(
                kind="question", position=Position(agent="supervisor"), answer={}
            ).model_dump_json(),
            "without its id",
        ),
    ],
)
def test_a_malformed_line_is_named(tmp_path, line, said):
    with pytest.raises(ReplayError, match=said):
        ReplayModel(write_transcript(tmp_path / "t.jsonl", a_call(), line))


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "empty"), (b"\xff\xfe\x00", "UTF-8"), (a_call().model_dump_json().encode(), "no header")],
)
def test_a_file_that_is_no_transcript_is_refused(tmp_path, content, said):
    path = tmp_path / "t.jsonl"
    path.write_bytes(content)
    with pytest.raises(ReplayError, match=said):
        ReplayModel(path)
    with pytest.raises(ReplayError, match="cannot be read"):
        ReplayModel(tmp_path / "missing.jsonl")


def test_open_model_prefers_the_transcript_of_the_settings(tmp_path):
    own = write_transcript(tmp_path / "own.jsonl", a_call())
    papers = write_transcript(tmp_path / "paper.jsonl")
    settings = RunSettings(model=ModelSettings(kind="replay", transcript=str(own)))
    model = open_model(settings, transcript=papers, requests_dir=tmp_path, interactive=False)
    assert model.kind == "replay"
    assert model.answer(a_request(), ReviewAnswer).answer == REVIEW
    with pytest.raises(InputError, match="no transcript"):
        open_model(RunSettings(), transcript=None, requests_dir=tmp_path, interactive=False)
