"""A replay says which recorded answers were left, and refuses changed prompts when it is strict."""

from __future__ import annotations

import pytest
from prefect.states import Failed

from agents.models import open_model
from agents.models.replay import ReplayModel
from flows.calls.replaying import left_unused
from flows.reproduce import terminal
from flows.reproduce.outcome import Outcome, final_state
from flows.run.turn import waiting_state
from flows.terminal.console import Console
from schemas.errors import AwaitingAnswer, ReplayError
from schemas.reproduce.settings import RunSettings
from schemas.reproduce.simulations.debugging import DebugSummary
from schemas.reproduce.simulations.execution import ExperimentResult
from schemas.talking.review import ReviewAnswer
from schemas.talking.transcript import Position, TranscriptEntry
from tasks.files.transcript import Transcript
from tests.messages_server.examples import a_call, a_request, write_transcript
from tests.unit.commands.commands_fixture import reprolab

pytestmark = pytest.mark.unit


def question(kind: str, name: str) -> TranscriptEntry:
    return TranscriptEntry(
        kind="question",
        position=Position(agent="supervisor"),
        answer={"choice": "retry"},
        request={"question_id": name, "kind": kind, "title": "?"},
    )


@pytest.fixture
def model(tmp_path) -> ReplayModel:
    result = ExperimentResult(question="?", code="", exit_code=0, output="")
    condensed = a_call(agent="planner", stage_id="-").model_copy(update={"prompt_id": "feedback_summary"})
    return ReplayModel(
        write_transcript(
            tmp_path / "t.jsonl",
            a_call(),
            a_call(round=2),
            question("material_checkpoint", "q-1"),
            question("model_error", "q-2"),
            condensed,
            TranscriptEntry(
                kind="experiment",
                position=Position(agent="code_generator", stage_id="film", step=1),
                answer=result.model_dump(mode="json"),
            ),
        )
    )


def test_what_is_left_is_named_with_agent_stage_and_round(model, tmp_path):
    model.answer(a_request(), ReviewAnswer)
    assert left_unused(model, Transcript(tmp_path / "own.jsonl", {})) == (
        "the answer of design_reviewer (stage film, attempt 1, round 2, step 0; line 3)",
        "a person's answer to q-1 (stage -; line 4)",
        "an experiment of code_generator (stage film, attempt 1, round 1, step 1; line 7)",
    )


def test_judged_and_given_answers_and_faults_of_the_old_model_are_not_left(model, tmp_path):
    for label in ("design_reviewer.film.1.1.0", "design_reviewer.film.1.2.0"):
        model.mark_used(label)
    model.mark_used("q-1", "question")
    model.experiment(Position(agent="code_generator", stage_id="film", step=1), ExperimentResult)
    assert left_unused(model, Transcript(tmp_path / "own.jsonl", {})) == ()


def test_what_an_earlier_process_of_the_run_asked_is_not_left(model, tmp_path):
    """A tool that had ended, such as the ideas of an exploration, is not done again, so its calls are not made again."""
    own = Transcript(tmp_path / "own.jsonl", {})
    for entry in (a_call(), a_call(round=2), question("material_checkpoint", "q-1")):
        own.add(entry)
    resumed = Transcript(tmp_path / "own.jsonl", {})
    assert left_unused(model, resumed) == (
        "an experiment of code_generator (stage film, attempt 1, round 1, step 1; line 7)",
    )


def outcome(tmp_path, **changes) -> Outcome:
    return Outcome.model_validate(
        {
            "paper_id": "film",
            "run_id": "r1",
            "report": str(tmp_path / "r.md"),
            "html": "r.html",
            "complete": True,
            "verdict": "Reproduced",
            "success": 1,
            "partial": 0,
            "failure": 0,
            **changes,
        }
    )


LEFT = {"unused_recordings": ("the answer of planner",)}


