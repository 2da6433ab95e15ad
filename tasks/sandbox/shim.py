"""The process that launches, watches and ends one sandboxed program. Started by `run_sandboxed`.

It stands between us and the program because bubblewrap's --die-with-parent fires when the launching thread
ends, and because somebody must outlive us to clean up: it reads its order as one JSON line on standard input,
takes the end of that stream (or a changed parent) as our death, and always kills the whole tree. Standard
library only.
"""

from __future__ import annotations

import base64
import contextlib
import ctypes
import errno
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from typing import Any

from tasks.sandbox.cgroup import Cgroup, own_cgroup
from tasks.sandbox.sandbox_result import Limits
from tasks.sandbox.tree import descendants, kill_tree
from tasks.sandbox.watch import OF_BUBBLEWRAP, First, Streams, Watchdog
from tasks.sandbox.work_disk import GO, READY, SLACK_MB, WorkDisk

POLL_S = 0.1
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_SECCOMP, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = (
    1,
    4,
    22,
    36,
    38,
)
_SECCOMP_MODE_FILTER = 2
_libc = ctypes.CDLL(None, use_errno=True)


def main() -> int:
    """Run the order on standard input and write the outcome as one JSON line to standard output."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _ended_from_outside)
    _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    _libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)  # in the degraded mode the program may be of the same user
    order = _read_order()
    try:
        outcome = supervise(order)
    except (OSError, subprocess.SubprocessError) as error:
        outcome = {"error": f"{error}"}
    finally:
        kill_tree(os.getpid())
        if order["remove"]:
            shutil.rmtree(order["remove"], ignore_errors=True)
    sys.stdout.write(json.dumps(outcome) + "\n")
    return 0


def _ended_from_outside(*_: object) -> None:
    kill_tree(os.getpid())
    os._exit(124)


def _read_order() -> dict[str, Any]:
    text = b""
    while not text.endswith(b"\n"):
        part = os.read(0, 65536)
        if not part:
            raise SystemExit("the supervising process ended before it gave an order")
        text += part
    order: dict[str, Any] = json.loads(text)
    return order


def supervise(order: dict[str, Any]) -> dict[str, Any]:
    """Launch, watch, end. Returns the fields of SandboxResult that only this process can know."""
    limits = Limits(**order["limits"])
    room = (
        limits.disk_mb + SLACK_MB if order["own_disk"] else 0
    )  # its pages are memory too, and not counted as such
    processes = limits.processes + (OF_BUBBLEWRAP if order["bubblewrap"] else 0)
    group = own_cgroup(replace(limits, memory_mb=limits.memory_mb + room), processes)
    try:
        return _watched(order, limits, group)
    finally:
        if group is not None:
            group.end()
            kill_tree(os.getpid())
            group.remove()


def _watched(order: dict[str, Any], limits: Limits, group: Cgroup | None) -> dict[str, Any]:
    started = time.monotonic()
    disk = WorkDisk(limits, order["work_dir"], tuple(order["live"])) if order["own_disk"] else None
    process = _launch(order, group, disk)
    held = disk is not None and disk.open_inside(lifeline=0)
    if group is not None:
        group.check(process.pid)
    streams = Streams(process, int(limits.output_mb * 2**20))
    work_dir = disk.path if disk is not None and held else order["work_dir"]
    dog = Watchdog(limits, work_dir, isolated=order["bubblewrap"], mpi=order["mpi"], group=group)
    first = First(process.pid, isolated=order["bubblewrap"])
    status, reason = None, None
    while status is None and reason is None:
        lifeline_moved = streams.read(POLL_S)
        first.look()
        status = _reaped(process.pid)
        if lifeline_moved or os.getppid() != order["parent"]:
            reason = "cancelled"
        elif status is None:
            reason = dog.check(descendants(os.getpid()), time.monotonic() - started, streams.total)
        if disk is not None and held:
            disk.mirror()
    used_by_first = first.found(streams.last_at)
    kill_tree(os.getpid())
    process.returncode = 0  # reaped here, not by subprocess
    streams.drain(1.0)
    dog.last_look()
    exit_code, number = _ending(status, order["bubblewrap"])
    if streams.total > streams.limit and reason is None:
        reason = "output"
    texts, usage = streams.texts(), resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = dog.cpu_of([])
    own_limit = {int(signal.SIGXCPU): "cpu", int(signal.SIGXFSZ): "disk"}
    if number == signal.SIGKILL and cpu_s >= limits.cpu_s:  # the kernel, before the watchdog looked
        own_limit[number] = "cpu"
    elif number == signal.SIGKILL and group is not None and group.out_of_memory():
        own_limit[number] = "memory"
    took_s = round(time.monotonic() - started, 3)
    lost, whole = _copied_out(disk) if disk is not None and os.getppid() == order["parent"] else ("", True)
    return {
        "exit_code": exit_code,
        "signal": number,
        "stop_reason": (
            reason
            or own_limit.get(number or 0)
            or dog.over_disk()
            or _refused_room(held, texts)
            or (None if whole else "disk")
        ),
        "wall_s": took_s,
        "cpu_s": round(cpu_s, 3),
        "peak_memory_mb": round(max(dog.peak_memory_mb, usage.ru_maxrss / 1024), 1),
        "peak_disk_mb": round(dog.peak_disk_mb, 1),
        "cgroup": [] if group is None else list(group.kept),
        "own_disk": held,
        "first": used_by_first,
        "lost": lost,
        **texts,
    }


def _refused_room(own_disk: bool, texts: dict[str, str | int]) -> str | None:
    """The limit on disk where the kernel kept it and the program said so: at its end, its files may be gone already."""
    return "disk" if own_disk and os.strerror(errno.ENOSPC) in str(texts["stderr_tail"]) else None


def _copied_out(disk: WorkDisk) -> tuple[str, bool]:
    """Why the program's files could not be taken, empty when they could; and whether all were within the limit on disk."""
    try:
        return "", disk.copy_out()
    except OSError as error:
        return str(error), True


