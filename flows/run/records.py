"""Runs in an outputs folder: their ids, how one is found, and that one process works on a run at a time."""

from __future__ import annotations

import fcntl
import json
import os
import shlex
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from schemas.base import digest
from schemas.errors import InputError
from schemas.reading.beneath import Unopened, open_below, read_below
from schemas.run.pasted import on_run, typed
from schemas.run.settings import CoreSettings
from schemas.talking.transcript import MAX_TRANSCRIPT_BYTES

RECORD = "run.json"
KEPT_FORM = 2  # of what Prefect keeps of a run, which names our classes by module: raised when one of them moves or changes
_MOST_BYTES = 20_000_000
_FIRST = "reproduce"  # records of runs made before there was a second workflow do not name theirs


def workflow_of(run_dir: Path) -> str:
    """The workflow a run belongs to, as its record says."""
    try:
        found = json.loads(read_below(run_dir, RECORD, _MOST_BYTES, one_name=False)).get("workflow", _FIRST)
    except (Unopened, ValueError, AttributeError, RecursionError):
        return _FIRST  # whoever reads the record says what is wrong with it
    return found if isinstance(found, str) else _FIRST


def part_of(run_dir: Path) -> str:
    """Id of the run that began this one as a part of its own work; '' for a run of its own."""
    try:
        found = json.loads(read_below(run_dir, RECORD, _MOST_BYTES, one_name=False)).get("part_of", "")
    except (Unopened, ValueError, AttributeError, RecursionError):
        return ""
    return found if isinstance(found, str) else ""


def find_record(
    outputs: Path, run_id: str, *, workflow: str = "", last: Callable[[Path], bool] = lambda _: False
) -> Path:
    """The directory of a run by its id, `latest`, a unique beginning of an id, or its folder. InputError otherwise.

    workflow: only runs of that one. last: runs that are the latest only where there is no other; so are parts of other runs.
    """
    run_id = _by_folder(outputs, run_id)
    known = sorted(outputs.glob(f"*/*/{RECORD}"), key=lambda path: path.stat().st_mtime)
    runs = {
        path.parent.name: path.parent
        for path in known
        if not path.parent.is_symlink() and (not workflow or workflow_of(path.parent) == workflow)
    }
    if run_id in ("", "latest") and runs:
        newest = [*reversed(runs.values())]
        return next((path for path in newest if not last(path) and not part_of(path)), newest[0])
    matching = [path for name, path in runs.items() if name.startswith(run_id)]
    if len(matching) == 1:
        return matching[0]
    others = (
        [
            path.parent
            for path in known
            if path.parent.name.startswith(run_id)
            and path.parent not in runs.values()
            and not path.parent.is_symlink()
        ]
        if workflow and not matching and run_id not in ("", "latest")
        else []
    )
    if others:
        raise InputError(
            f"this command works on runs of the workflow {workflow}",
            found=f"{others[0].name}, of the workflow {workflow_of(others[0])}",
            allowed=", ".join(runs) or f"there are no runs of {workflow} yet",
            fix=f"{on_run(others[0], 'status')} shows that run and how it goes on",
        )
    raise InputError(
        "no such run" if not matching else "several runs begin so",
        found=f"{run_id!r} in {outputs}",
        allowed=", ".join(runs) or "there are no runs yet",
        fix=f"`{typed('status', outputs=outputs)}` lists the runs",
    )


def _by_folder(outputs: Path, named: str) -> str:
    """The id of a run that is named by its folder. Raises InputError if that lies in other outputs."""
    if "/" not in named or not (Path(named) / RECORD).is_file():
        return named
    folder = Path(named).resolve()
    if folder.parents[1] != outputs.resolve():
        raise InputError(
            "this run lies in another folder",
            found=str(folder),
            allowed=f"runs in {outputs}",
            fix=f"add --outputs {shlex.quote(str(folder.parents[1]))}",
        )
    return folder.name


def new_run_id() -> str:
    """A new run's id: time and a few random digits."""
    return datetime.now(UTC).strftime("%Y%m%d-%H%M%S-") + os.urandom(2).hex()


def cores_of(most: int, run_id: str) -> tuple[int, ...]:
    """The cores that a run's simulations may use; runs side by side begin at different ones. Empty: all."""
    cores = sorted(os.sched_getaffinity(0))
    first = int(digest(run_id, 8), 16) % len(cores)
    return () if most >= len(cores) else tuple((cores[first:] + cores[:first])[:most])


def model_used(settings: CoreSettings) -> dict[str, object]:
    """What answers, for the transcript's header; a model's name only where a model is called."""
    given = {name for name in ("temperature", "temperature_per_agent") if getattr(settings.model, name)}
    called = {"name", "per_agent", "max_tokens", *given} if settings.model.kind == "anthropic" else set()
    return settings.model.model_dump(mode="json", include={"kind", *called})


_MOST_NAME = 300
_LOOK_S = 0.3  # whoever only looks (`process_at`) has the lock for a moment


def process_at(run_dir: Path) -> str:
    """The number of the process that works on a run now, with its computer where that is another; empty where none does."""
    path = run_dir / ".lock"
    if not path.is_file():
        return ""
    with path.open("rb") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return _named(handle.read(_MOST_NAME).decode("ascii", "replace"))
    return ""


def _named(kept: str) -> str:
    """A process as a lock's file names it, for a person on this computer: workers of several share an outputs folder."""
    number, _, computer = kept.strip().partition(" ")
    elsewhere = computer and computer != socket.gethostname()
    return f"{number} on the computer {computer}" if elsewhere else number or "?"


def taken_up_at(run_dir: Path) -> float:
    """When a process last took the run, in seconds of the epoch; minus infinity where none did."""
    try:
        return (run_dir / ".lock").stat().st_mtime
    except OSError:
        return float("-inf")


def check_kept(run_dir: Path) -> None:
    """Raises InputError where this version cannot read what a run keeps; its record is read by every version."""
    try:
        with open_below(run_dir, "transcript.jsonl", MAX_TRANSCRIPT_BYTES, one_name=False) as stream:
            form = json.loads(stream.readline(_MOST_BYTES))["header"].get("kept", 1)
    except (Unopened, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return  # nothing is kept yet, or whoever reads the record says what is wrong with it
    if form != KEPT_FORM:
        raise InputError(
            "what this run keeps cannot be read by this version of ReproLab",
            found=f"{run_dir.name}, kept in form {str(form)[:20]}",
            allowed=f"form {KEPT_FORM}",
            fix="go on with the version that began it. A reproduction can also be forked "
            f"(`{on_run(run_dir, 'checkpoints')}`, then `{on_run(run_dir, 'fork', '--checkpoint', 'NAME')}`): up to "
            "there nothing is asked or paid again",
        )


@contextmanager
def run_lock(run_dir: Path, patience_s: float = 0) -> Iterator[None]:
    """One process per run; the lock goes with the process, however it ends. InputError if another has it for longer."""
    end = time.monotonic() + max(patience_s, _LOOK_S)
    with (run_dir / ".lock").open("a+") as handle:
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as error:
                if time.monotonic() < end:
                    time.sleep(_LOOK_S / 3)
                    continue
                handle.seek(0)
                raise InputError(
                    f"run {run_dir.name} is being worked on",
                    found=f"process {_named(handle.read(_MOST_NAME))}",
                    fix="wait for it, answer it there, or end that process",
                ) from error
        handle.truncate(0)
        handle.write(f"{os.getpid()} {socket.gethostname()}")
        handle.flush()
        yield