@pytest.mark.parametrize(
    "changes, kind, name, code",
    [
        ({}, "COMPLETED", "Completed", 0),
        ({"verdict": "Partly reproduced"}, "FAILED", "Partial", 10),
        ({"verdict": "Not reproduced"}, "FAILED", "NotReproduced", 11),
        ({"verdict": "Nothing was compared"}, "FAILED", "NotTested", 12),
        ({"verdict": "Main claim not tested"}, "FAILED", "NotTested", 12),
        ({"complete": False, "stop_reason": "the time is up"}, "FAILED", "Stopped", 5),
        ({"complete": False, **LEFT}, "FAILED", "Stopped", 5),
        (LEFT, "FAILED", "OtherCourse", 6),
        ({"verdict": "Not reproduced", **LEFT}, "FAILED", "OtherCourse", 6),
    ],
)
def test_state_exit_code_and_summary_tell_the_end_of_a_run(
    changes, kind, name, code, tmp_path, monkeypatch, capsys
):
    """Completed and 0 only where the paper was reproduced."""
    state = final_state(outcome(tmp_path, **changes))
    assert (state.type.value, state.name) == (kind, name)
    assert "1 of 1 SUCCESS, 0 PARTIAL, 0 FAILURE" in state.message and "r.html" in state.message
    monkeypatch.setattr(terminal, "reproduce_paper", lambda **parameters: state)
    assert terminal.run_in_terminal("film", RunSettings(), tmp_path, "", Console(quiet=True)) == code
    said = capsys.readouterr().out
    assert ("unused: the answer of planner" in said) == (code == 6)
    assert (f"exit code {code} ({name}): the run did its work" in said) == (code != 0)


def test_a_debug_run_that_finishes_judges_nothing_and_ends_well(tmp_path):
    found = DebugSummary.model_construct(paper_id="film")
    assert [
        outcome(tmp_path, verdict="", diagnosis=found, complete=complete).end.code
        for complete in (True, False)
    ] == [0, 5]


def test_a_question_that_nobody_answered_says_how_to_go_on_from_the_browser():
    state = waiting_state("20261122-1", AwaitingAnswer("nobody answered in 5 s: Are the materials right?"))
    assert (state.type.value, state.name) == ("FAILED", "Waiting")
    assert (
        "Are the materials right?" in state.message
        and "press Retry" in state.message
        and "20261122-1" in state.message
    )


def test_an_error_of_the_flow_reaches_the_terminal(tmp_path, monkeypatch):
    monkeypatch.setattr(
        terminal, "reproduce_paper", lambda **parameters: Failed(data=ReplayError("no answer is recorded"))
    )
    with pytest.raises(ReplayError, match="no answer is recorded"):
        terminal.run_in_terminal("film", RunSettings(), tmp_path, "", Console(quiet=True))


def test_exit_codes_are_in_the_help():
    said = " ".join(reprolab("--help").output.replace("\u2502", " ").split())
    assert all(
        words in said for words in (" 6 the", "10 partly reproduced", "11 not reproduced", "12 nothing")
    )


def test_strict_on_the_command_line_refuses_a_changed_prompt(tmp_path, monkeypatch):
    started = []
    monkeypatch.setattr("flows.cli._run", lambda paper, settings, outputs, run_id: started.append(settings))
    path = write_transcript(tmp_path / "t.jsonl", a_call(prompt_digest="old"))
    for words in (("--strict",), ()):
        assert reprolab("reproduce", "ge-on-gold", "--transcript", str(path), *words).exit_code == 0
    strict, tolerant = (
        open_model(settings, transcript=None, requests_dir=tmp_path, interactive=False)
        for settings in started
    )
    with pytest.raises(
        ReplayError, match="design_reviewer.film.1.1.0 changed since it was recorded, and replay is strict"
    ):
        strict.answer(a_request(prompt_digest="new"), ReviewAnswer)
    assert "changed since recording" in " ".join(
        tolerant.answer(a_request(prompt_digest="new"), ReviewAnswer).notes
    )
