"""Many runs, one start: `<meep's python> -m simkit.solve FOLDER --serve` solves FOLDER/000001, 000002, ... as they appear.

Importing Meep costs more than many runs do. The server imports once and gives each run a fork of itself: a run that fails,
grows or reaches its limit takes no other with it, and its time and memory are its own. Where Meep was built with MPI a fork
would break the connection, so all processes solve the runs in their order themselves, and a failure ends the server.
"""

from __future__ import annotations

import gc
import io
import json
import math
import os
import resource
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from simkit.cpu import cpu_s
from simkit.solve.errors import FINISHED
from simkit.solve.progress import write_json

SOONEST_S, LATEST_S = 0.002, 0.05  # between two looks for the next run
_LOADED_BY_RUNS = ("fdtd", "bands", "timing", "__main__")


def serve(folder: Path) -> int:
    """Solve runs until one is called {"end": true}; the exit code.

    FOLDER/NUMBER/job.json: {"cpu_s": limit, "options": [...]} with options of simkit.solve. Beside it ended.json is written:
    exit_code or signal, cpu_s (of all processes, and of the start in the first), wall_s, peak_memory_mb. The folder has to
    appear whole (renamed into its place).
    """
    import meep as mp

    mp.verbosity(0)
    forks = not mp.with_mpi()
    for name in _LOADED_BY_RUNS if forks else ():
        __import__(f"simkit.solve.{name}")
    if forks:
        reread(np.zeros(1))
        gc.freeze()  # what is imported is shared with every fork
    before, number = 0.0, 0
    while True:
        number += 1
        own = folder / f"{number:06d}"
        job = awaited(own / "job.json")
        if job.get("end"):
            return FINISHED
        began = time.monotonic()
        ended = forked(own, job) if forks else inside(own, job, mp)
        used = cpu_s()
        if forks:
            ended["cpu_s"] += used - before
        before = used
        if forks or mp.am_master():
            write_json(own / "ended.json", {**ended, "wall_s": round(time.monotonic() - began, 3)})


def reread(values: np.ndarray) -> np.ndarray:
    """Written and read as raw arrays are: what numpy makes for the first of them is made before the forks."""
    kept = io.BytesIO()
    np.savez(kept, values=values)
    kept.seek(0)
    with np.load(kept, allow_pickle=False) as data:
        return np.asarray(data["values"])


def awaited(path: Path) -> dict[str, Any]:
    """The next job, as soon as it is there."""
    pause = SOONEST_S
    while not path.is_file():
        time.sleep(pause)
        pause = min(LATEST_S, pause * 1.2)
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def forked(folder: Path, job: dict[str, Any]) -> dict[str, Any]:
    """Solve in a child, whose output goes to files of the run's folder."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            for number, name in ((1, "stdout"), (2, "stderr")):
                target = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
                os.dup2(target, number)
                os.close(target)
            limit_cpu(0.0, float(job["cpu_s"]))
            code = solve(folder, job)
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(code)
    _, status, usage = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return {
        "exit_code": code if code >= 0 else None,
        "signal": -code if code < 0 else None,
        "cpu_s": usage.ru_utime + usage.ru_stime,
        "peak_memory_mb": round(usage.ru_maxrss / 1024, 1),
    }


def inside(folder: Path, job: dict[str, Any], mp: Any) -> dict[str, Any]:
    """Solve in this process, one of several; a failure ends them all."""
    before = cpu_s()
    limit_cpu(before, float(job["cpu_s"]) / mp.count_processors())
    code = solve(folder, job)
    if code != FINISHED:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    gc.collect()
    return {
        "exit_code": code,
        "signal": None,
        "cpu_s": float(mp.sum_to_all(cpu_s() - before)),
        "peak_memory_mb": round(
            mp.sum_to_all(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0), 1
        ),
    }


def solve(folder: Path, job: dict[str, Any]) -> int:
    """One run; its exit code."""
    from simkit.solve.__main__ import main

    return main([str(folder), *map(str, job.get("options", ()))])


def limit_cpu(used: float, limit: float) -> None:
    """The signal of the limit on CPU time comes `limit` seconds from now."""
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    wanted = math.ceil(used + limit)
    resource.setrlimit(
        resource.RLIMIT_CPU, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard)
    )
