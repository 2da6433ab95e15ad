"""What is measured: a fresh run against the bare simulations, a killed and resumed run, a repeated run."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.bare import solve_bare, solved_runs, store
from benchmarks.command import ROOT, Command
from benchmarks.measures import Measure

_POLL_S = 0.01


@dataclass(frozen=True)
class Fresh:
    """A fresh run that came to its end: its directory, how many simulations it ran, the flow's own CPU seconds, what was measured."""

    run_dir: Path
    simulations: int
    own_cpu_s: float
    measures: list[Measure]


def fresh_run(paper: str, outputs: Path, meep_python: str) -> Fresh:
    """The whole machinery against the bare simulations, and the memory it takes."""
    with Command(("reproduce", paper, "--outputs", str(outputs))) as run:
        run.finish()
    run_dir = _latest(outputs)
    work = solved_runs(outputs)
    simulated = sum(item.wall_s for item in work)
    bare = solve_bare(work, meep_python)
    begun, ready = run.server_interval()
    server = ready - begun
    rest = run.wall_s - server - bare
    sandbox = max(0.0, simulated - bare)
    count = len(work)
    stages = sum(1 for _ in run_dir.glob("*/comparison.json"))
    return Fresh(
        run_dir,
        count,
        run.own_cpu_s,
        [
            Measure("fresh run, in all", run.wall_s, "s"),
            Measure("of it: Prefect's server starts", server, "s"),
            Measure(f"of it: the {count} simulations, bare", bare, "s"),
            Measure("of it: machinery (all else)", rest, "s", 20),
            Measure("machinery: imports and preflight", begun, "s"),
            Measure("machinery: sandbox and collecting (approx.)", sandbox, "s"),
            Measure("machinery: agents, evidence, report, Prefect", max(0.0, rest - begun - sandbox), "s"),
            Measure(
                f"machinery: of each of the {stages} stages with targets",
                max(0.0, rest - begun) / max(1, stages),
                "s",
            ),
            Measure("CPU seconds of the flow's own process", run.own_cpu_s, "s", 15),
            Measure("CPU seconds of the embedded server", run.server_cpu_s, "s", 8),
            Measure("CPU seconds of the simulations, in the sandbox", sum(item.cpu_s for item in work), "s"),
            Measure("overhead over the bare simulations", 100 * rest / bare, "%", 5),
            Measure("peak memory of the flow process", run.peak_mb, "MiB", 600),
            Measure("peak memory of the embedded server", run.server_mb, "MiB"),
        ],
    )


def killed_and_resumed(paper: str, outputs: Path, simulations: int) -> list[Measure]:
    """SIGKILL in the middle of a simulation half-way through; then how long until the first new work.

    New work is a simulation that starts or a call that was not in the transcript.
    """
    half = simulations // 2
    with Command(("reproduce", paper, "--outputs", str(outputs))) as run:
        while (done := len(_entries(outputs))) < half or not any(_drafts(outputs)):
            if run.process.poll() is not None:
                run.wait()
                raise SystemExit(
                    f"the run ended after {done} simulations with code {run.process.returncode}, before it could "
                    f"be killed:\n" + "\n".join(text for _, text in run.lines[-15:])
                )
            time.sleep(_POLL_S)
        run.kill()
    run_dir = _latest(outputs)
    transcript, before = run_dir / "transcript.jsonl", set(_drafts(outputs))
    written = transcript.stat().st_size
    with Command(("resume", run_dir.name, "--outputs", str(outputs))) as resumed:
        while not (set(_drafts(outputs)) - before) and transcript.stat().st_size <= written:
            if resumed.process.poll() is not None:
                raise SystemExit("the resumed run ended without any new work")
            time.sleep(_POLL_S)
        first = resumed.elapsed_s()
        resumed.finish()
    begun, ready = resumed.server_interval()
    return [
        Measure("resume to the first new work", first, "s"),
        Measure("of it: Prefect's server starts", ready - begun, "s"),
        Measure("resume to the first new work, less the server's start", first - (ready - begun), "s", 5),
    ]


def repeated(fresh: Fresh, outputs: Path) -> list[Measure]:
    """A finished run resumed: nothing is simulated, nobody is asked."""
    transcript = fresh.run_dir / "transcript.jsonl"
    before, written = _entries(outputs), transcript.stat().st_size
    with Command(("resume", fresh.run_dir.name, "--outputs", str(outputs))) as again:
        again.finish()
    begun, ready = again.server_interval()
    return [
        Measure("repeated run, nothing to do", again.wall_s, "s", 12),
        Measure("of it: Prefect's server starts", ready - begun, "s"),
        Measure("simulations in it", len(_entries(outputs) - before), "", 1),
        Measure("bytes added to the transcript (new calls)", transcript.stat().st_size - written, "", 1),
    ]


def short_commands(outputs: Path) -> list[Measure]:
    """CPU seconds of commands that do no work, the least of five."""
    return [
        Measure(f"CPU seconds of `reprolab {command[0]}`", min(_cpu_s(command) for _ in range(5)), "s", most)
        for command, most in ((("status", "--outputs", str(outputs)), 0.8), (("--help",), 0.4))
    ]


def _cpu_s(command: tuple[str, ...]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "flows.cli", *command], cwd=ROOT, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _latest(outputs: Path) -> Path:
    return next(path.resolve() for path in outputs.glob("*/latest"))


def _drafts(outputs: Path) -> Iterator[Path]:
    """Simulations that are being made: the store's entry has a draft from the start of each."""
    return store(outputs).glob(".draft-*")


def _entries(outputs: Path) -> set[tuple[Path, float]]:
    return {(path, path.stat().st_mtime) for path in store(outputs).glob("*/outcome.json")}
