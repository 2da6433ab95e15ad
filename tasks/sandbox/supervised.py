"""A program at a given level of isolation: started behind the shim, watched, and nothing of it left running."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypedDict, Unpack

from tasks.sandbox.command import (
    SANDBOX_UID,
    Program,
    bubblewrap_command,
    direct_command,
    linked_layout,
    resource_limits,
)
from tasks.sandbox.prepare import prepared, processes_of
from tasks.sandbox.sandbox_result import (
    FirstProcess,
    Limits,
    SandboxLevel,
    SandboxLost,
    SandboxResult,
    SandboxUnavailable,
)
from tasks.sandbox.seccomp import seccomp_program
from tasks.sandbox.tree import descendants, started
from tasks.sandbox.work_disk import affordable

_ROOT = Path(__file__).resolve().parents[2]
_POLL_S = 0.2
_SHIM_GRACE_S = 30.0
_MARKER = "@seccomp@"
_OTHERS_TO_COME = (
    4096  # processes that the user may start elsewhere while a sandbox is open; inside the limit is exact
)
NO_ISOLATION = (
    "install bubblewrap (apt-get install bubblewrap); where it is refused a uid map or /proc, allow it "
    "unprivileged user namespaces (AppArmor profile, container option). Or accept resource limits only with "
    "the setting allow_degraded_sandbox: generated code can then read your files and use the network"
)
# our root goes last, so that nothing beside our packages can take the place of a standard module
_START_SHIM = (
    "import sys; sys.path.append(sys.argv[1]); from tasks.sandbox.shim import main; sys.exit(main())"
)


class Wanted(TypedDict, total=False):
    """How a program is run; everything may be left out.

    readonly: host path -> path inside, below "/sandbox/" and outside the work directory.
    prefixes: installation prefixes of the interpreter outside /usr, visible at their own path.
    env: added to a small clean environment; nothing of ours is inherited.
    limits: on CPU and wall time, memory, disk, output, processes.
    allow_degraded: required to run at level C.
    on_poll: called with the elapsed seconds about five times a second; an exception ends the run and
        is raised.
    cancel: setting it ends the run with stop_reason "cancelled".
    cores: the processor cores it may use; all that we may use when empty.
    mpi: the program uses MPI, which needs kernel calls that are refused otherwise (`seccomp_program`).
    live: names of files in the work directory whose last 8 KiB are wanted there while the program runs.
    handed_in: we put files into the work directory while the program runs, so it is used itself.
    """

    readonly: Mapping[Path, str] | None
    prefixes: Sequence[Path]
    env: Mapping[str, str] | None
    limits: Limits | None
    allow_degraded: bool
    on_poll: Callable[[float], None] | None
    cancel: threading.Event | None
    cores: Collection[int]
    mpi: bool
    live: Collection[str]
    handed_in: bool


def supervised(
    argv: Sequence[str], work_dir: Path, level: SandboxLevel, **wanted: Unpack[Wanted]
) -> SandboxResult:
    """`run_sandboxed` at a level that is known."""
    limits = wanted.get("limits") or Limits()
    if level.degraded and not wanted.get("allow_degraded"):
        raise SandboxUnavailable(
            "generated code cannot be isolated on this computer",
            found="; ".join(level.findings),
            allowed="bubblewrap 0.8 or newer with unprivileged user namespaces",
            fix=NO_ISOLATION,
        )
    seen = (wanted.get("readonly") or {}, wanted.get("prefixes", ()), wanted.get("env") or {})
    with prepared(argv, work_dir, *seen) as program:
        order, warnings = _order(
            program, limits, level, wanted.get("mpi", False), handed_in=wanted.get("handed_in", False)
        )
        order["live"] = list(wanted.get("live", ()))
        order["cores"] = sorted(set(wanted.get("cores", ())) & os.sched_getaffinity(0))
        outcome = _watched(order, limits, wanted.get("on_poll"), wanted.get("cancel"))
    if "error" in outcome:
        raise SandboxUnavailable(
            "the sandbox could not start the program",
            found=outcome["error"],
            fix="check that the interpreter exists and that bubblewrap works: bwrap --ro-bind / / true",
        )
    if lost := outcome.pop("lost"):
        raise SandboxLost(
            "the program's files could not be taken out of its sandbox",
            found=lost,
            fix=f"make room on the disk of {Path(work_dir).resolve()}, and run it again",
        )
    outcome["cgroup"] = tuple(outcome["cgroup"])
    outcome["first"] = FirstProcess(**outcome["first"]) if outcome["first"] else None
    return SandboxResult(**outcome, level=level.level, backend=level.backend, warnings=warnings)


def _order(
    program: Program, limits: Limits, level: SandboxLevel, mpi: bool, *, handed_in: bool
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What the shim is told, and sentences about protection that is missing."""
    warnings: list[str] = []
    layout: Path | None = None
    isolated = level.level == "A"
    own_disk = isolated and not handed_in and affordable(limits) and not os.listdir(program.work_dir)
    uid = SANDBOX_UID if os.getuid() == 0 else None
    rlimits = resource_limits(limits)
    filter_program = seccomp_program(mpi=mpi)
    if filter_program is None:
        warnings.append("no filter of kernel calls: this processor architecture has no table")
    # without a user namespace of its own, all that the user runs counts
    others = processes_of(os.getuid() if uid is None else uid) + (_OTHERS_TO_COME if isolated else 0)
    rlimits["nproc"] = (limits.processes + others, limits.processes + others)
    if isolated:
        marker = None if filter_program is None else _MARKER
        command = bubblewrap_command(program, limits, marker, level.backend, mpi=mpi, own_disk=own_disk)
        env, cwd = {"PATH": "/usr/bin:/bin"}, "/"
    else:
        layout = linked_layout(program)
        command, env = direct_command(program, layout)
        cwd = str(program.work_dir)
        warnings.append(
            "degraded sandbox: resource limits and a filter of kernel calls only; files of the host were within reach"
            + (", and its network" if mpi or filter_program is None else "")
        )
    order = {
        "command": command,
        "env": env,
        "cwd": cwd,
        "uid": uid,
        "bubblewrap": isolated,
        "own_disk": own_disk,
        "mpi": mpi,
        "rlimits": rlimits,
        "seccomp": base64.b64encode(filter_program).decode() if filter_program else None,
        "seccomp_marker": _MARKER,
        "limits": asdict(limits),
        "work_dir": str(program.work_dir),
        "parent": os.getpid(),
        "remove": None if layout is None else str(layout),  # by the shim, which outlives us
    }
    return order, tuple(warnings)


