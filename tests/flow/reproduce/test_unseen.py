"""A paper nobody recorded, over HTTP, with Prefect's embedded server; first design, code and analysis are each wrong."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.flow.coating import EXACT_R
from tests.flow.kit import PARTLY, Bench, Cli, Model
from tests.messages_server import label_of

pytestmark = [pytest.mark.flow, pytest.mark.long]
Finished = tuple[Bench, Cli, Model]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Finished]:
    """One run to its end."""
    bench = Bench(tmp_path_factory.mktemp("unseen"), None, anew=True)
    with Model() as model:
        cli = bench.reproduce(model, "--answer", "material_checkpoint=approve")
        cli.wait()
        yield bench, cli, model
    bench.close()


def test_it_ends_well_and_every_target_agrees(finished: Finished) -> None:
    bench, cli, _ = finished
    assert cli.process.returncode == PARTLY, cli.err[-3000:]
    found = bench.comparisons()
    assert {name: entry["classification"] for name, entry in found.items()} == {
        "R_550": "PARTIAL",
        "R_curve": "PARTIAL",
    }, "a free script computed them"
    assert all(entry["evidence"]["matches"] and entry["evidence"]["scripted"] for entry in found.values())
    assert "2 of 2 targets agree and are PARTIAL because free scripts computed them" in bench.report()
    assert found["R_550"]["evidence"]["simulated"] == pytest.approx(100 * EXACT_R, rel=0.01)


def test_the_number_in_the_report_leads_to_the_file_it_comes_from(finished: Finished) -> None:
    bench = finished[0]
    evidence = bench.comparisons()["R_550"]["evidence"]
    data = bench.run_dir / evidence["file"]
    sha256 = hashlib.sha256(data.read_bytes()).hexdigest()
    assert evidence["sha256"] == sha256 and evidence["execution_id"] in bench.simulated()
    header, row = data.read_text().split()[:2]
    assert float(dict(zip(header.split(","), row.split(","), strict=True))["R_percent"]) == pytest.approx(
        evidence["simulated"]
    )
    report = bench.report()
    assert "R_550" in report and sha256[:12] in report and f"{evidence['simulated']:.4g}" in report


def test_each_mistake_was_sent_back_and_mended(finished: Finished) -> None:
    bench, cli, model = finished
    calls = {
        "{agent}.{stage_id}.{attempt}.{round}.{step}".format(
            **{"stage_id": "-", "attempt": 1, "round": 1, "step": 0} | entry["position"]
        )
        for entry in bench.transcript()
        if entry.get("kind", "call") == "call"
    }
    assert calls == set(model.answered)
    for agent in ("simulation_designer", "code_generator", "results_analyzer"):
        assert f"{agent}.stage1_coating.1.2.0" in calls, f"{agent} had no second round"
        assert f"{agent}.stage1_coating.1.3.0" not in calls
    assert "design sent back" in cli.err and "analysis sent back" in cli.err
    assert "execution: fail" in cli.err and "wavelengths_nm" in json.dumps(
        next(r for r in model.requests if label_of(r) == "code_generator.stage1_coating.1.2.0")
    )
    assert set(model.answered.values()) == {1}


def test_whoever_creates_never_sees_the_papers_number(finished: Finished) -> None:
    creators = [
        r for r in finished[2].requests if label_of(r).startswith(("simulation_designer", "code_generator"))
    ]
    assert len(creators) == 4
    for request in creators:
        assert not re.search(r"(?<![\d.])1\.26(?!\d)", json.dumps(request)), label_of(request)
    judges = [r for r in finished[2].requests if label_of(r).startswith("results_analyzer.stage1")]
    assert all("1.26" in json.dumps(request) for request in judges), "the number is there to be hidden"


def test_nothing_is_left_running(finished: Finished) -> None:
    from tests.flow.kit import processes_with

    assert processes_with(str(finished[0].scratch)) == []
    assert not any(Path(finished[0].scratch).glob("reprolab-sim-*"))
