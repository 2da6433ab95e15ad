"""`reprolab enough`: which stage it names, and that a stage designed anew is solved anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.cli import app
from flows.reproduce.computing.enough import began_solving, ended_solving, is_enough

pytestmark = pytest.mark.unit


def test_it_holds_for_the_study_that_is_solved_and_for_no_other(tmp_path: Path) -> None:
    run_dir = tmp_path / "film" / "20261127-1"
    for stage in ("film", "later"):
        (run_dir / stage).mkdir(parents=True)
    (run_dir / "run.json").write_text("{}")
    command = ["enough", "latest", "--outputs", str(tmp_path)]
    refused = CliRunner().invoke(app, command)
    assert refused.exit_code == 2 and "no stage of this run is being solved" in refused.output
    began_solving(run_dir / "film", "study-1")
    assert not is_enough(run_dir / "film")
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0 and "film: no further simulation begins" in done.output
    assert "reprolab resume" in done.output  # nothing works on it
    assert is_enough(run_dir / "film") and not is_enough(run_dir / "later")
    began_solving(run_dir / "film", "study-1")  # the same, resumed
    assert is_enough(run_dir / "film")
    began_solving(run_dir / "film", "study-2")
    assert not is_enough(run_dir / "film")
    assert CliRunner().invoke(app, command).exit_code == 0
    began_solving(run_dir / "film", "study-1")  # resumed: it comes by its first design once more
    assert is_enough(run_dir / "film")
    ended_solving(run_dir / "film")
    assert CliRunner().invoke(app, command).exit_code == 2


def test_what_is_no_text_is_no_word_of_anybody(tmp_path: Path) -> None:
    began_solving(tmp_path, "study-1")
    (tmp_path / "enough").write_bytes(b"\xff\xfe")
    assert not is_enough(tmp_path)
    (tmp_path / "enough").write_text("")
    assert not is_enough(tmp_path)
