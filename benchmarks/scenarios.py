"""What is measured: a fresh run against the bare simulations, a killed and resumed run, a repeated run."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.bare import batches, run_bare, scheduled_s
from benchmarks.command import Command
from benchmarks.measures import Measure

_POLL_S = 0.01
_INTO_A_SIMULATION_S = 0.5


@dataclass(frozen=True)
class Fresh:
    """A fresh run that came to its end: its directory, how many simulations it ran, what was measured."""

    run_dir: Path
    simulations: int
    measures: list[Measure]


def fresh_run(paper: str, outputs: Path, meep_python: str, workers: int) -> Fresh:
    """The whole machinery against the bare simulations, and the memory it takes."""
    cpu = _cpu_s()
    with Command(("reproduce", paper, "--outputs", str(outputs))) as run:
        run.finish()
    cpu = _cpu_s() - cpu
    run_dir = _latest(outputs)
    work = batches(run_dir)
    simulated = scheduled_s(work, workers)
    bare = run_bare(work, meep_python, workers)
    begun, ready = run.server_interval()
    server = ready - begun
    rest = run.wall_s - server - bare
    sandbox = max(0.0, simulated - bare)
    simulated_cpu = sum(item.cpu_s for batch in work for item in batch)
    count = sum(len(batch) for batch in work)
    return Fresh(run_dir, count, [
        Measure("fresh run, in all", run.wall_s, "s"),
        Measure("of it: Prefect's server starts", server, "s"),
        Measure(f"of it: the {count} simulations, bare", bare, "s"),
        Measure("of it: machinery (all else)", rest, "s"),
        Measure("machinery: imports and preflight", begun, "s"),
        Measure("machinery: sandbox and collecting (approx.)", sandbox, "s"),
        Measure("machinery: agents, evidence, report, Prefect", max(0.0, rest - begun - sandbox), "s"),
        Measure("machinery and server, CPU seconds", cpu - simulated_cpu, "s"),
        Measure("overhead over the bare simulations", 100 * rest / bare, "%", 5),
        Measure("peak memory of the flow process", run.peak_mb, "MiB", 600),
        Measure("peak memory of the embedded server", run.server_mb, "MiB"),
    ])


def killed_and_resumed(paper: str, outputs: Path, simulations: int) -> list[Measure]:
    """SIGKILL in the middle of a simulation half-way through; then how long until the first new work.

    New work is a simulation that starts or a call that was not in the transcript.
    """
    half = simulations // 2 + 1
    with Command(("reproduce", paper, "--outputs", str(outputs))) as run:
        seen: set[Path] = set()
        while len(seen) < half:
            if run.process.poll() is not None:
                raise SystemExit(f"the run ended after {len(seen)} simulations, before it could be killed")
            seen |= set(_drafts(outputs))
            time.sleep(_POLL_S)
        time.sleep(_INTO_A_SIMULATION_S)
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
    return [Measure("resume to the first new work", first, "s"),
            Measure("of it: Prefect's server starts", ready - begun, "s"),
            Measure("resume to the first new work, less the server's start", first - (ready - begun), "s", 5)]


def repeated(fresh: Fresh, outputs: Path) -> list[Measure]:
    """A finished run resumed: nothing is simulated, nobody is asked."""
    transcript = fresh.run_dir / "transcript.jsonl"
    before, written = _entries(outputs), transcript.stat().st_size
    with Command(("resume", fresh.run_dir.name, "--outputs", str(outputs))) as again:
        again.finish()
    begun, ready = again.server_interval()
    return [Measure("repeated run, nothing to do", again.wall_s, "s", 15),
            Measure("of it: Prefect's server starts", ready - begun, "s"),
            Measure("simulations in it", len(_entries(outputs) - before), "", 1),
            Measure("bytes added to the transcript (new calls)", transcript.stat().st_size - written, "", 1)]


def _cpu_s() -> float:
    """CPU seconds of all children that ended, theirs included; other work hardly disturbs it."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _latest(outputs: Path) -> Path:
    return next(path.resolve() for path in outputs.glob("*/latest"))


def _drafts(outputs: Path) -> Iterator[Path]:
    """Simulations that are being made: the store's entry has a draft from the start of each."""
    return (outputs / ".reprolab" / "simulations").glob(".draft-*")


def _entries(outputs: Path) -> set[tuple[Path, float]]:
    found = (outputs / ".reprolab" / "simulations").glob("*/execution.json")
    return {(path, path.stat().st_mtime) for path in found}