def _reaped(wanted: int) -> int | None:
    """The wait status of process `wanted` if it ended; orphans that came to us are reaped on the way."""
    status = None
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, code = os.waitpid(-1, os.WNOHANG)
            if not pid:
                break
            status = code if pid == wanted else status
    return status


def _ending(status: int | None, bubblewrap: bool) -> tuple[int | None, int | None]:
    """(exit code, signal); bubblewrap reports the death of its program by signal n as 128 + n."""
    if status is None:
        return None, int(signal.SIGKILL)
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        return None, -code
    if bubblewrap and code > 128:
        return None, code - 128
    return code, None


def _launch(order: dict[str, Any], group: Cgroup | None, disk: WorkDisk | None) -> subprocess.Popen[bytes]:
    inherited, command, shim = [], list(order["command"]), os.getpid()
    if order["cores"]:
        os.sched_setaffinity(0, order["cores"])
    if order["seccomp"] and order["bubblewrap"]:
        program = os.memfd_create("seccomp", 0)
        os.write(program, base64.b64decode(order["seccomp"]))
        os.lseek(program, 0, os.SEEK_SET)
        inherited.append(program)
        command = [str(program) if item == order["seccomp_marker"] else item for item in command]
    try:
        return subprocess.Popen(
            command,
            env=order["env"],
            cwd=order["cwd"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[*inherited, *((READY, GO) if disk is not None else ())],
            start_new_session=True,
            umask=0o022,
            preexec_fn=lambda: _confine(order, group, shim),  # noqa: PLW1509  safe: this process has one thread
        )
    finally:
        for number in inherited:
            os.close(number)


def _confine(order: dict[str, Any], group: Cgroup | None, shim: int) -> None:
    """Between fork and exec: limits before anything else starts, so that bubblewrap's own processes have them too."""
    if group is not None:
        group.enter()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # ignored, the CPU time of children would be nobody's
    for name, wanted in order["rlimits"].items():
        kind = getattr(resource, f"RLIMIT_{name.upper()}")
        top = resource.getrlimit(kind)[1]
        soft, hard = (value if top == resource.RLIM_INFINITY else min(value, top) for value in wanted)
        resource.setrlimit(kind, (soft, hard))
    if order["uid"] is not None:
        os.setgroups([])
        os.setgid(order["uid"])
        os.setuid(order["uid"])
    # bubblewrap asks for the same, but only some time after its start
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != shim:
        os._exit(1)
    if not order["bubblewrap"]:
        _confine_directly(order)


def _confine_directly(order: dict[str, Any]) -> None:
    """What bubblewrap would do, as far as it goes without: no new privileges, the filter of kernel calls."""
    os.makedirs(".cache", exist_ok=True)
    _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if order["seccomp"]:
        program = base64.b64decode(order["seccomp"])
        kept = ctypes.create_string_buffer(program, len(program))
        head = _Filter(len(program) // 8, ctypes.addressof(kept))
        # refused only by a kernel without filters; the probe finds out what that leaves open
        _libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(head), 0, 0)


class _Filter(ctypes.Structure):
    """struct sock_fprog of linux/filter.h."""

    _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_void_p))
