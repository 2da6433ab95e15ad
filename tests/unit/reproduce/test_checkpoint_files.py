"""Checkpoints: listed by name, found by name, and the record cut where one was saved; forks and rewinds lose no cost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from flows.questions.answers import given_beforehand
from flows.reproduce.kept_records import RunRecord, read_record
from flows.reproduce.rewinding import answers_now, fork, rewind
from flows.run.records import run_lock
from schemas.errors import InputError
from schemas.reproduce.settings import RunSettings
from schemas.reproduce.state import ReproState
from schemas.talking.interaction import Choice, Question, UserInteraction
from schemas.talking.transcript import Position, TranscriptEntry, Usage
from tasks.files.artifacts import save_checkpoint
from tasks.files.checkpoints import find_checkpoint, list_checkpoints
from tasks.files.ledger import Ledger, Loss
from tasks.files.transcript import Transcript, read_entries
from tests.unit.commands.commands_fixture import reprolab

pytestmark = pytest.mark.unit
RUN = "20261122-000000-abcd"


def call(agent: str, stage: str = "-", price: float = 0.5) -> TranscriptEntry:
    return TranscriptEntry(
        position=Position(agent=agent, stage_id=stage),
        request_digest=agent,
        model="m",
        answer={},  # type: ignore[arg-type]
        usage=Usage(input_tokens=10),
        price_usd=price,
    )


@pytest.fixture
def run_dir(tmp_path: Path) -> Path:
    """A run that planned, asked a person, designed, and saved checkpoints between."""
    folder = tmp_path / "paper" / RUN
    folder.mkdir(parents=True)
    (folder / "run.json").write_text(
        RunRecord(
            run_id=RUN,
            paper="ge-on-gold",
            paper_id="paper",
            settings=RunSettings(),
            started="2026-11-22T00:00:00+00:00",
        ).model_dump_json()
    )
    transcript, state = (
        Transcript(folder / "transcript.jsonl", {"run_id": RUN}),
        ReproState(paper_id="paper", run_id=RUN),
    )

    def save(name: str, stage: str | None = None) -> None:
        save_checkpoint(
            folder, state.model_copy(update={"current_stage_id": stage}), name, tuple(transcript.passed)
        )

    transcript.add(call("planner"))
    save("after_plan")
    save("before_ask_user", "stage0")
    transcript.add(
        TranscriptEntry(
            kind="question",
            position=Position(agent="supervisor"),
            request={"question_id": "q-1"},
            answer={"choice": "approve"},
        )
    )
    save("after_stage0_user_confirm", "stage0")
    transcript.add(call("simulation_designer", "stage1", 2.0))
    save("stage1_complete", "stage1")
    (folder / "REPRODUCTION_REPORT_paper.md").write_text("old")
    for name, text in (
        ("stage1/design.json", "{}"),
        ("materials/gold.csv", "1,2,3"),
        ("materials/handed_in/silver.csv", "4"),
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_checkpoints_are_listed_with_name_time_stage_and_size(run_dir: Path):
    found = list_checkpoints(run_dir)
    assert [(c.name, c.stage_id, len(c.passed)) for c in found] == [
        ("after_plan", "-", 1),
        ("before_ask_user", "stage0", 1),
        ("after_stage0_user_confirm", "stage0", 2),
        ("stage1_complete", "stage1", 3),
    ]
    assert all(c.size_kb > 0 and c.file == f"checkpoint_paper_{c.name}_{c.timestamp}.json" for c in found)
    shown = reprolab("checkpoints", RUN, "-o", str(run_dir.parent.parent))
    assert shown.exit_code == 0 and "after_stage0_user_confirm" in shown.output and "kB" in shown.output


def test_a_checkpoint_is_found_by_name_file_or_latest(run_dir: Path):
    last = list_checkpoints(run_dir)[-1]
    for wanted in (
        "stage1_complete",
        last.file,
        f"checkpoints/{last.file}",
        "checkpoint_stage1_complete_latest.json",
        "latest",
    ):
        assert find_checkpoint(run_dir, wanted) == last
    with pytest.raises(InputError, match="after_plan"):
        find_checkpoint(run_dir, "after_lunch")


def test_a_hostile_index_names_no_file_outside(run_dir: Path):
    with (run_dir / "checkpoints" / "index.jsonl").open("a") as stream:
        stream.write(
            json.dumps({"name": "x", "timestamp": "20261122_000000_000000", "file": "../run.json"})
            + "\n{half a line"
        )
        stream.write("\n" + json.dumps({"name": "x", "timestamp": "soon", "file": "index.jsonl"}) + "\n")
    assert [c.name for c in list_checkpoints(run_dir)][-1] == "stage1_complete"


def test_a_fork_takes_over_the_record_up_to_there_and_nothing_else(run_dir: Path):
    run_id, kept = fork(run_dir, "after_stage0_user_confirm", RunSettings(fresh="anew"))
    new = run_dir.parent / run_id
    header, entries = read_entries(new / "prior.jsonl")
    assert kept == 2 and header == {"run_id": RUN} and [e.kind for e in entries] == ["call", "question"]
    record = read_record(new)
    assert [(origin.run_id, origin.checkpoint) for origin in record.origins] == [
        (RUN, "after_stage0_user_confirm")
    ]
    assert record.settings.fresh == "anew" and record.generation == 1
    assert sorted(str(p.relative_to(new)) for p in new.rglob("*") if p.is_file()) == [
        "materials/handed_in/silver.csv",
        "prior.jsonl",
        "run.json",
    ]  # an answer that names the table keeps its meaning


def test_a_rewind_puts_the_rest_aside_and_keeps_its_cost(run_dir: Path):
    assert rewind(run_dir, "after_stage0_user_confirm") == 2
    record = read_record(run_dir)
    assert record.generation == 2 and [origin.run_id for origin in record.origins] == [RUN]
    aside = run_dir / "before-1"
    assert {"transcript.jsonl", "checkpoints", "REPRODUCTION_REPORT_paper.md"} <= {
        p.name for p in aside.iterdir()
    }
    assert not (run_dir / "transcript.jsonl").exists() and len(read_entries(run_dir / "prior.jsonl")[1]) == 2
    assert not (run_dir / "stage1").exists() and (aside / "stage1" / "design.json").read_text() == "{}"
    assert (run_dir / "materials" / "gold.csv").is_file()  # handed in by a person
    [loss] = Ledger(run_dir / "failed_calls.jsonl").losses
    assert (loss.label, loss.price_usd) == ("simulation_designer.stage1.1.1.0", 2.0)


def test_a_run_that_is_being_worked_on_is_forked_but_not_taken_back(run_dir: Path):
    with (run_dir / "transcript.jsonl").open("ab") as stream:
        stream.write(b'{"position": {"agent": "plan')  # half a line, on its way
    with run_lock(run_dir):
        with pytest.raises(InputError, match="is being worked on"):
            rewind(run_dir, "after_plan")
        assert not (run_dir / "before-1").exists() and (run_dir / "transcript.jsonl").is_file()
        assert fork(run_dir, "after_plan", RunSettings())[1] == 1


def test_a_bad_name_lists_the_checkpoints_and_changes_nothing(run_dir: Path):
    for command in (
        ["fork", RUN, "--checkpoint", "after_lunch"],
        ["resume", RUN, "--from-checkpoint", "after_lunch"],
    ):
        shown = reprolab(*command, "-o", str(run_dir.parent.parent))
        assert (
            shown.exit_code == 2 and "after_plan, before_ask_user, after_stage0_user_confirm" in shown.output
        )
    assert [path.name for path in run_dir.parent.iterdir()] == [RUN] and not (run_dir / "before-1").exists()


@pytest.mark.parametrize("written", ["nothing", "the costs", "everything but run.json"])
def test_a_killed_rewind_is_undone_when_the_run_is_opened(
    run_dir: Path, monkeypatch: pytest.MonkeyPatch, written: str
):
    Ledger(run_dir / "failed_calls.jsonl").add(
        Loss(label="planner.-.1.1.0", model="m", reason="r", usage=Usage(), price_usd=1.0)
    )
    before = {path: path.read_bytes() for path in run_dir.rglob("*") if path.is_file()}

    def killed(path: Path, data: str) -> None:
        if written == "nothing" or path.name == "run.json":
            raise KeyboardInterrupt
        path.write_text(data)
        if written == "the costs" and path.name == "failed_calls.jsonl":
            raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr("flows.reproduce.rewinding.atomic_write", killed)
        rewind(run_dir, "after_plan")
    assert (run_dir / "before-1").is_dir() and not (run_dir / "transcript.jsonl").exists()
    shown = reprolab("checkpoints", RUN, "-o", str(run_dir.parent.parent))
    assert "stage1_complete" in shown.output
    left = {path: path.read_bytes() for path in before if path.name != ".lock"}
    assert left == {path: data for path, data in before.items() if path.name != ".lock"}
    assert rewind(run_dir, "after_plan") == 1
    assert sorted(loss.price_usd for loss in Ledger(run_dir / "failed_calls.jsonl").losses) == [1.0, 2.0]  # type: ignore[type-var]


def test_what_a_resumed_run_saved_again_is_listed_once(run_dir: Path):
    last = list_checkpoints(run_dir)[-1]
    save_checkpoint(
        run_dir, ReproState(paper_id="paper", run_id=RUN, current_stage_id="stage1"), last.name, last.passed
    )
    assert len(list_checkpoints(run_dir)) == 5
    assert (
        reprolab("checkpoints", RUN, "-o", str(run_dir.parent.parent)).output.count("stage1_complete ") == 1
    )


def _with_answers(run_dir: Path, *given: tuple[str, str]) -> None:
    record = read_record(run_dir).model_copy(update={"settings": RunSettings(answers=given)})
    (run_dir / "run.json").write_text(record.model_dump_json())


def _served(run_dir: Path, kind: str, choice: str, text: str = "") -> None:
    Transcript(run_dir / "transcript.jsonl", {}).add(
        TranscriptEntry(
            kind="question",
            position=Position(agent="supervisor", round=2),
            request={"question_id": f"q-{kind}", "kind": kind},
            answer={"choice": choice, "text": text, "answered_by": "given beforehand"},
        )
    )


def test_a_new_answer_replaces_those_given_before_that_have_not_served(run_dir: Path):
    """One that served stays, where it is counted; a checkpoint before it makes it one that has not served."""
    given = (
        ("material_checkpoint", "change_database: gold=main/Au/Olmon-ev"),
        ("material_checkpoint", "approve"),
        ("model_error", "stop"),
    )
    _with_answers(run_dir, *given)
    _served(run_dir, "material_checkpoint", "change_database", "gold=main/Au/Olmon-ev")
    new = (("material_checkpoint", "stop"),)
    assert answers_now(run_dir, ()) == given
    assert answers_now(run_dir, new) == (given[0], given[2], *new)
    assert answers_now(run_dir, new, "stage1_complete") == (given[2], *new)


def test_retry_given_again_on_resume_serves_again(run_dir: Path):
    _with_answers(run_dir, ("model_error", "retry"))
    _served(run_dir, "model_error", "retry")
    question = Question(
        question_id="q-2",
        kind="model_error",
        title="t",
        body="",
        choices=(Choice(name="retry", effect=""),),
        reason="r",
    )
    asked = UserInteraction(
        id="U1",
        timestamp="",
        interaction_type="model_error",
        stage_id=None,
        agent="planner",
        reason="",
        question="",
        user_response="retry",
        answered_by="given beforehand",
        impact="",
    )
    assert given_beforehand(answers_now(run_dir, ()), question, (asked,)) is None
    assert given_beforehand(answers_now(run_dir, (("model_error", "retry"),)), question, (asked,)) == "retry"


def test_prefect_is_not_read_before_its_server_is_named():
    """Prefect keeps the settings it finds when it is imported; going back comes before the embedded server's start."""
    code = "import sys, flows.cli, flows.reproduce.rewinding, flows.commands.checkpoints; sys.exit('prefect' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
