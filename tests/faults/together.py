"""All mistakes, two at a time, against one Prefect server and one store of solved runs."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from concurrent.futures import as_completed
from dataclasses import asdict
from pathlib import Path

from pydantic import TypeAdapter

from tasks.reproduce.papers import BUNDLED, recorded_ids
from tests.faults.chosen import Fault, write
from tests.faults.judging import Noticed, noticed
from tests.faults.parsed import Recorded, recorded
from tests.faults.running import Ran, run
from tests.lies.honest import HONEST
from tests.lies.runner import pool, tell

LEFT_OUT = (
    "guided-resonance",
)  # its reflectances take minutes, and the other gratings and films have the same mistakes
FILM = "film-true"


def papers(outputs: Path) -> tuple[Recorded, ...]:
    """The recordings: of the bundled papers, and of the lies' film paper, which is lit at an angle."""
    folders = [BUNDLED / name for name in recorded_ids() if name not in LEFT_OUT]
    return tuple(recorded(folder) for folder in (*folders, outputs / "papers" / FILM))


def record_film(outputs: Path) -> None:
    """The honest run of the lies' film paper, whose transcript becomes its recording. Raises RuntimeError."""
    film = outputs / "papers" / FILM
    if (film / "transcript.jsonl").is_file():
        return
    with pool(outputs, 1) as made:
        outcome = made.submit(tell, HONEST[0].name, str(outputs), "").result()
    if outcome.fault or not outcome.folder:
        raise RuntimeError(f"the film paper's honest run: {outcome.fault or outcome.verdict}")
    source = Path(outcome.folder)
    film.mkdir(exist_ok=True)
    for name in ("paper.json", "paper.md"):
        (film / name).write_bytes((outputs / "papers" / "true" / name).read_bytes())
    (film / "data").mkdir(exist_ok=True)
    (film / "data" / "fig1.csv").write_bytes((outputs / "papers" / "true" / "data" / "fig1.csv").read_bytes())
    (film / "transcript.jsonl").write_bytes((source / "transcript.jsonl").read_bytes())


def one(folder: str, outputs: str, name: str) -> Ran:
    """One run, in a process of the pool."""
    return run(Path(folder), Path(outputs), Path(outputs) / "logs" / f"{_file(name)}.log")


def run_all(
    faults: Sequence[Fault], known: Sequence[Recorded], outputs: Path, workers: int = 2
) -> list[Noticed]:
    """What noticed each mistake, in their order; the runs as recorded first. Progress on standard error; what the folder holds is kept."""
    by_paper = {paper.paper: paper for paper in known}
    kept = outputs / "faults"
    kept.mkdir(exist_ok=True)
    with pool(outputs, workers) as made:
        needed = [by_paper[name] for name in dict.fromkeys(fault.paper for fault in faults)]
        places = {p.paper: kept / f"as-recorded-{p.paper}.json" for p in needed}
        plain = {
            p.paper: made.submit(one, str(p.folder), str(outputs), f"as recorded {p.paper}")
            for p in needed
            if not places[p.paper].is_file()
        }
        for name, first in plain.items():
            _keep(places[name], first.result())
        honest = {name: _read(place) for name, place in places.items()}
        for name, ran in honest.items():
            if ran.verdict in ("no run", "no verdict") or not ran.classes:
                raise RuntimeError(f"{name} as recorded: {ran.verdict} {ran.broken}")
        jobs = {}
        for fault in faults:
            if not (kept / f"{_file(fault.name)}.json").is_file():
                folder = write(fault, by_paper[fault.paper], outputs / "papers-of-faults" / _file(fault.name))
                jobs[made.submit(one, str(folder), str(outputs), fault.name)] = fault
        for job in as_completed(jobs):
            fault = jobs[job]
            ran = job.result() if job.exception() is None else Ran("no run", broken=repr(job.exception()))
            _keep(kept / f"{_file(fault.name)}.json", ran)
            found = noticed(fault.name, fault.leads, honest[fault.paper], ran)
            print(
                f"{found.seconds:6.1f} s  {found.by}  {fault.name}: {found.says}", file=sys.stderr, flush=True
            )
    return [found for _, found in held(faults, outputs)]


def held(faults: Sequence[Fault], outputs: Path) -> list[tuple[Fault, Noticed]]:
    """Of these mistakes those whose runs the folder holds, each with what noticed it."""
    kept, found = outputs / "faults", []
    for fault in faults:
        ran, plain = kept / f"{_file(fault.name)}.json", kept / f"as-recorded-{fault.paper}.json"
        if ran.is_file() and plain.is_file():
            found.append((fault, noticed(fault.name, fault.leads, _read(plain), _read(ran))))
    return found


def _keep(path: Path, ran: Ran) -> None:
    path.write_text(json.dumps(asdict(ran)), encoding="utf-8")


def _read(path: Path) -> Ran:
    return TypeAdapter(Ran).validate_json(path.read_bytes())


def _file(name: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in name)[:150]
