"""Files a run leaves: checkpoints and artifacts for people, and a transcript that survives a kill."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from flows.explore import opening as opening_explore
from flows.reproduce import opening as opening_reproduce
from flows.run.records import find_record
from flows.run.retrying import remember_run, run_of_flow_run, turn_of_flow_run
from flows.study import opening as opening_study
from flows.terminal.console import Console
from schemas.errors import DiskReadForbidden, InputError
from schemas.explore.settings import ExploreSettings
from schemas.reproduce.settings import RunSettings
from schemas.reproduce.state import ReproState
from schemas.run.settings import ModelSettings
from schemas.study.settings import StudySettings
from schemas.talking.transcript import Position, TranscriptEntry
from tasks.files.artifacts import load_plan_from_disk, read_artifact_for_debugging, save_checkpoint
from tasks.files.store import Store
from tasks.files.transcript import Transcript, read_entries
from tasks.reproduce.state_files import save_artifacts
from tests.unit.reproduce.test_flow_selection import stage, state

pytestmark = pytest.mark.unit


def _entry(round_number: int) -> TranscriptEntry:
    return TranscriptEntry(position=Position(agent="planner", round=round_number), answer={"n": round_number})


def test_a_checkpoint_holds_the_whole_state_and_latest_follows(tmp_path: Path) -> None:
    first = save_checkpoint(tmp_path, state(), "after_plan")
    run = state(stage("a"))
    second = save_checkpoint(tmp_path, run, "after_plan")
    assert first != second and first.is_file()
    latest = tmp_path / "checkpoints" / "checkpoint_after_plan_latest.json"
    assert latest.resolve() == second.resolve()
    assert ReproState.model_validate_json(latest.read_text()) == run


def test_artifacts_mirror_the_state_and_never_decide(tmp_path: Path) -> None:
    save_artifacts(tmp_path, state(stage("a"), a="blocked"))
    with pytest.warns(UserWarning, match="may be behind"):
        progress = read_artifact_for_debugging(tmp_path / "_artifact_progress.json", "a test")
    assert [entry["status"] for entry in progress["stages"]] == ["not_started", "blocked"]
    assert "a test read _artifact_progress.json" in (tmp_path / "_artifact_access_log.txt").read_text()
    with pytest.raises(DiskReadForbidden, match="artifact file"):
        load_plan_from_disk(tmp_path)


def test_an_entry_is_written_once_whatever_is_resumed(tmp_path: Path) -> None:
    path = tmp_path / "transcript.jsonl"
    transcript = Transcript(path, {"run_id": "r"})
    assert transcript.add(_entry(1)) and not transcript.add(_entry(1))
    resumed = Transcript(path, {"run_id": "another"})
    assert not resumed.add(_entry(1)) and resumed.add(_entry(2))
    header, entries = read_entries(path)
    assert header == {"run_id": "r"} and [entry.answer["n"] for entry in entries] == [1, 2]


def test_a_line_cut_off_by_a_kill_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "transcript.jsonl"
    Transcript(path, {}).add(_entry(1))
    with path.open("ab") as stream:
        stream.write(_entry(2).model_dump_json().encode()[:40])
    resumed = Transcript(path, {})
    assert resumed.add(_entry(2)), "the cut-off entry counts as not written"
    assert [entry.answer["n"] for entry in read_entries(path)[1]] == [1, 2]


def test_a_transcript_that_is_none_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "transcript.jsonl"
    path.write_text(json.dumps({"header": {}}) + "\n{\n")
    with pytest.raises(InputError, match="line 2"):
        read_entries(path)
    with pytest.raises(InputError, match="no transcript"):
        read_entries(tmp_path / "nothing.jsonl")


def test_a_store_entry_is_whole_or_absent(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with pytest.raises(RuntimeError), store.building("simulations", "abc") as draft:
        (draft / "half.csv").write_text("1")
        raise RuntimeError("killed")
    assert (
        not store.entry("simulations", "abc").exists() and list((store.root / "simulations").iterdir()) == []
    )
    with store.building("simulations", "abc") as draft:
        (draft / "whole.csv").write_text("1")
    assert (store.entry("simulations", "abc") / "whole.csv").read_text() == "1"


@pytest.mark.parametrize(
    "opens",
    [
        lambda outputs, begins: opening_reproduce.open_run(
            "ge-on-gold", RunSettings(), outputs, None, Console(quiet=True), begins
        ),
        lambda outputs, begins: opening_explore.open_run(
            "heat-stencil", ExploreSettings(), outputs, None, Console(quiet=True), begins=begins
        ),
        lambda outputs, begins: opening_study.open_run(
            "voice-or-touch",
            StudySettings(model=ModelSettings(kind="manual")),
            outputs,
            None,
            Console(quiet=True),
            begins,
        ),
    ],
)
def test_a_flow_run_knows_its_run_before_there_is_a_record_of_it(tmp_path: Path, opens: Any) -> None:
    """Killed between the two it would begin a second run when it is tried again (seen: benchmarks.kills, seed 10, kill 3)."""

    def killed(run_id: str) -> None:
        remember_run(tmp_path, "flow-run", run_id)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        opens(tmp_path, killed)
    assert list((tmp_path / ".reprolab/flow_runs").iterdir()) and not list(tmp_path.glob("*/*/run.json"))
    assert run_of_flow_run(tmp_path, "flow-run") == ""


def test_a_second_process_of_a_flow_run_waits_and_goes_on_in_the_run_of_the_first(tmp_path: Path) -> None:
    """A worker's start and Retry, both before there was a run, made two (seen: benchmarks.kills, seed 20, kill 21)."""
    run_id, said, found = "20261123-044513-6d5e", list[str](), list[str]()
    waits = threading.Event()

    def second() -> None:
        with turn_of_flow_run(tmp_path, "flow-run", lambda words: (said.append(words), waits.set())):
            found.append(run_of_flow_run(tmp_path, "flow-run"))

    with (
        turn_of_flow_run(tmp_path, "flow-run", said.append),
        turn_of_flow_run(tmp_path, "another", said.append),
    ):
        other = threading.Thread(target=second)
        other.start()
        assert waits.wait(30) and not found
        remember_run(tmp_path, "flow-run", run_id)
        (tmp_path / "coating" / run_id).mkdir(parents=True)
        (tmp_path / "coating" / run_id / "run.json").write_text("{}")
    other.join(30)
    assert found == [run_id] and len(said) == 1 and "waits" in said[0]


def test_a_run_is_found_by_its_folder_and_one_elsewhere_says_what_to_add(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, other = tmp_path / "here", tmp_path / "other place"
    for outputs in (here, other):
        (outputs / "film" / "20261127-1").mkdir(parents=True)
        (outputs / "film" / "20261127-1" / "run.json").write_text("{}")
    found = here / "film" / "20261127-1"
    monkeypatch.chdir(here)
    for named in (str(found), f"{found}/", "film/20261127-1", "20261127"):
        assert find_record(here, named) == found, named
    with pytest.raises(InputError) as error:
        find_record(here, str(other / "film" / "20261127-1"))
    assert f"--outputs '{other}'" in str(error.value)
    with pytest.raises(InputError, match="no such run"):
        find_record(here, "film/nothing")
