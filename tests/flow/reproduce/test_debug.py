"""Debug mode as a user meets it: a diagnosis with pictures, on every bundled paper and on a live model."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.flow import coating
from tests.flow.kit import Bench, Model
from tests.flow.reproduce.test_bundled import reproduce
from tests.messages_server import label_of

pytestmark = pytest.mark.flow
RECORDINGS = Path(__file__).resolve().parents[2] / "recordings"  # of free scripts
NOBODY = {"REPROLAB_NON_INTERACTIVE": "1"}
PICTURES = ("geometry_check.png", "material_check.png", "source_spectrum.png", "monitor_positions.png")


def summary_of(run_dir: Path) -> dict[str, Any]:
    """debug_summary.json of a run."""
    found: dict[str, Any] = json.loads((run_dir / "debug" / "debug_summary.json").read_text())
    return found


@pytest.mark.long
def test_a_described_paper_is_diagnosed_by_the_cell_that_was_arranged(
    tmp_path: Path, prefect_api: str
) -> None:
    """All four pictures, the bodies as Meep holds them, their lengths against the description's, the grid that was used."""
    done = reproduce("ge-on-gold", tmp_path, "--debug", api=prefect_api)
    assert done.returncode == 0, done.stderr[-3000:]
    [run_dir] = [path.parent for path in (tmp_path / "ge-on-gold").glob("*/run.json")]
    summary = summary_of(run_dir)
    assert summary["complete"] and summary["stage1_minimal"]["simulation_ran"]
    assert all((run_dir / "debug" / name).read_bytes()[:4] == b"\x89PNG" for name in PICTURES)
    geometry = summary["geometry_check"]
    assert geometry["structures_created"] >= 4 and geometry["structure_types"] == ["block"]
    assert geometry["dimensions_match_design"] is True
    told = (re.match(r"block of germanium: z (\S+) to (\S+) um", note) for note in geometry["notes"])
    [film] = [float(found[2]) - float(found[1]) for found in told if found]
    assert film == pytest.approx(0.015, abs=1e-6)  # 15 nm, wherever the cell's middle lies
    assert summary["stage1_minimal"]["resolution"]
    assert any("One grid was looked at" in text for text in summary["recommendations"])
    assert "eproduced" not in (run_dir / "REPRODUCTION_REPORT_ge-on-gold.md").read_text()


@pytest.mark.long
def test_a_recording_of_free_scripts_is_diagnosed(tmp_path: Path, prefect_api: str) -> None:
    """What scripts built is compared with their design."""
    paper = "ge-on-gold"
    done = reproduce(
        paper, tmp_path, "--debug", "--transcript", str(RECORDINGS / f"{paper}.jsonl"), api=prefect_api
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "DIAGNOSIS" in done.stdout and "next:" in done.stdout and "unused" not in done.stdout + done.stderr
    [run_dir] = [path.parent for path in (tmp_path / paper).glob("*/run.json")]
    assert not (tmp_path / paper / "latest").is_symlink()
    summary = summary_of(run_dir)
    assert summary["complete"] and summary["stage0_material_validation"]["status"] == "success"
    assert summary["stage0_material_validation"]["confirmed"] and summary["stage1_minimal"]["simulation_ran"]
    assert summary["geometry_check"]["dimensions_match_design"] is True and summary["recommendations"]
    assert all((run_dir / "debug" / name).read_bytes()[:4] == b"\x89PNG" for name in PICTURES)
    assert "== stage" in (run_dir / "debug" / "debug_log.txt").read_text()
    report = (run_dir / f"REPRODUCTION_REPORT_{paper}.md").read_text()
    assert "Diagnostic run" in report and "eproduced" not in report
    for stage in run_dir.glob("stage*/runs"):  # one resolution and one point, also where code was mended
        assert len({path.name.split("-")[0] for path in stage.iterdir()}) == 1
    assert len(list(run_dir.glob("stage*/runs"))) == 1


def test_a_live_model_is_asked_for_no_judgement_and_nobody_is_waited_for(bench: Bench) -> None:
    with Model() as model:
        cli = bench.reproduce(model, "--debug", env=NOBODY)
        assert cli.wait() == 0, cli.err[-3000:]
        asked = {label.split(".")[0] for label in model.answered}
    assert asked == {
        "prompt_adaptor",
        "planner",
        "plan_reviewer",
        "simulation_designer",
        "design_reviewer",
        "code_generator",
        "code_reviewer",
    }
    summary = summary_of(bench.run_dir)
    assert (
        not summary["stage0_material_validation"]["confirmed"]
        and summary["stage1_minimal"]["status"] == "success"
    )
    assert bench.comparisons() == {}


def test_code_that_never_runs_is_a_finding(bench: Bench) -> None:
    def answer(request: dict[str, Any]) -> dict[str, Any]:
        if label_of(request).startswith("code_generator.stage1"):
            return {
                "code": coating.BROKEN_CODE,
                "expected_outputs": ["curve.csv"],
                "explanation": "the same again",
            }
        return coating.answer(request)

    with Model(answer) as model:
        cli = bench.reproduce(model, "--debug", "--answer", "material_checkpoint=approve")
        assert cli.wait() == 0, cli.err[-3000:]
    assert "FAIL minimal stage 1" in cli.out
    summary = summary_of(bench.run_dir)
    assert (
        summary["stage1_minimal"]["status"] == "failed" and summary["stage0_material_validation"]["confirmed"]
    )
    assert "did not run" in summary["recommendations"][0]
    assert not any("Nothing stands" in text for text in summary["recommendations"])