def _watched(
    order: dict[str, Any],
    limits: Limits,
    on_poll: Callable[[float], None] | None,
    cancel: threading.Event | None,
) -> dict[str, Any]:
    # a session of its own: Ctrl-C reaches us, and we end the tree in order
    shim = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _START_SHIM, str(_ROOT)],
        cwd="/",
        env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert shim.stdin is not None and shim.stdout is not None and shim.stderr is not None
    try:
        with contextlib.suppress(BrokenPipeError):  # the shim could not start; its message is read below
            shim.stdin.write(json.dumps(order).encode() + b"\n")
            shim.stdin.flush()
        answer = _wait(shim, limits.wall_s + _SHIM_GRACE_S, on_poll, cancel)
    finally:
        _end(shim)
    if not answer:
        detail = shim.stderr.read(4000).decode("utf-8", "replace").strip()
        shim.stderr.close()
        raise SandboxLost(
            "the process that supervises the program ended unexpectedly",
            found=f"exit status {shim.returncode}, {detail or 'no message'}",
            fix="run it again; if it repeats, look for the out-of-memory killer in the system's log",
        )
    shim.stderr.close()
    outcome: dict[str, Any] = json.loads(answer)
    return outcome


def _wait(
    shim: subprocess.Popen[bytes],
    patience_s: float,
    on_poll: Callable[[float], None] | None,
    cancel: threading.Event | None,
) -> bytes:
    assert shim.stdin is not None and shim.stdout is not None
    begun, answer, output = time.monotonic(), b"", shim.stdout.fileno()
    known: dict[int, str] = {}
    while True:
        readable, _, _ = select.select([output], [], [], _POLL_S)
        if readable:
            part = os.read(output, 1 << 20)
            if not part:
                if not answer:  # the shim died; bubblewrap dies with it, unless it was just starting
                    _kill_known(known)
                return answer
            answer += part
            continue
        known = {pid: started(pid) for pid in descendants(shim.pid)}
        elapsed = time.monotonic() - begun
        if on_poll is not None:
            on_poll(elapsed)
        if cancel is not None and cancel.is_set() and not shim.stdin.closed:
            shim.stdin.close()
        if elapsed > patience_s:
            return b""


def _kill_known(known: Mapping[int, str]) -> None:
    for pid, began in known.items():
        with contextlib.suppress(OSError):
            if began and started(pid) == began:
                os.kill(pid, signal.SIGKILL)


def _end(shim: subprocess.Popen[bytes]) -> None:
    """Close the lifeline, which ends the tree; if the shim is stuck, end everything from here."""
    assert shim.stdin is not None and shim.stdout is not None
    with contextlib.suppress(OSError):
        shim.stdin.close()
    try:
        shim.wait(timeout=10)
    except subprocess.TimeoutExpired:
        for pid in [*descendants(shim.pid), shim.pid]:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        shim.wait()
    finally:
        shim.stdout.close()
