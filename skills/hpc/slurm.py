"""Jobs of a node on Slurm: submitted once, asked about until they end, cancelled by whoever submitted them.

Source: sbatch(1), squeue(1), scontrol(1), scancel(1).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from schemas.talking.tools import ToolContext
from tasks.files.store import atomic_write, private_folder

ROOT = Path(__file__).resolve().parents[2]
ENDED = (
    "COMPLETED",
    "FAILED",
    "CANCELLED",
    "TIMEOUT",
    "OUT_OF_MEMORY",
    "NODE_FAIL",
    "BOOT_FAIL",
    "DEADLINE",
    "PREEMPTED",
)
_PATIENCE_S, _FIRST_LOOK_S, _LAST_LOOK_S, _SETTLING_S = 60.0, 0.2, 15.0, 20.0


class JobError(ValueError):
    """The scheduler, or what it was asked for, does not fit; the text says why."""


@dataclass(frozen=True)
class Wish:
    """What a job asks of the cluster."""

    script: str
    arguments: tuple[str, ...] = ()
    cpus: int = 1
    minutes: int = 10
    memory_mb: int = 0
    gpus: int = 0
    partition: str = ""


def available() -> bool:
    """Whether there is a scheduler to talk to."""
    return all(shutil.which(name) for name in ("sbatch", "squeue", "scontrol", "scancel"))


def jobs_folder(work: Path) -> Path:
    """Where the orders of a node's jobs lie: beside its work directory, where no program of it writes."""
    return private_folder(work.parent / "jobs")


def submit(wish: Wish, context: ToolContext) -> str:
    """The number of the job; the same call_id is submitted once. Raises JobError."""
    work = Path(context.work_dir)
    folder = jobs_folder(work)
    key = hashlib.sha256(f"{context.work_dir}\n{context.call_id or time.time_ns()}".encode()).hexdigest()[:16]
    name, order, given = f"reprolab-{key}", folder / f"{key}.json", folder / f"{key}.job"
    if given.exists():
        return given.read_text()
    if order.exists() and (found := _queued(name)):  # killed between submitting and noting
        atomic_write(given, found)
        return found
    own = context.model_copy(update={"call_id": f"job-{key}"})
    command = " ".join([wish.script, *wish.arguments])
    atomic_write(
        order,
        json.dumps(
            {
                "script": wish.script,
                "arguments": wish.arguments,
                "command": command,
                "context": own.model_dump(mode="json"),
            }
        ),
    )
    launcher = folder / f"{key}.sh"
    atomic_write(
        launcher,
        f"#!/bin/bash\ncd {shlex.quote(str(ROOT))} && exec {shlex.quote(sys.executable)} -m skills.hpc.job "
        f"{shlex.quote(str(order))}\n",
    )
    options = [
        "--parsable",
        f"--job-name={name}",
        f"--cpus-per-task={wish.cpus}",
        f"--time={wish.minutes}",
        "--no-requeue",
        "--export=PATH,HOME,LANG,SLURM_CONF,REPROLAB_PYTHON",
        f"--output={folder / (key + '.log')}",
        f"--chdir={ROOT}",
    ]
    options += [f"--mem={wish.memory_mb}"] if wish.memory_mb else []
    options += [f"--gpus={wish.gpus}"] if wish.gpus else []
    options += [f"--partition={wish.partition}"] if wish.partition else []
    number = _told(["sbatch", *options, str(launcher)]).split(";")[0].strip()
    if not re.fullmatch(r"[0-9]+", number):
        raise JobError(f"sbatch gave no number of a job: {number[:200]}")
    atomic_write(given, number)
    return number


def state(number: str, work: Path, wait_s: float = 0.0) -> tuple[str, str]:
    """State of a job of this node, and how its script ended once it did; waits up to `wait_s` for its end. Raises JobError."""
    key = _key(number, work)
    deadline, pause = time.monotonic() + wait_s, _FIRST_LOOK_S
    while True:
        now = _state(number)
        end = jobs_folder(work) / f"{key}.end"
        if end.exists():
            return "COMPLETED", end.read_text(encoding="utf-8")
        settling = 0.0 if now == "CANCELLED" else min(wait_s, _SETTLING_S)  # a shared disk may lag behind
        if now in (*ENDED, "UNKNOWN") and time.monotonic() >= deadline - wait_s + settling:
            return now, _log(jobs_folder(work) / f"{key}.log")
        if time.monotonic() >= deadline:
            return now, ""
        time.sleep(min(pause, max(0.0, deadline - time.monotonic())))
        pause = min(2 * pause, _LAST_LOOK_S)


def cancel(number: str, work: Path) -> None:
    """Cancel a job of this node. Raises JobError."""
    _key(number, work)
    _told(["scancel", number])


def _key(number: str, work: Path) -> str:
    for given in jobs_folder(work).glob("*.job"):
        if given.read_text() == number:
            return given.stem
    mine = ", ".join(sorted(given.read_text() for given in jobs_folder(work).glob("*.job"))) or "none"
    raise JobError(f"{number!r} is no job of this node; its jobs are: {mine}")


def _queued(name: str) -> str:
    return (
        _told(["squeue", "--noheader", "--states=all", f"--name={name}", "--format=%i"])
        .split("\n")[0]
        .strip()
    )


def _state(number: str) -> str:
    try:
        found = re.search(r"JobState=(\w+)", _told(["scontrol", "show", "job", number, "--oneliner"]))
    except JobError:
        return "UNKNOWN"  # the scheduler forgets a job some minutes after its end
    return found[1] if found else "UNKNOWN"


def _log(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")[-2000:] if path.exists() else ""


def _told(command: list[str]) -> str:
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=_PATIENCE_S,
            check=False,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "LC_ALL": "C"},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise JobError(f"{command[0]} gave no answer: {error}") from None
    if done.returncode != 0:
        raise JobError(f"{command[0]} refused: {done.stderr.strip()[:600] or done.stdout.strip()[:600]}")
    return done.stdout.strip()
