"""The report of a run that did not end: what there is, no verdict, and nothing that looks like the report of an end."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import reprolab
from flows.reproduce.kept_state import newest_state
from flows.reproduce.standing import show_report, show_status
from flows.results.kept_runs import ENDED, OPEN, KeptRuns
from flows.run.records import run_lock
from schemas.errors import InputError
from tests.unit.report.test_open_run import kept

pytestmark = pytest.mark.unit


def _saved(folder: Path, name: str, **changes: object) -> None:
    state = newest_state(folder)
    assert state is not None
    (folder / "checkpoints" / f"{name}.json").write_text(state.model_copy(update=changes).model_dump_json())


def test_an_unfinished_run_is_reported_in_part_and_without_a_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = kept(tmp_path)
    show_report(tmp_path, "latest", text=False)
    told = capsys.readouterr().out
    assert (
        "PARTIAL REPORT: the run is not finished; no verdict" in told
        and "UNFINISHED_REPORT_ge_on_gold.html" in told
    )
    text = (folder / "UNFINISHED_REPORT_ge_on_gold.md").read_text()
    assert "Partial report: the run is not finished and has no verdict" in text and "Not finished" in text
    assert "723" in text and "not compared yet: " in text and "resume run-0001" in text
    assert not [word for word in ("Not reproduced", "Partly reproduced", "Reproduced:") if word in text]
    assert reprolab.open_run(folder).verdict == "Not finished"
    show_report(tmp_path, "run-0001", text=True)
    assert capsys.readouterr().out.strip() == text.strip()


def test_it_is_no_report_of_an_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = kept(tmp_path)
    show_report(tmp_path, "latest", text=False)
    assert KeptRuns(tmp_path).of(folder).standing == OPEN
    show_status(tmp_path, None)
    assert "reported" not in capsys.readouterr().out
    show_status(tmp_path, "run-0001")
    assert "reprolab report run-0001" in capsys.readouterr().out


def test_a_report_of_an_earlier_end_is_not_that_of_a_run_that_went_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A cap wrote one, more time went on from there and was interrupted."""
    folder = kept(tmp_path)
    for suffix in ("md", "html"):
        (folder / f"REPRODUCTION_REPORT_ge_on_gold.{suffix}").write_text("at the cap")
    _saved(folder, "final", report_path="REPRODUCTION_REPORT_ge_on_gold.md")
    show_report(tmp_path, "latest", text=True)
    assert capsys.readouterr().out == "at the cap\n" and KeptRuns(tmp_path).of(folder).standing == ENDED
    _saved(folder, "interrupted", report_path=None)
    show_report(tmp_path, "latest", text=True)
    assert "Not finished" in capsys.readouterr().out and KeptRuns(tmp_path).of(folder).standing == OPEN


def test_where_nothing_was_saved_there_is_nothing_to_report(tmp_path: Path) -> None:
    folder = kept(tmp_path)
    for snapshot in (folder / "checkpoints").glob("*"):
        snapshot.unlink()
    with pytest.raises(InputError, match="nothing of this run was saved yet"):
        show_report(tmp_path, "latest", text=False)


def test_a_copied_folder_shows_its_newest_state(tmp_path: Path) -> None:
    """A copy has the times of the copying; the names of snapshots keep theirs."""
    folder = kept(tmp_path)
    state = newest_state(folder)
    assert state is not None
    (folder / "checkpoints" / "one.json").unlink()
    for stamp, written in (("20261126_161652_427688", 1e9), ("20261126_152902_831407", 2e9)):
        snapshot = folder / "checkpoints" / f"checkpoint_p_x_{stamp}.json"
        snapshot.write_text(state.model_copy(update={"stop_reason": stamp}).model_dump_json())
        os.utime(snapshot, (written, written))
    found = newest_state(folder)
    assert found is not None and found.stop_reason == "20261126_161652_427688"


def test_the_stage_that_is_at_work_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its state is saved when it ends: for twenty minutes it was not_started."""
    folder = kept(tmp_path)
    state = newest_state(folder)
    assert state is not None
    waiting = [entry.model_copy(update={"status": "not_started"}) for entry in state.progress]
    _saved(folder, "checkpoint_waiting_latest", progress=tuple(waiting))
    (folder / waiting[0].stage_id).mkdir(exist_ok=True)
    show_status(tmp_path, "run-0001")
    assert f"{waiting[0].stage_id:32} begun" in capsys.readouterr().out
    with run_lock(folder):
        show_status(tmp_path, "run-0001")
    assert f"{waiting[0].stage_id:32} at work" in capsys.readouterr().out


def test_it_is_not_packed(tmp_path: Path) -> None:
    """Killed, at work, or with nothing saved: a package of it would be of nothing that was decided."""
    folder = kept(tmp_path)
    with pytest.raises(InputError, match=r"did not come to its end(.|\n)*resume run-0001"):
        show_report(tmp_path, "latest", text=False, package=True)
    with run_lock(folder), pytest.raises(InputError, match=r"is being worked on(.|\n)*status run-0001"):
        show_report(tmp_path, "latest", text=False, package=True)
    with pytest.raises(InputError, match=r"no such licence(.|\n)*CC-BY-4.0"):
        show_report(tmp_path, "latest", text=False, package=True, license="mine")
    assert not (folder / "package").exists() and not (folder / "package.tar.gz").exists()
