"""Which ways around the limits are closed here, found by trying each inside a sandbox (`tried`)."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable

from tasks.sandbox.denied_calls import NUMBERS
from tasks.sandbox.sandbox_result import Limits, Protection, SandboxResult

_PROCESSES = 24
LIMITS = Limits(
    wall_s=20, cpu_s=10, memory_mb=512, processes=_PROCESSES, file_mb=12, disk_mb=16, files=200, output_mb=1
)

SUCCEEDS = """
def succeeds(attack):
    try:
        attack()
    except OSError:
        return False
    return True
"""  # of the programs that try what is closed

# The last attack ends the program: two files without a name, kept by a map only, exceed the limit on disk.
_ATTACKS = (
    SUCCEEDS
    + r"""
import ctypes, errno, fcntl, json, mmap, os, signal, socket, sys, time
libc, calls = ctypes.CDLL(None, use_errno=True), json.loads(sys.argv[1])
def passes(number, *arguments):
    ctypes.set_errno(0)
    refused = libc.syscall(number, *[*arguments, 0, 0, 0, 0, 0, 0][:6]) == -1
    return not (refused and ctypes.get_errno() in (errno.EPERM, errno.EACCES, errno.ENOSYS))
def shared_zeros():
    handle = os.open("/dev/zero", os.O_RDWR)
    mmap.mmap(handle, 4096)
def forks():
    count = 0
    for _ in range(200):
        try:
            child = os.fork()
        except OSError:
            return count
        if child == 0:
            time.sleep(1)
            os._exit(0)
        count += 1
    return count
print(json.dumps({
    "first": [p for p in (1, os.getppid()) if succeeds(lambda: os.open("/proc/%d/mem" % p, os.O_RDWR))],
    "calls": sorted(name for name, number in calls.items() if passes(number)),
    "maps": [name for name, attack in (
        ("anonymous", lambda: mmap.mmap(-1, 4096)), ("of /dev/zero", shared_zeros),
        ("of huge pages", lambda: mmap.mmap(-1, 1 << 21, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40000))
    ) if succeeds(attack)],
    "sockets": [family for family in (1, 2, 10, 16, 17, 40) if succeeds(lambda: socket.socket(family, socket.SOCK_DGRAM))]
        + ["pair"] * succeeds(socket.socketpair),
    "terminals": succeeds(os.openpty),
    "locks": succeeds(lambda: fcntl.lockf(open("lock", "w"), fcntl.LOCK_EX | fcntl.LOCK_NB)),
    "dumpable": libc.prctl(4, 0, 0, 0, 0) == 0,
    "children": succeeds(lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN)),
    "forks": forks(),
}), flush=True)
kept = []
for name in "ab":
    handle = os.open(name, os.O_RDWR | os.O_CREAT)
    os.write(handle, bytes(11 << 20))
    kept.append(mmap.mmap(handle, 4096, mmap.MAP_PRIVATE))
    os.unlink(name)
    os.close(handle)
    for number in range(3, 64):  # the copy that Python keeps
        try:
            os.close(number)
        except OSError:
            pass
time.sleep(5)
"""
)

_KEPT = {"memory": "memory", "pids": "processes", "cpu": "CPU time counted"}
_Runner = Callable[[list[str], Limits], SandboxResult]


def tried(python: str, run: _Runner) -> tuple[Protection, ...]:
    """One for each way around the limits; run: runs a command in the sandbox, under limits."""
    column = {"x86_64": 0, "aarch64": 1}.get(platform.machine())
    numbers = {} if column is None else {name: pair[column] for name, pair in NUMBERS.items()}
    calls = {name: number for name, number in numbers.items() if number is not None}
    result = run([python, "-c", _ATTACKS, json.dumps(calls)], LIMITS)
    try:
        seen = json.loads(result.stdout_head)
    except ValueError:
        reason = " ".join((result.stderr_tail or "no message").split())[-300:]
        return (Protection("nothing could be tried", False, reason),)
    left = seen["calls"] if calls else ["all: this processor architecture has no table"]
    return (
        _closed("taking over the sandbox's first process", seen["first"]),
        _closed(
            f"kernel calls no simulation needs ({len(calls)}, System V memory and memfds among them)", left
        ),
        _closed("memory in shared maps and huge pages", seen["maps"]),
        _closed("sockets: memory in their buffers, descriptors in flight", seen["sockets"]),
        _closed("memory in buffers of pseudo-terminals", ["openpty"] * seen["terminals"]),
        _closed("memory in record locks", ["fcntl"] * seen["locks"]),
        _closed("hiding descriptors", ["prctl"] * seen["dumpable"]),
        _closed("CPU time of children whose end is ignored", ["SIGCHLD"] * seen["children"]),
        Protection(
            "processes", seen["forks"] < 2 * _PROCESSES, f"ended after {seen['forks']}, limit {_PROCESSES}"
        ),
        Protection(
            "disk filled between two looks of the watchdog",
            True,
            "the work directory is a file system as large as the limit"
            if result.own_disk
            else "an ordinary folder, looked at every 0.3 s: memory is too short for a file system of its own",
        ),
        Protection(
            "disk in files without a name that are only mapped",
            result.stop_reason == "disk",
            "counted" if result.stop_reason == "disk" else "NOT COUNTED",
        ),
        Protection(
            "limits kept by the kernel for the whole tree (a control group of version 2)",
            True,
            ", ".join(_KEPT[name] for name in result.cgroup)
            or "none can be made here; the watchdog keeps them",
        ),
    )


def _closed(what: str, ways: list[object]) -> Protection:
    return Protection(
        what, not ways, "refused" if not ways else "POSSIBLE: " + ", ".join(map(str, ways))[:200]
    )
