"""One execution: a copy of the work directory goes into the sandbox, and what the program made of it is taken over."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from schemas.explore.claims import ExecutionRecord
from schemas.reading.beneath import Unopened, open_below
from schemas.talking.tools import ToolContext
from skills.executions.record import Record
from tasks.explore.measuring.interpreter import Interpreter, interpreter
from tasks.explore.nodes.difference import recorded
from tasks.explore.nodes.node_files import JUNK, regular_files, snapshot
from tasks.sandbox import Limits, run_sandboxed, scratch

LIBRARY = "/sandbox/library"
_COMMAND_CHARS = 200_000
_LEAST_CPU_S = 0.5
_MOST_NAMED = 20


@dataclass(frozen=True)
class Ended:
    """How a program ended, and the ends of its output; stop_reason: the limit it reached, '' for none."""

    exit_code: int | None
    signal: int | None
    stop_reason: str
    cpu_s: float
    stdout: str
    stderr: str


Runner = Callable[[Path, float], Ended]
"""Runs something on a copy of the work directory with so many CPU seconds."""


class NoBudget(Exception):
    """The node has used up what its executions may take."""


def python() -> Interpreter:
    """The interpreter of programs: the system's, or the one that REPROLAB_PYTHON names."""
    named = os.environ.get("REPROLAB_PYTHON")
    return interpreter(named) if named else interpreter()


def execute(
    argv: Sequence[str],
    *,
    tool: str,
    command: str,
    work: Path,
    context: ToolContext,
    runner: Runner | None = None,
) -> str:
    """Run `argv` in the sandbox on the files of `work`; its answer in words. The same call_id is run once.

    runner: does it instead (a container).

    Raises NoBudget, and what the sandbox raises (SandboxUnavailable, SandboxLost).
    """
    record = Record(work)
    if (said := record.answered(context.call_id)) is not None:
        return said
    done = record.executions()
    left = context.limits.cpu_s - sum(one.cpu_s for one in done)
    if left < _LEAST_CPU_S:
        raise NoBudget(
            f"the {context.limits.cpu_s:g} CPU seconds of this node are used up; finish with what there is"
        )
    before = snapshot(work)
    with scratch("reprolab-coding-") as folder:
        copy = folder / "work"
        _copied(work, copy)
        result = runner(copy, left) if runner else _sandboxed(argv, copy, context, left)
        after = snapshot(copy)
        entry = recorded(
            len(done),
            before,
            after,
            _sizes(copy, after),
            kind="run",
            tool=tool,
            command=command[:_COMMAND_CHARS],
            exit_code=result.exit_code,
            stop_reason=result.stop_reason,
            cpu_s=round(result.cpu_s, 3),
        )
        text = _words(entry, result, context, left - result.cpu_s, _left_behind(copy, after))
        record.keep(entry, text, context.call_id, copy)
    return text


def _sandboxed(argv: Sequence[str], work: Path, context: ToolContext, cpu_s: float) -> Ended:
    limits, found = context.limits, python()
    libraries = {Path(folder): f"{LIBRARY}/{name}" for name, folder in context.libraries.items()}
    env = {"PATH": f"{Path(found.path).parent}:/usr/bin:/bin"}
    if libraries:
        env["PYTHONPATH"] = LIBRARY
    bounds = Limits(
        cpu_s=cpu_s,
        wall_s=4 * cpu_s + 120,
        memory_mb=limits.memory_mb,
        disk_mb=limits.disk_mb,
        file_mb=limits.disk_mb,
        processes=limits.processes,
    )
    result = run_sandboxed(
        argv,
        work,
        readonly=libraries,
        prefixes=found.prefixes,
        env=env,
        limits=bounds,
        allow_degraded=limits.allow_degraded,
    )
    return Ended(
        result.exit_code,
        result.signal,
        result.stop_reason or "",
        result.cpu_s,
        result.stdout_tail,
        result.stderr_tail,
    )


def _copied(source: Path, target: Path) -> None:
    """Regular files, writable for the user that programs run as."""
    for path in regular_files(source):
        place = target / path
        for folder in reversed(place.relative_to(target).parents):
            (target / folder).mkdir(exist_ok=True)
            (target / folder).chmod(0o777)
        try:
            with open_below(source, path, 1 << 40, one_name=False) as stream, place.open("xb") as copy:
                shutil.copyfileobj(stream, copy)
                status = os.fstat(stream.fileno())
                os.fchmod(copy.fileno(), 0o777 if status.st_mode & 0o100 else 0o666)
        except Unopened:
            continue
        os.utime(place, ns=(status.st_atime_ns, status.st_mtime_ns))
    target.chmod(0o755)


def _sizes(work: Path, files: dict[str, str]) -> dict[str, int]:
    return {path: (work / path).lstat().st_size for path in files}


def _left_behind(work: Path, kept: dict[str, str]) -> list[str]:
    """Links, and files that cannot be kept under their names; what a cache holds is not told."""
    found = []
    for folder, folders, files in os.walk(work):
        folders[:] = [name for name in folders if name not in JUNK]
        paths = [os.path.relpath(os.path.join(folder, name), work) for name in (*folders, *files)]
        found += [
            path
            for path in paths
            if os.path.islink(work / path)
            or (path not in kept and not path.endswith(".pyc") and not os.path.isdir(work / path))
        ]
    return found


def _words(
    entry: ExecutionRecord, result: Ended, context: ToolContext, left: float, dropped: list[str]
) -> str:
    end = (
        f"stopped: the limit on {result.stop_reason} was reached"
        if result.stop_reason
        else (
            f"exit code {result.exit_code}"
            if result.exit_code is not None
            else f"ended by signal {result.signal}"
        )
    )
    lines = [f"{end}; {result.cpu_s:.2f} CPU s, {max(0.0, left):.0f} CPU s left for this node"]
    if entry.written:
        more = f" and {len(entry.written) - _MOST_NAMED} more" if len(entry.written) > _MOST_NAMED else ""
        lines.append(
            "wrote "
            + ", ".join(f"{file.path} ({file.bytes} bytes)" for file in entry.written[:_MOST_NAMED])
            + more
        )
    if entry.deleted:
        lines.append("deleted " + ", ".join(entry.deleted[:_MOST_NAMED]))
    if dropped:
        lines.append(
            "not kept (links, or names no file may have): " + ", ".join(map(ascii, dropped[:_MOST_NAMED]))
        )
    room = context.limits.output_kb * 1024
    errors = _end(result.stderr, room // 3)
    output = _end(result.stdout, room - len(errors))
    streams = (("standard output", output), ("standard error", errors))
    return "\n".join(lines + [f"{name}:\n{text}" for name, text in streams if text])


def _end(text: str, longest: int) -> str:
    text = text.rstrip("\n")
    return (
        text
        if len(text) <= longest
        else f"[... {len(text) - longest} characters left out ...]\n{text[-longest:]}"
    )
