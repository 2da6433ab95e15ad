"""Every bundled paper, as a user meets it: replayed, replayed again, and reproduced over the Messages API."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path

import pytest

import reprolab
from tasks.reproduce.papers import BUNDLED, recorded_ids
from tests.flow.kit import Cli
from tests.messages_server import MessagesServer, transcript_answerer

pytestmark = pytest.mark.flow
QUICK = "coupler"
PAPERS = [QUICK, pytest.param("ge-on-gold", marks=pytest.mark.long)]  # the others: make benchmark


def reproduce(paper: str, outputs: Path, *more: str, api: str) -> subprocess.CompletedProcess[str]:
    """`reprolab reproduce` as a process of its own, without a terminal or a key."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PREFECT_", "REPROLAB_", "ANTHROPIC_"))}
    said = Path(tempfile.mkdtemp(dir=outputs.parent))
    cli = Cli(said, ["reproduce", paper, "--outputs", str(outputs), *more], env | {"PREFECT_API_URL": api})
    return subprocess.CompletedProcess(["reprolab"], cli.wait(580), cli.out, cli.err)


def comparisons(outputs: Path, paper: str) -> dict[str, dict]:
    """target id -> comparison of the latest run, from the files it left."""
    found = {}
    for path in (outputs / paper / "latest").glob("*/comparison.json"):
        found |= {entry["target_id"]: entry for entry in json.loads(path.read_text())}
    return found


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all runs of this module: simulations are shared as a user's would be."""
    return tmp_path_factory.mktemp("outputs")


def test_at_least_three_papers_are_recorded():
    assert {"ge-on-gold", "bohren-huffman-cylinder", "ring-resonator"} <= set(recorded_ids())


def stated(evidence: dict) -> float:
    """The numerical uncertainty of a value, in its unit: a ladder ends where that is small enough for the verdict."""
    scale = {"relative_percent": abs(evidence["reference"]) / 100, "absolute": 1.0}
    return evidence["uncertainty"] * scale.get(evidence["measure"], 1.0 if evidence["unit"] == "%" else 0.01)


@pytest.mark.parametrize("paper", PAPERS)
def test_replay_agrees_with_the_baseline(paper, outputs, prefect_api):
    done = reproduce(paper, outputs, api=prefect_api)
    assert done.returncode == 0, done.stderr[-3000:]
    baseline = json.loads((BUNDLED / paper / "baseline.json").read_text())["targets"]
    found = comparisons(outputs, paper)
    assert set(found) == set(baseline)
    for target, expected in baseline.items():
        evidence = found[target]["evidence"]
        assert found[target]["classification"] == expected["classification"], target
        assert expected["classification"] == "SUCCESS" and not evidence["scripted"], target
        assert evidence["ran"] and evidence["computed"] and evidence["converged"] and evidence["physical"]
        if expected.get("simulated") is not None:
            assert evidence["simulated"] == pytest.approx(
                expected["simulated"], rel=2e-3, abs=stated(evidence)
            )
        data = outputs / paper / "latest" / evidence["file"]
        assert data.is_file() and evidence["sha256"] and evidence["execution_id"]
    report = (outputs / paper / "latest" / f"REPRODUCTION_REPORT_{paper}.md").read_text()
    assert all(target in report for target in baseline)
    if paper == "ge-on-gold":  # of fitted tables: others were simulated too
        assert "| germanium | main/Ge/" in report and "| gold | main/Au/" in report
    assert "unused" not in done.stderr
    html = (outputs / paper / "latest" / f"REPRODUCTION_REPORT_{paper}.html").read_text()
    assert "http://" not in html and "<script" not in html and "data:image/webp;base64," in html
    opened_as_it_was_judged(outputs, paper, found)


def opened_as_it_was_judged(outputs: Path, paper: str, found: dict[str, dict]) -> None:
    """The Python door shows what the run's files say, and compares its quantities as the run did."""
    before = sorted(path for path in (outputs / paper / "latest").rglob("*"))
    run = reprolab.open_run(outputs=outputs)
    assert run.paper_id == paper and run.verdict == "Reproduced" and run.folder.name == run.run_id
    assert {target.id: target.verdict for target in run} == {
        name: entry["classification"] for name, entry in found.items()
    }
    for target in run:
        evidence = found[target.id]["evidence"]
        assert target.value == evidence["simulated"] and target.unit == evidence["unit"] and target.as_written
        assert target.provenance["sha256"] == evidence["sha256"] and target.parts
    assert len(run.to_dataframe()) == len(found) and run.paper_id in run._repr_html_()
    assert run.plot().axes[0].get_xlabel() == "error over acceptable error"
    for quantity in run.quantities:
        told = quantity.to_dataframe()
        assert quantity.uncertainty is not None and len(told) and quantity._repr_html_()
        if quantity.points is None:
            assert reprolab.compare(quantity, 3 * quantity.value + 1).verdict == "FAILURE"
    assert reprolab.open_run(run.folder).verdict == run.verdict
    assert sorted(path for path in (outputs / paper / "latest").rglob("*")) == before, "it only looks"


def test_a_repeated_run_simulates_nothing(outputs, prefect_api):
    store = outputs / ".reprolab" / "runs"
    before = sorted(path.name for path in store.iterdir())
    assert before, "the replays above filled the store"
    done = reproduce(QUICK, outputs, api=prefect_api)
    assert done.returncode == 0, done.stderr[-3000:]
    assert sorted(path.name for path in store.iterdir()) == before


@pytest.mark.long
def test_the_same_paper_over_the_messages_api(outputs, prefect_api):
    """The real SDK over HTTP; the server answers each request by what it asks for, from the recording."""
    done = reproduce(QUICK, outputs, api=prefect_api)
    assert done.returncode == 0, done.stderr[-3000:]
    replayed = comparisons(outputs, QUICK)
    with MessagesServer(transcript_answerer(BUNDLED / QUICK / "transcript.jsonl")) as server:
        done = reproduce(
            QUICK,
            outputs,
            "--model",
            "anthropic",
            "--base-url",
            server.base_url,
            "--answer",
            "material_checkpoint=approve",
            api=prefect_api,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        assert server.served > 10
    lived = comparisons(outputs, QUICK)
    assert {k: (v["classification"], v["evidence"]["simulated"]) for k, v in lived.items()} == {
        k: (v["classification"], v["evidence"]["simulated"]) for k, v in replayed.items()
    }
