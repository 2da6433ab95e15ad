"""What the command line refuses before it starts anything, and a reader of its output that goes away."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.cli import app
from flows.questions.open_questions import noted_as_open
from flows.reproduce.kept_records import RunRecord
from schemas.reproduce.settings import RunSettings
from schemas.talking.interaction import Choice, Question

pytestmark = pytest.mark.unit
QUESTION = Question(
    question_id="materials-1",
    kind="material_checkpoint",
    title="Are the materials right?",
    body="Numbers.",
    choices=(Choice(name="approve", effect="go on"), Choice(name="change_database", effect="another page")),
)


@pytest.fixture
def waiting(tmp_path: Path) -> Path:
    """The outputs folder of a run that waits for an answer about materials."""
    run_dir = tmp_path / "paper" / "20260101-000000-abcd"
    run_dir.mkdir(parents=True)
    (run_dir / "run.json").write_text(
        RunRecord(
            run_id=run_dir.name, paper="ring-resonator", paper_id="paper", started="", settings=RunSettings()
        ).model_dump_json()
    )
    with pytest.raises(KeyboardInterrupt), noted_as_open(run_dir, QUESTION):
        raise KeyboardInterrupt
    return tmp_path


@pytest.mark.parametrize(
    ("answer", "found"), [("aprove", "aprove"), ("change_database", "nothing"), ("guide: x", "guide")]
)
def test_an_answer_that_does_not_fit_the_open_question_is_refused_before_anything_starts(
    waiting, answer, found, monkeypatch
):
    monkeypatch.setattr("flows.reproduce.preflight.preflight", lambda *_: pytest.fail("it went on"))
    record = next(waiting.glob("*/*/run.json")).read_bytes()
    for name in ("material_checkpoint", "materials-1"):
        done = CliRunner().invoke(app, ["resume", "--outputs", str(waiting), "--answer", f"{name}={answer}"])
        assert done.exit_code == 2 and f"found:   {found}" in done.output and "allowed:" in done.output, (
            done.output
        )
    assert next(waiting.glob("*/*/run.json")).read_bytes() == record, "no answer is stored"


def test_an_answer_to_a_question_that_is_not_open_is_kept_for_it(waiting, monkeypatch):
    monkeypatch.setattr(
        "flows.reproduce.preflight.preflight", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt)
    )
    done = CliRunner().invoke(app, ["resume", "--outputs", str(waiting), "--answer", "code_limit=accept"])
    assert done.exit_code == 130, done.output


def test_a_file_that_is_no_paper_is_not_taken_for_markdown(tmp_path):
    (tmp_path / "mk.py").write_text("print('hello')\n")
    done = CliRunner().invoke(
        app, ["papers", "import", str(tmp_path / "mk.py"), "--to", str(tmp_path / "out")]
    )
    assert (
        done.exit_code == 2
        and "mk.py" in done.output
        and ".md" in done.output
        and not (tmp_path / "out").exists()
    )


def test_a_reader_that_goes_away_is_no_fault_of_files(waiting):
    """`reprolab answer | head`: the rest goes nowhere, without a word."""
    process = subprocess.Popen(
        [sys.executable, "-m", "flows.cli", "answer", "--outputs", str(waiting)],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout and process.stderr
    process.stdout.close()
    assert (process.wait(60), process.stderr.read()) == (141, "")
    process.stderr.close()
