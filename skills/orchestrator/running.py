"""Runs of the `reprolab` command: started in processes of their own, which outlive the server that started them."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from schemas.reading.beneath import Unopened, read_below
from schemas.text.visible import visible
from skills import kit
from tasks.files.store import atomic_write, private_folder, remove_tree

OUTPUTS, DEPTH, OUTSIDE = kit.OUTPUTS, "REPROLAB_RUN_DEPTH", "REPROLAB_FROM_OUTSIDE"
ALLOWED_PAPERS, ALLOWED_GOALS = "REPROLAB_ALLOW_PAPERS", "REPROLAB_ALLOW_GOALS"
MOST_DEPTH, MOST_AT_ONCE = 3, 4
_STARTING_S, _LOOK_S, _RECORD_BYTES, _COMMAND_S = 900.0, 0.3, 4 << 20, 300.0


class RunError(ValueError):
    """A run could not be started or found; the text says why."""


def outputs() -> Path:
    """The folder of results: REPROLAB_OUTPUTS, or `outputs` where the server was started."""
    return kit.outputs()


def runs() -> dict[str, Path]:
    """Folders of all runs by id, the oldest first."""
    found = [path for path in outputs().glob("*/*/run.json") if not path.parent.is_symlink()]
    return {path.parent.name: path.parent for path in sorted(found, key=lambda path: path.stat().st_mtime)}


def run_folder(run: str) -> Path:
    """The folder of a run, by its id or a beginning of one, or `latest`. Raises RunError."""
    known = runs()
    matching = (
        [*known][-1:] if run == "latest" else [name for name in known if name.startswith(run)] if run else []
    )
    if len(matching) != 1:
        raise RunError(
            f"{'several runs begin' if matching else 'no run begins'} with {run!r}; there are "
            f"{', '.join(list(known)[-20:]) or 'none'}"
        )
    return known[matching[0]]


def record_of(folder: Path) -> dict[str, Any]:
    """run.json of a run; empty where it cannot be read."""
    try:
        found = json.loads(read_below(folder, "run.json", _RECORD_BYTES))
    except (Unopened, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def process_of(folder: Path) -> int | None:
    """The process that works on a run now: it holds the run's .lock. Looked up, never tried: trying would be in its way.

    Source: proc_locks(5).
    """
    try:
        inode = (folder / ".lock").stat().st_ino
        held = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
    except OSError:
        return None
    return next(
        (int(fields[4]) for fields in held if fields[1] == "FLOCK" and fields[5].endswith(f":{inode}")), None
    )


def start(
    arguments: list[str],
    *,
    parent: str = "",
    call_id: str = "",
    files: Mapping[str, str] | None = None,
    paper: Path | None = None,
) -> dict[str, Any]:
    """Start `reprolab` with these arguments and give its run's id, folder and log. Raises RunError with its last words.

    The run takes its parameters as from outside (flows/run/allowed.py): beside what the environment allows it may read
    `paper`, a paper's folder, and the files it is given here; nothing else that an argument or an answer names.
    files: texts by name that it is given, in a folder whose path takes the place of "{files}". call_id: a repeated one starts
    nothing again. parent: the run that wanted it.
    """
    depth = int(os.environ.get(DEPTH, "0") or 0) + 1
    if depth > MOST_DEPTH:
        raise RunError(f"runs start runs at most {MOST_DEPTH} deep")
    if sum(process_of(folder) is not None for folder in runs().values()) >= MOST_AT_ONCE:
        raise RunError(f"{MOST_AT_ONCE} runs are at work; wait for one to end")
    key = hashlib.sha256(f"{call_id or time.time_ns()}".encode()).hexdigest()[:16]
    folder = private_folder(private_folder(outputs() / ".reprolab") / "orchestrator" / key)
    done = folder / "run.json"
    if done.is_file():
        found: dict[str, Any] = json.loads(done.read_text())
        return found
    for name, text in (files or {}).items():
        atomic_write(folder / name, text)
    command = [
        sys.executable,
        "-m",
        "flows.cli",
        *(item.replace("{files}", str(folder)) for item in arguments),
        "--outputs",
        str(outputs()),
    ]
    root = str(Path(__file__).resolve().parents[2])
    env = {
        **os.environ,
        DEPTH: str(depth),
        "REPROLAB_NON_INTERACTIVE": "1",
        "PYTHONPATH": root,
        OUTSIDE: "1",
        OUTPUTS: str(outputs()),
        **_allowed(ALLOWED_GOALS, folder if files else None),
        **_allowed(ALLOWED_PAPERS, paper),
    }
    log = folder / "log.txt"
    with log.open("wb") as stream:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=stream,
            start_new_session=True,
        )
    run = _begun(process, log)
    said = {"run": run.name, "folder": str(run), "log": str(log), "parent": parent}
    atomic_write(done, json.dumps(said))
    return said


def _allowed(variable: str, folder: Path | None) -> dict[str, str]:
    """The variable with one folder more."""
    given = [entry for entry in os.environ.get(variable, "").split(os.pathsep) if entry]
    return {variable: os.pathsep.join([*given, str(folder)])} if folder is not None else {}


def _begun(process: subprocess.Popen[bytes], log: Path) -> Path:
    deadline = time.monotonic() + _STARTING_S
    before = set(runs())
    while time.monotonic() < deadline:
        for name, folder in reversed(runs().items()):
            if process_of(folder) == process.pid or (name not in before and process.poll() == 0):
                return folder
        if process.poll() not in (None, 0):
            words = last_words(log)
            remove_tree(log.parent)
            raise RunError(f"it did not start (exit code {process.returncode}): {words}")
        time.sleep(_LOOK_S)
    process.terminate()
    raise RunError(f"no run appeared within {_STARTING_S:.0f} s: {last_words(log)}")


def last_words(log: Path, longest: int = 3000) -> str:
    """The end of a log, visible."""
    try:
        return visible(log.read_text(encoding="utf-8", errors="replace")[-longest:]).strip()
    except OSError:
        return ""


def told(arguments: list[str]) -> str:
    """What a short command of `reprolab` prints. Raises RunError."""
    root = str(Path(__file__).resolve().parents[2])
    try:
        done = subprocess.run(
            [sys.executable, "-m", "flows.cli", *arguments, "--outputs", str(outputs())],
            cwd=outputs(),
            capture_output=True,
            text=True,
            timeout=_COMMAND_S,
            stdin=subprocess.DEVNULL,
            check=False,
            env={**os.environ, "PYTHONPATH": root},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RunError(f"reprolab gave no answer: {error}") from None
    if done.returncode != 0:
        raise RunError(visible(done.stderr.strip()[-2000:]))
    return visible(done.stdout.strip())


def children_of(run: str) -> list[str]:
    """Ids of runs that a run started: by this server, or by a decision of its own search."""
    mine = []
    for path in (outputs() / ".reprolab" / "orchestrator").glob("*/run.json"):
        said = json.loads(path.read_text())
        mine += [said["run"]] if said.get("parent") == run else []
    for name, folder in runs().items():
        seed = record_of(folder).get("seed")
        if isinstance(seed, dict) and seed.get("parent_run") == run:
            mine.append(name)
    return sorted(set(mine))
