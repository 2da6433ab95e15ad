"""A run forked from a checkpoint, and one taken back to one: the same up to there, asked anew after it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.flow import bare
from tests.flow.kit import PARTLY, Bench, Model

pytestmark = pytest.mark.flow
NOBODY = {"REPROLAB_NON_INTERACTIVE": "1"}
APPROVE = ("--answer", "material_checkpoint=approve")
STOP = ("--answer", "material_checkpoint=stop")  # ends a run that asks, so that one that goes on did not ask


def _contents(run_dir: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(run_dir)): path.read_bytes() for path in run_dir.rglob("*") if path.is_file()
    }


def _report(run_dir: Path) -> str:
    """The report's first file: what a reader sees first."""
    [path] = [path for path in run_dir.glob("REPRODUCTION_REPORT_*.md") if "APPENDIX" not in path.name]
    return path.read_text()


def _other_run(bench: Bench, known: set[Path]) -> Path:
    [found] = {
        path.parent for path in bench.outputs.glob("*/*/run.json") if not path.parent.is_symlink()
    } - known
    return found


def test_fork_and_going_back(bench: Bench) -> None:
    with Model(bare.answer) as model:
        first = bench.reproduce(model, *APPROVE, env=NOBODY)
        assert first.wait() == PARTLY, first.err[-3000:]
        run_dir, simulated = bench.run_dir, bench.simulated()
        before, once = _contents(run_dir), set(model.answered)
        in_stage = {label for label in once if f".{bare.STAGE}." in label}
        assert {label.split(".")[0] for label in once - in_stage} >= {
            "prompt_adaptor",
            "planner",
            "plan_reviewer",
        }

        def bought(*arguments: str) -> set[str]:
            """Labels that this command bought, however often they were bought before; each once."""
            counts = dict(model.answered)
            cli = bench.start(*arguments, env=NOBODY)
            assert cli.wait() == PARTLY, cli.err[-3000:]
            more = {
                label: n - counts.get(label, 0)
                for label, n in model.answered.items()
                if n > counts.get(label, 0)
            }
            assert set(more.values()) <= {1}
            return {label for label in more if ".report." not in label}

        assert bought("fork", run_dir.name, "--checkpoint", "after_stage0_user_confirm", *STOP) == in_stage
        forked = _other_run(bench, {run_dir})
        state = json.loads((forked / "checkpoints" / "checkpoint_final_report_latest.json").read_text())
        assert [(i["user_response"], i["answered_by"]) for i in state["user_interactions"]] == [
            ("approve", "given beforehand")
        ]
        assert f"forked from run {run_dir.name} at checkpoint after_stage0_user_confirm" in _report(forked)
        assert _contents(run_dir) == before, "a fork leaves the run it comes from as it was"

        assert bought("resume", run_dir.name, "--from-checkpoint", "after_plan", *APPROVE) == in_stage
    assert "taken back to its checkpoint after_plan" in _report(run_dir)
    assert bench.simulated() == simulated  # the same code: nothing ran twice
    assert (run_dir / "before-1" / "transcript.jsonl").read_bytes() == before["transcript.jsonl"]
    tokens = {
        path: json.loads((path / "costs.json").read_text())["run"]["output_tokens"]
        for path in (run_dir, forked)
    }
    assert tokens[forked] < tokens[run_dir]  # taken over: paid elsewhere; put aside: still on this run's bill
    assert tokens[run_dir] > json.loads(before["costs.json"])["run"]["output_tokens"]
