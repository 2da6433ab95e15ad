"""A run may be killed anywhere: it continues where it was, buys nothing twice, computes nothing twice, asks once."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.flow import bare
from tests.flow.kit import PARTLY, Bench, Cli, Model, processes_with, wait_until

pytestmark = pytest.mark.flow


def _post(bench: Bench, path: str, body: dict[str, Any]) -> Any:
    """What the server answers; asked again while its SQLite is locked (503), as Prefect's own clients do."""

    def answered() -> httpx.Response | None:
        answer = httpx.post(bench.env["PREFECT_API_URL"] + path, json=body, timeout=30)
        return None if answer.status_code == httpx.codes.SERVICE_UNAVAILABLE else answer.raise_for_status()

    return wait_until(answered, f"an answer of the server to {path}").json()


def _paused(bench: Bench, before: set[str] = frozenset()) -> str:  # type: ignore[assignment]
    """The id of the paused flow run of this bench that is not one of `before`."""

    def found() -> list[str]:
        return [run["id"] for run in _paused_runs(bench) if run["id"] not in before]

    return str(wait_until(found, "a paused flow run")[0])


def _paused_runs(bench: Bench) -> list[dict[str, Any]]:
    runs = _post(bench, "/flow_runs/filter", {"flow_runs": {"state": {"type": {"any_": ["PAUSED"]}}}})
    return list(runs)


def _simulating(bench: Bench, cli: Cli) -> None:
    """Wait until a simulation has shown progress and is still computing."""
    cli.says(f"simulating {bare.STAGE}")
    assert list((bench.outputs / ".reprolab" / "simulations").glob(".draft-*")), "it was over too soon"


def _nothing_left(bench: Bench) -> None:
    wait_until(lambda: not processes_with(str(bench.scratch)), "the end of all processes")


@pytest.mark.solves
def test_killed_at_every_kind_of_point(bench: Bench) -> None:
    """Four processes, one run: at a question, between calls, in a simulation (during a call: below); answered on the page."""
    review = f"design_reviewer.{bare.STAGE}.1.1.0"
    with Model(bare.slow_answer) as model:
        asking = bench.reproduce(model)
        asking.says("Are the materials right?")
        first = _paused(bench)
        asking.kill()

        between = bench.start("resume")
        between.says("Are the materials right?")
        again = _paused(bench, {first})
        answer = {"run_input": {"choice": "approve", "text": ""}}  # refused until the form is there
        between.until(
            lambda: _post(bench, f"/flow_runs/{again}/resume", answer)["status"] == "ACCEPT",
            "the page's answer",
        )
        between.until(
            lambda: '"agent":"design_reviewer"' in (bench.run_dir / "transcript.jsonl").read_text(),
            "the reviewed design in the transcript",
        )
        between.kill()
        assert model.answered[review] == 1

        simulating = bench.start("resume")
        _simulating(bench, simulating)
        simulating.kill()
        _nothing_left(bench)
        simulated = bench.simulated()  # one of the two may be finished

        last = bench.start("resume")
        assert last.wait() == PARTLY, last.err[-3000:]

        # One call may be on its way at a kill: paid for, and its answer never arrived.
        bought_again = {label: n for label, n in model.answered.items() if n > 1}
        assert set(bought_again) <= {
            f"code_generator.{bare.STAGE}.1.1.0",
            f"code_reviewer.{bare.STAGE}.1.1.0",
        }
        assert len(bought_again) <= 1 and max(bought_again.values(), default=1) <= 2
    finished = bench.simulated()
    assert len(finished) == 2 and simulated.items() <= finished.items(), "a simulation ran again"
    interactions = bench.state()["user_interactions"]
    assert [(i["interaction_type"], i["user_response"], i["answered_by"]) for i in interactions] == [
        ("material_checkpoint", "approve", "web")
    ]
    assert bench.comparisons()["glass_bare"]["classification"] == "PARTIAL"
    positions = [json.dumps(entry["position"]) + entry.get("kind", "call") for entry in bench.transcript()]
    assert len(positions) == len(set(positions)), "the transcript repeats itself"


def _reported_in_part(bench: Bench, said: str) -> None:
    """The command that the interruption names writes a partial report, without a verdict and without a trace in the run."""
    [words] = re.findall(r"reprolab (report .*)", said)
    before = {p.name: p.stat().st_mtime_ns for p in bench.run_dir.iterdir() if p.name[0] not in ".R"}
    report = bench.start(*shlex.split(words.split(" --outputs")[0]))
    assert report.wait() == 0 and "PARTIAL REPORT" in report.out, report.err[-3000:]
    [page] = bench.run_dir.glob("UNFINISHED_REPORT_*.html")
    text = page.with_suffix(".md").read_text()
    assert str(page) in report.out and "Not finished" in text and "eproduced:" not in text
    assert f"last saved in stage {bare.STAGE}" in text and "not compared yet: glass_bare" in text
    after = {p.name: p.stat().st_mtime_ns for p in bench.run_dir.iterdir()}
    assert {name: after[name] for name in before} == before and not [*bench.run_dir.glob("REPRODUCTION_*")]


def test_interrupted_and_killed_with_the_embedded_server(tmp_path: Path) -> None:
    """Ctrl-C in a simulation leaves no process; the server's database survives a SIGKILL."""
    bench = Bench(tmp_path, None)
    try:
        with Model(bare.slow_answer) as model:
            cut = f"code_generator.{bare.STAGE}.1.1.0"
            model.hold(cut)
            killed = bench.reproduce(model, "--answer", "material_checkpoint=approve")
            assert model.reached[cut].wait(120), killed.err
            killed.kill()
            model.let_go(cut)

            interrupted = bench.start("resume")
            _simulating(bench, interrupted)
            interrupted.interrupt()
            assert interrupted.wait(60) == 130, interrupted.err[-3000:]
            assert "reprolab resume" in interrupted.err and "Traceback" not in interrupted.err
            _nothing_left(bench)
            _reported_in_part(bench, interrupted.err)

            resumed = bench.start("resume")
            assert resumed.wait() == PARTLY, resumed.err[-3000:]
            assert {label: n for label, n in model.answered.items() if n > 1} == {cut: 2}
        assert len(bench.simulated()) == 2 and not [*bench.run_dir.glob("UNFINISHED_*")]
        assert bench.comparisons()["glass_bare"]["classification"] == "PARTIAL"
        _nothing_left(bench)
    finally:
        bench.close()
