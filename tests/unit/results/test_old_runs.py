"""Old runs cleared away: nothing without --yes, nothing that is at work or outside, and reports stay where they shall."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.results.kept_runs import KeptRuns
from flows.results.old_runs import age_of, old_runs, remove
from flows.run.records import run_lock
from schemas.errors import InputError
from schemas.talking.interaction import Choice, Question
from tests.unit.commands.commands_fixture import reprolab
from tests.unit.report.test_open_run import kept
from tests.unit.results.test_two_runs import another

pytestmark = pytest.mark.unit

DAY = 86400.0


def aged(folder: Path, days: float) -> Path:
    """A run that nothing was written in for so long."""
    when = time.time() - days * DAY
    for path in (*folder.rglob("*"), folder):
        if path.name == "old.json":  # a snapshot before the last
            continue
        os.utime(path, (when, when), follow_symlinks=False)
    return folder


def finished(outputs: Path, days: float = 100) -> Path:
    """A run with a report and what it computed with."""
    folder = kept(outputs)
    for name in ("REPRODUCTION_REPORT_ge_on_gold.html", "transcript.jsonl", "report_data/checks.csv"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("told")
    (folder / "film" / "runs").mkdir(parents=True)
    (folder / "film" / "runs" / "big.h5").write_text("x" * 5000)
    (folder / "checkpoints" / "old.json").write_text("{}")
    os.utime(folder / "checkpoints" / "old.json", (1, 1))
    aged(folder, days)
    (folder.parent / "latest").unlink(missing_ok=True)
    (folder.parent / "latest").symlink_to(folder.name)
    return folder


def files(folder: Path) -> set[str]:
    return {
        str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir() or path.is_symlink()
    }


def clean(outputs: Path, *words: str) -> str:
    done = reprolab("clean", "--outputs", str(outputs), *words)
    assert done.exit_code == 0, done.output
    return done.output


def test_without_yes_nothing_goes_and_the_command_that_does_it_is_told(tmp_path: Path) -> None:
    folder = finished(tmp_path)
    before = files(tmp_path)
    said = clean(tmp_path, "--older", "90d", "--keep-reports")
    assert files(tmp_path) - {"ge_on_gold/run-0001/.lock"} == before and "Nothing was removed yet" in said
    assert "clean --older 90d --keep-reports --yes --outputs" in said
    assert "older than 101d" in clean(tmp_path, "--older", "101d") and folder.is_dir()


def test_with_reports_kept_the_run_can_be_read_and_is_as_old_as_before(tmp_path: Path) -> None:
    folder = finished(tmp_path)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept.txt").write_text("x")
    (folder / "film" / "out").symlink_to(outside)
    verdict = KeptRuns(tmp_path).of(folder).verdict
    clean(tmp_path, "--older", "90d", "--keep-reports", "--yes")
    left = files(folder)
    assert {
        "REPRODUCTION_REPORT_ge_on_gold.html",
        "report_data/checks.csv",
        "run.json",
        "checkpoints/one.json",
    } <= left
    assert (
        not {name for name in left if name.startswith(("film/", "stages/"))}
        and "checkpoints/old.json" not in left
    )
    assert KeptRuns(tmp_path).of(folder).verdict == verdict != "" and (outside / "kept.txt").is_file()
    assert "older than 90d" in clean(
        tmp_path, "--older", "90d", "--keep-reports", "--yes"
    )  # nothing is left to go
    clean(tmp_path, "--older", "90d", "--yes")
    assert not (tmp_path / "ge_on_gold").exists() and not any((tmp_path / ".reprolab").iterdir())


def test_a_run_that_is_at_work_unfinished_waiting_or_unreadable_stays(tmp_path: Path) -> None:
    folder = finished(tmp_path)
    waits, opened, broken = (another(folder, f"run-000{number}") for number in (2, 3, 4))
    for each in (waits, opened):
        (each / "REPRODUCTION_REPORT_ge_on_gold.html").unlink()
    (waits / "open_questions").mkdir()
    question = Question(
        question_id="q",
        kind="material_checkpoint",
        title="t",
        body="b",
        choices=(Choice(name="approve", effect="a"),),
    )
    (waits / "open_questions" / "q.json").write_text(question.model_dump_json())
    (broken / "run.json").write_text("{")
    for each in (waits, opened, broken):
        aged(each, 100)
    runs = KeptRuns(tmp_path)
    with run_lock(folder):
        found = {old.run.run_id: old for old in old_runs(runs.newest_first(), 90 * DAY)}
        assert found["run-0001"].stays == "at work" and not found["run-0001"].goes
    assert "unfinished" in found["run-0003"].stays and "cannot be read" in found["run-0004"].stays
    found = {old.run.run_id: old for old in old_runs(runs.newest_first(), 90 * DAY, unfinished=True)}
    assert {name for name, old in found.items() if old.goes} == {"run-0001", "run-0003"}
    assert found["run-0002"].stays == "waits for a person"
    with run_lock(folder):  # begun between the list and the removal
        assert "is being worked on" in remove(tmp_path, found["run-0001"])
    assert folder.is_dir()


def test_latest_leads_to_the_newest_that_is_left(tmp_path: Path) -> None:
    folder = finished(tmp_path)
    young = another(folder, "run-0002")
    for name in ("run.json", "transcript.jsonl"):
        os.utime(young / name)
    clean(tmp_path, "--older", "90d", "--yes")
    assert not folder.exists() and (tmp_path / "ge_on_gold" / "latest").resolve() == young.resolve()


def test_a_part_of_a_run_goes_with_it_only(tmp_path: Path) -> None:
    folder = finished(tmp_path)
    part = another(folder, "run-0002")
    record = json.loads((part / "run.json").read_text())
    runs = KeptRuns(tmp_path)
    for parent, goes in (("run-0001", True), ("run-0009", True)):
        (part / "run.json").write_text(json.dumps(record))
        aged(part, 100)
        every = [
            run if run.run_id != "run-0002" else type(run)(**{**run.__dict__, "part_of": parent})
            for run in runs.newest_first()
        ]
        found = {old.run.run_id: bool(old.goes) for old in old_runs(every, 90 * DAY)}
        assert found["run-0002"] == goes
        os.utime(folder / "run.json")  # the run it is a part of is young now
        young = {old.run.run_id: old.stays for old in old_runs(every, 90 * DAY)}
        assert ("part of run-0001" in young["run-0002"]) == (parent == "run-0001")
        aged(folder, 100)


@given(st.text(max_size=8))
def test_an_age_is_a_number_and_a_unit(text: str) -> None:
    try:
        seconds = age_of(text)
    except InputError:
        return
    assert 3600 <= seconds <= 99_999 * 7 * DAY and text.strip()[-1] in "hdw"


@pytest.mark.parametrize("text", ["0d", "-1d", "90", "d", "1.5d", "90 d", "٣d", "1e3d", ""])
def test_what_is_no_age_is_refused(text: str, tmp_path: Path) -> None:
    done = reprolab("clean", "--outputs", str(tmp_path), f"--older={text}", "--yes")
    assert done.exit_code == 2 and "no such age" in done.output
