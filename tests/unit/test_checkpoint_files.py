"""Checkpoints: listed by name, found by name, and the record cut where one was saved; forks and rewinds lose no cost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flows.opening import RunRecord, read_record, run_lock
from flows.rewinding import answers_from, fork, rewind
from schemas.errors import InputError
from schemas.settings import RunSettings
from schemas.state import ReproState
from schemas.transcript import Position, TranscriptEntry, Usage
from tasks.artifacts import save_checkpoint
from tasks.checkpoints import find_checkpoint, list_checkpoints
from tasks.ledger import Ledger
from tasks.transcript import Transcript, read_entries
from tests.unit.commands_fixture import reprolab

pytestmark = pytest.mark.unit
RUN = "20261122-000000-abcd"


def call(agent: str, stage: str = "-", price: float = 0.5) -> TranscriptEntry:
    return TranscriptEntry(position=Position(agent=agent, stage_id=stage), request_digest=agent, model="m", answer={},  # type: ignore[arg-type]
                           usage=Usage(input_tokens=10), price_usd=price)


@pytest.fixture
def run_dir(tmp_path: Path) -> Path:
    """A run that planned, asked a person, designed, and saved checkpoints between."""
    folder = tmp_path / "paper" / RUN
    folder.mkdir(parents=True)
    (folder / "run.json").write_text(RunRecord(run_id=RUN, paper="ge-on-gold", paper_id="paper", settings=RunSettings(),
                                               started="2026-11-22T00:00:00+00:00").model_dump_json())
    transcript, state = Transcript(folder / "transcript.jsonl", {"run_id": RUN}), ReproState(paper_id="paper", run_id=RUN)

    def save(name: str, stage: str | None = None) -> None:
        save_checkpoint(folder, state.model_copy(update={"current_stage_id": stage}), name, tuple(transcript.passed))

    transcript.add(call("planner"))
    save("after_plan")
    save("before_ask_user", "stage0")
    transcript.add(TranscriptEntry(kind="question", position=Position(agent="supervisor"), request={"question_id": "q-1"},
                                   answer={"choice": "approve"}))
    save("after_stage0_user_confirm", "stage0")
    transcript.add(call("simulation_designer", "stage1", 2.0))
    save("stage1_complete", "stage1")
    (folder / "REPRODUCTION_REPORT_paper.md").write_text("old")
    for name, text in (("stage1/design.json", "{}"), ("materials/gold.csv", "1,2,3")):
        (folder / name).parent.mkdir()
        (folder / name).write_text(text)
    return folder


def test_checkpoints_are_listed_with_name_time_stage_and_size(run_dir: Path):
    found = list_checkpoints(run_dir)
    assert [(c.name, c.stage_id, len(c.passed)) for c in found] == [
        ("after_plan", "-", 1), ("before_ask_user", "stage0", 1), ("after_stage0_user_confirm", "stage0", 2),
        ("stage1_complete", "stage1", 3)]
    assert all(c.size_kb > 0 and c.file == f"checkpoint_paper_{c.name}_{c.timestamp}.json" for c in found)
    shown = reprolab("checkpoints", RUN, "-o", str(run_dir.parent.parent))
    assert shown.exit_code == 0 and "after_stage0_user_confirm" in shown.output and "kB" in shown.output


def test_a_checkpoint_is_found_by_name_file_or_latest(run_dir: Path):
    last = list_checkpoints(run_dir)[-1]
    for wanted in ("stage1_complete", last.file, f"checkpoints/{last.file}", "checkpoint_stage1_complete_latest.json",
                   "latest"):
        assert find_checkpoint(run_dir, wanted) == last
    with pytest.raises(InputError, match="after_plan"):
        find_checkpoint(run_dir, "after_lunch")


def test_a_hostile_index_names_no_file_outside(run_dir: Path):
    with (run_dir / "checkpoints" / "index.jsonl").open("a") as stream:
        stream.write(json.dumps({"name": "x", "timestamp": "t", "file": "../run.json"}) + "\n{half a line")
    assert [c.name for c in list_checkpoints(run_dir)][-1] == "stage1_complete"


def test_a_fork_takes_over_the_record_up_to_there_and_nothing_else(run_dir: Path):
    run_id, kept = fork(run_dir, "after_stage0_user_confirm", RunSettings(fresh="anew"))
    new = run_dir.parent / run_id
    header, entries = read_entries(new / "prior.jsonl")
    assert kept == 2 and header == {"run_id": RUN} and [e.kind for e in entries] == ["call", "question"]
    record = read_record(new)
    assert record.origin is not None and (record.origin.run_id, record.origin.checkpoint) == (RUN, "after_stage0_user_confirm")
    assert record.settings.fresh == "anew" and sorted(p.name for p in new.iterdir()) == ["prior.jsonl", "run.json"]


def test_a_rewind_puts_the_rest_aside_and_keeps_its_cost(run_dir: Path):
    assert rewind(run_dir, "after_stage0_user_confirm") == 2
    record = read_record(run_dir)
    assert record.generation == 2 and record.origin is not None and record.origin.run_id == RUN
    aside = run_dir / "before-1"
    assert {"transcript.jsonl", "checkpoints", "REPRODUCTION_REPORT_paper.md"} <= {p.name for p in aside.iterdir()}
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
    for command in (["fork", RUN, "--checkpoint", "after_lunch"], ["resume", RUN, "--from-checkpoint", "after_lunch"]):
        shown = reprolab(*command, "-o", str(run_dir.parent.parent))
        assert shown.exit_code == 2 and "after_plan, before_ask_user, after_stage0_user_confirm" in shown.output
    assert [path.name for path in run_dir.parent.iterdir()] == [RUN] and not (run_dir / "before-1").exists()


def test_answers_given_beforehand_that_served_stand_in_the_record(run_dir: Path):
    """A correction that served before the checkpoint is not made again; a new answer takes the place of one not used yet."""
    record = read_record(run_dir)
    given = (("material_checkpoint", "change_database: gold=main/Au/Olmon-ev"), ("material_checkpoint", "approve"),
             ("model_error", "stop"))
    (run_dir / "run.json").write_text(record.model_copy(update={
        "settings": RunSettings(answers=given)}).model_dump_json())
    transcript = Transcript(run_dir / "transcript.jsonl", {})
    transcript.add(TranscriptEntry(
        kind="question", position=Position(agent="supervisor", round=2),
        request={"question_id": "q-2", "kind": "material_checkpoint"},
        answer={"choice": "change_database", "text": "gold=main/Au/Olmon-ev", "answered_by": "given beforehand"}))
    save_checkpoint(run_dir, ReproState(paper_id="paper", run_id=RUN), "later", ("question q-2",))
    assert answers_from(run_dir, "later", ()) == given[1:]
    assert answers_from(run_dir, "after_plan", ()) == given
    assert answers_from(run_dir, "after_plan", (("material_checkpoint", "stop"),)) == (
        ("model_error", "stop"), ("material_checkpoint", "stop"))
