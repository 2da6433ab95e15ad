"""What a run keeps goes by form: another version's is refused in words before anything is started, its record is not."""

from __future__ import annotations

import json

import pytest

from flows.run.opening import parts_of_run
from flows.run.records import KEPT_FORM, check_kept
from flows.terminal.console import Console
from schemas.errors import InputError
from schemas.run.settings import CoreSettings
from tasks.sandbox import SandboxLevel
from tests.unit.commands.commands_fixture import make_run, reprolab

pytestmark = pytest.mark.unit


def opened(run_dir, **header):
    """The record of a run as it is begun today."""
    parts_of_run(
        run_dir,
        CoreSettings(),
        run_dir.parents[1],
        Console(quiet=True),
        model=object(),
        sandbox=SandboxLevel("A", "bwrap", ()),
        started="2026-01-01",
        header=header,
    )
    return run_dir / "transcript.jsonl"


def test_a_run_of_today_goes_on(tmp_path):
    run_dir = tmp_path / "film" / "20260101-000000-abcd"
    check_kept(run_dir)  # nothing is kept yet
    record = opened(run_dir, run_id=run_dir.name)
    assert json.loads(record.read_text())["header"] == {"run_id": run_dir.name, "kept": KEPT_FORM}
    check_kept(run_dir)
    record.write_text("no record\n")  # whoever reads it says so
    check_kept(run_dir)


@pytest.mark.parametrize("form", [KEPT_FORM - 1, KEPT_FORM + 1, None, "\x1b[31m" * 100, [1]])
def test_another_form_is_refused_with_the_way_on(tmp_path, form):
    run_dir = tmp_path / "film" / "20260101-000000-abcd"
    record = opened(run_dir)
    record.write_text(json.dumps({"header": {"kept": form}}) + "\n")
    with pytest.raises(InputError) as refused:
        check_kept(run_dir)
    assert f"reprolab fork {run_dir.name} --checkpoint NAME" in str(refused.value)
    assert f"allowed: form {KEPT_FORM}" in str(refused.value) and len(str(refused.value)) < 700


def test_resuming_it_is_refused_before_anything_is_started(tmp_path):
    run_dir = make_run(tmp_path)
    (run_dir / "transcript.jsonl").write_text(json.dumps({"header": {"kept": KEPT_FORM + 1}}) + "\n")
    before = {path.name: path.stat().st_mtime_ns for path in run_dir.iterdir()}
    refused = reprolab("resume", run_dir.name, "--outputs", str(tmp_path))
    assert refused.exit_code == 2
    assert "cannot be read by this version" in refused.output and "go on with the version" in refused.output
    left = {path.name: path.stat().st_mtime_ns for path in run_dir.iterdir()}
    assert {**left, **before} == left and {*left} - {*before} <= {".lock"}
