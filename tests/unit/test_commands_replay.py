"""A replay says which recorded answers were left, and refuses changed prompts when it is strict."""

from __future__ import annotations

import pytest
from commands_fixture import reprolab

from agents.models import open_model
from agents.models.replay import ReplayModel
from flows import terminal
from flows.console import Console
from flows.outcome import Outcome, final_state
from flows.replaying import left_unused
from schemas.errors import ReplayError
from schemas.execution import ExperimentResult
from schemas.review import ReviewAnswer
from schemas.settings import RunSettings
from schemas.transcript import Position, TranscriptEntry
from tests.messages_server.examples import a_call, a_request, write_transcript

pytestmark = pytest.mark.unit


def question(kind: str, name: str) -> TranscriptEntry:
    return TranscriptEntry(kind="question", position=Position(agent="supervisor"), answer={"choice": "retry"},
                           request={"question_id": name, "kind": kind, "title": "?"})


@pytest.fixture
def model(tmp_path) -> ReplayModel:
    result = ExperimentResult(question="?", code="", exit_code=0, output="")
    condensed = a_call(agent="planner", stage_id="-").model_copy(update={"prompt_id": "feedback_summary"})
    return ReplayModel(write_transcript(
        tmp_path / "t.jsonl", a_call(), a_call(round=2), question("material_checkpoint", "q-1"),
        question("model_error", "q-2"), condensed,
        TranscriptEntry(kind="experiment", position=Position(agent="code_generator", stage_id="film", step=1),
                        answer=result.model_dump(mode="json"))))


def test_what_is_left_is_named_with_agent_stage_and_round(model):
    model.answer(a_request(), ReviewAnswer)
    assert left_unused(model) == (
        "the answer of design_reviewer (stage film, attempt 1, round 2, step 0; line 3)",
        "a person's answer to q-1 (stage -; line 4)",
        "an experiment of code_generator (stage film, attempt 1, round 1, step 1; line 7)")


def test_judged_and_given_answers_and_faults_of_the_old_model_are_not_left(model):
    for label in ("design_reviewer.film.1.1.0", "design_reviewer.film.1.2.0"):
        model.mark_used(label)
    model.mark_used("q-1", "question")
    model.experiment(Position(agent="code_generator", stage_id="film", step=1))
    assert left_unused(model) == ()


def outcome(tmp_path, **changes) -> Outcome:
    return Outcome.model_validate({"paper_id": "film", "run_id": "r1", "report": str(tmp_path / "r.md"), "html": "r.html",
                                   "complete": True, "success": 1, "partial": 0, "failure": 0, **changes})


@pytest.mark.parametrize("changes, code", [
    ({}, 0), ({"unused_recordings": ("the answer of planner",)}, 6),
    ({"complete": False}, 5), ({"complete": False, "unused_recordings": ("the answer of planner",)}, 5)])
def test_exit_code_and_summary_say_that_recordings_are_left(changes, code, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(terminal, "reproduce_paper", lambda **parameters: outcome(tmp_path, **changes))
    assert terminal.run_in_terminal("film", RunSettings(), tmp_path, "", Console(quiet=True)) == code
    assert ("unused: the answer of planner" in capsys.readouterr().out) == (code == 6)
    assert "another course" not in terminal.summary(outcome(tmp_path), Console(quiet=True))


@pytest.mark.parametrize("changes, kind, name", [
    ({"verdict": "Reproduced"}, "COMPLETED", "Completed"), ({"verdict": "Partly reproduced"}, "FAILED", "Partial"),
    ({"verdict": "Not reproduced"}, "FAILED", "NotReproduced"), ({"verdict": "Nothing was compared"}, "FAILED", "NotTested"),
    ({"verdict": "Reproduced", "complete": False, "stop_reason": "the time is up"}, "FAILED", "Stopped"),
    ({"verdict": "Reproduced", "unused_recordings": ("the answer of planner",)}, "FAILED", "OtherCourse")])
def test_the_flow_run_is_completed_only_where_the_paper_was_reproduced(changes, kind, name, tmp_path):
    state = final_state(outcome(tmp_path, **changes))
    assert (state.type.value, state.name) == (kind, name)
    assert "1 of 1 SUCCESS, 0 PARTIAL, 0 FAILURE" in state.message and "r.html" in state.message


def test_exit_code_6_is_in_the_help():
    assert " 6 the" in " ".join(reprolab("--help").output.replace("\u2502", " ").split())


def test_strict_on_the_command_line_refuses_a_changed_prompt(tmp_path, monkeypatch):
    started = []
    monkeypatch.setattr("flows.cli._run", lambda paper, settings, outputs, run_id: started.append(settings))
    path = write_transcript(tmp_path / "t.jsonl", a_call(prompt_digest="old"))
    for words in (("--strict",), ()):
        assert reprolab("reproduce", "ge-on-gold", "--transcript", str(path), *words).exit_code == 0
    strict, tolerant = (open_model(settings, transcript=None, requests_dir=tmp_path, interactive=False)
                        for settings in started)
    with pytest.raises(ReplayError, match="design_reviewer.film.1.1.0 changed since it was recorded, and replay is strict"):
        strict.answer(a_request(prompt_digest="new"), ReviewAnswer)
    assert "changed since recording" in " ".join(tolerant.answer(a_request(prompt_digest="new"), ReviewAnswer).notes)
