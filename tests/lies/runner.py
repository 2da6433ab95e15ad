"""All lies, two at a time, against one Prefect server and one store of solved runs."""

from __future__ import annotations

import ctypes
import json
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import get_args

from tests.lies.attempts import ATTEMPTS
from tests.lies.film import Edition, write_paper
from tests.lies.honest import HONEST
from tests.lies.kit import NEVER_ENDED, Lie, Outcome, read, run
from tests.lies.table import LIES

_PDEATHSIG = 1  # prctl(2)
EVERY = {lie.name: lie for lie in (*HONEST, *LIES)}
TOLD = EVERY | {lie.name: lie for lie in ATTEMPTS}


def tell(name: str, outputs: str, plain: str) -> Outcome:
    """One run, in a process of the pool."""
    return run(TOLD[name], Path(outputs), Path(outputs) / "papers", plain)


def _end_with(parent: int) -> None:
    """Let this process end when the one that tells the lies does, killed or not."""
    ctypes.CDLL(None).prctl(_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


@contextmanager
def pool(outputs: Path, workers: int) -> Iterator[ProcessPoolExecutor]:
    """Processes beside one Prefect server."""
    from flows.serving.embedded import EmbeddedServer
    from flows.serving.runtime import prepare_environment

    for edition in get_args(Edition):
        if not (outputs / "papers" / edition).is_dir():
            write_paper(outputs / "papers" / edition, edition)
    os.environ["REPROLAB_NON_INTERACTIVE"] = "1"
    prepare_environment(outputs)
    with EmbeddedServer() as server:
        server.wait()
        spawn = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(
            workers, mp_context=spawn, initializer=_end_with, initargs=(os.getpid(),)
        ) as made:
            yield made


def told_before(outputs: Path) -> list[Outcome]:
    """The last outcome of every run that this folder has seen, honest ones first."""
    kept = outputs / "outcomes"
    return [
        Outcome(**json.loads((kept / f"{name}.json").read_text()))
        for name in EVERY
        if (kept / f"{name}.json").is_file()
    ]


def run_all(lies: Sequence[Lie], outputs: Path, workers: int = 2) -> list[Outcome]:
    """Outcomes of the honest runs that these lies need, and of the lies, in their order; progress on standard error."""
    found: dict[str, Outcome] = {}

    def note(outcome: Outcome) -> None:
        found[outcome.lie] = outcome
        (outputs / "outcomes").mkdir(exist_ok=True)
        (outputs / "outcomes" / f"{outcome.lie}.json").write_text(json.dumps(asdict(outcome)))
        print(
            f"{outcome.seconds:6.1f} s  {'held' if not outcome.fault else 'NOT HELD'}  {outcome.lie}: "
            f"{outcome.fault or outcome.outcome}",
            file=sys.stderr,
            flush=True,
        )

    needed = {"true", *(lie.edition for lie in lies if lie.shown)}
    honest = HONEST if lies == LIES else tuple(lie for lie in HONEST if lie.edition in needed)
    with pool(outputs, workers) as made:
        plain: dict[str, str] = {}
        for lie in honest:  # first and one after the other: what they solve is in the store for all others
            outcome = made.submit(tell, lie.name, str(outputs), "").result()
            note(outcome)
            plain[lie.edition] = read(Path(outcome.folder))[2] if outcome.folder else ""
        jobs: dict[Future[Outcome], str] = {
            made.submit(tell, lie.name, str(outputs), plain.get(lie.edition, "")): lie.name for lie in lies
        }
        for job in as_completed(jobs):
            error = job.exception()
            note(
                job.result()
                if error is None
                else Outcome(jobs[job], {}, "", "", f"the run broke: {error!r}", 0.0)
            )
        for lie in lies:
            if (
                found[lie.name].verdict in NEVER_ENDED
            ):  # nothing is known of it: Prefect's server, say, was too busy
                note(made.submit(tell, lie.name, str(outputs), plain.get(lie.edition, "")).result())
    return [found[lie.name] for lie in (*honest, *lies)]
