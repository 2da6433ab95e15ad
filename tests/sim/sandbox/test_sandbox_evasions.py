"""Ways around the limits that worked once or might: each must be refused or counted, isolated and in the degraded mode."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import pytest

from tasks.sandbox import scratch
from tasks.sandbox.tree import descendants
from tests.sim.sandbox.sandbox_kit import (
    LIMITS,
    PRELUDE,
    PYTHON,
    ROOT,
    Attack,
    at_both_levels,
    attacker,
    said,
)

pytestmark = [
    pytest.mark.sim,
    pytest.mark.skipif(
        platform.machine() != "x86_64", reason="kernel calls are made here by their numbers on x86_64"
    ),
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is missing: nothing to attack"),
]

# files in the work directory that only `keep` holds: 22 of 20 MiB are over seven times the limit on disk
HOARD = """
import ctypes, mmap
libc, kept = ctypes.CDLL(None, use_errno=True), []
def hoard(keep, files=22):
    for i in range(files):
        handle = os.open(f"f{i}", os.O_RDWR | os.O_CREAT)
        os.write(handle, bytes(20 << 20))
        keep(handle)
        os.unlink(f"f{i}")
        os.close(handle)
        time.sleep(0.05)
    time.sleep(20)
def mapped(handle):
    address = libc.mmap(None, 4096, 1, 2, handle, 0)  # not Python's, which keeps a descriptor
    assert address != -1
"""


@pytest.fixture
def home() -> Iterator[Path]:
    with scratch("reprolab-evasion-") as root:
        yield root


@pytest.fixture
def attack(home: Path, level: str) -> Attack:
    return attacker(home / "work", level)


@at_both_levels("the memory of the first process and of the supervisor cannot be opened")
def test_taking_over_the_process_above(attack: Attack) -> None:
    seen = said(
        attack(
            "report(opened=[outcome(lambda: os.open(f'/proc/{p}/mem', os.O_RDWR))[0] for p in (1, os.getppid())])"
        )
    )
    assert seen == {"opened": ["refused", "refused"]}


def _of(pid: int, name: str) -> bytes:
    """A file of a process; nothing of one that ended meanwhile."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/{name}").read_bytes()
    return b""


@at_both_levels("every process of the tree has the limits, bubblewrap's too")
def test_a_process_without_limits(attack: Attack) -> None:
    kinds = ("Max file size", "Max open files", "Max cpu time", "Max address space", "Max core file size")
    found: list[tuple[int, ...]] = []

    def look(_elapsed: float) -> None:
        for shim in descendants(os.getpid()):
            if b"tasks.sandbox.shim" in _of(shim, "cmdline"):
                for pid in descendants(shim):
                    if b"tasks.sandbox.shim" in _of(pid, "cmdline"):
                        continue  # forked, and still our own program: it sets the limits before it becomes another
                    if lines := _of(pid, "limits").decode().splitlines():
                        found.append(
                            tuple(
                                int(line.split()[-2])
                                for kind in kinds
                                for line in lines
                                if line.startswith(kind)
                            )
                        )

    assert attack("time.sleep(1)", on_poll=look).ok
    assert set(found) == {
        (LIMITS.file_mb << 20, 256, int(LIMITS.cpu_s) + 12, (LIMITS.memory_mb + 1024) << 20, 0)
    }


@at_both_levels("refused: no such memory")
@pytest.mark.parametrize(
    "way",
    [
        "(libc.shmget(0, 100 << 20, 0o1600), -1)[0]",
        "libc.msgget(0, 0o1600)",
        "libc.semget(0, 30000, 0o1600)",
        "libc.mmap(None, 100 << 20, 3, 0x21, -1, 0)",
        "libc.mmap(None, 4096, 3, 0x23, -1, 0)",
        "libc.mmap(None, 2 << 20, 3, 0x40022, -1, 0)",
        "libc.memfd_create(b'x', 0)",
        "libc.syscall(275, pipe[0], None, pipe[1], None, 4096, 0)",
        "libc.vmsplice(pipe[1], None, 0, 0)",
        "libc.sendfile(pipe[1], os.open('f', os.O_RDWR | os.O_CREAT), None, 1)",
        "libc.inotify_add_watch(libc.inotify_init(), b'.', 2)",
        "libc.syscall(444, None, 0, 1)",
    ],
    ids=[
        "System V memory",
        "message queue",
        "semaphores",
        "shared map",
        "validated shared map",
        "huge pages",
        "memfd",
        "pages spliced into a pipe",
        "own pages in a pipe",
        "a file's pages sent into a pipe",
        "events of inotify",
        "rules of Landlock",
    ],
)
def test_memory_that_no_process_shows(attack: Attack, way: str) -> None:
    code = f"""
        import ctypes
        libc, pipe = ctypes.CDLL(None, use_errno=True), os.pipe()
        libc.mmap.restype = ctypes.c_ssize_t
        result = {way}
        report(result=result, error=errno.errorcode.get(ctypes.get_errno()))
        """
    assert said(attack(code)) == {"result": -1, "error": "EPERM"}


@at_both_levels("refused")
@pytest.mark.parametrize("family", ["AF_UNIX", "AF_INET", "AF_INET6", "AF_NETLINK", "AF_VSOCK", "pair"])
def test_memory_in_buffers_of_sockets(attack: Attack, family: str) -> None:
    made = "socket.socketpair()" if family == "pair" else f"socket.socket(socket.{family})"
    assert str(said(attack(f"report(made=outcome(lambda: {made}))"))["made"]).startswith(
        "['refused', 'PermissionError"
    )


@at_both_levels("refused: nothing carries it")
def test_a_file_in_flight_between_two_sockets(attack: Attack) -> None:
    seen = said(
        attack(
            """
            def send():
                here, there = socket.socketpair()
                socket.send_fds(here, [b"x"], [os.open("f", os.O_RDWR | os.O_CREAT)])
            report(sent=outcome(send)[0])
            """
        )
    )
    assert seen == {"sent": "refused"}


@pytest.mark.parametrize("level", ["A"])
@pytest.mark.attack("sandbox", "refused: /dev/zero can be read, not mapped")
def test_a_shared_map_of_dev_zero(attack: Attack) -> None:
    seen = said(
        attack(
            """
            import mmap
            handle = os.open("/dev/zero", os.O_RDWR)
            report(read=os.read(handle, 3) == bytes(3), mapped=outcome(lambda: mmap.mmap(handle, 100 << 20))[0])
            """
        )
    )
    assert seen == {"read": True, "mapped": "refused"}


@pytest.mark.parametrize("level", ["C"])
@pytest.mark.attack(
    "degraded mode", "declared: memory in a shared map of /dev/zero is not seen", declared=True
)
def test_a_shared_map_of_dev_zero_in_the_degraded_mode(attack: Attack) -> None:
    assert said(
        attack(
            "import mmap; report(mapped=outcome(lambda: mmap.mmap(os.open('/dev/zero', os.O_RDWR), 4096))[0])"
        )
    ) == {"mapped": "done"}


@at_both_levels("refused: the kernel keeps no unlimited locks")
def test_memory_in_record_locks(attack: Attack) -> None:
    seen = said(
        attack(
            "import fcntl; report(locked=outcome(lambda: fcntl.lockf(open('l', 'w'), fcntl.LOCK_EX, 1, 7)))"
        )
    )
    assert str(seen["locked"]).startswith("['refused', 'OSError [Errno 37]")


@at_both_levels("counted: ended by the limit on memory")
def test_memory_of_the_kernel_for_many_maps(attack: Attack) -> None:
    result = attack(
        """
        import ctypes
        libc = ctypes.CDLL(None)
        libc.mmap.restype = ctypes.c_ssize_t
        for _ in range(3): os.fork()
        for i in range(40000): libc.mmap(None, 4096, 1 + 2 * (i % 2), 0x22, -1, 0)
        time.sleep(20)
        """
    )
    assert result.stop_reason == "memory"


@at_both_levels("refused: a file's blocks end where the file does")
def test_blocks_beyond_the_end_of_a_file(attack: Attack) -> None:
    code = """
        import ctypes
        libc = ctypes.CDLL(None, use_errno=True)
        handle = os.open("f", os.O_RDWR | os.O_CREAT)
        report(kept=libc.fallocate64(handle, 1, 0, ctypes.c_long(4 << 30)), error=ctypes.get_errno() == errno.EOPNOTSUPP,
               size=outcome(lambda: os.posix_fallocate(handle, 0, 1 << 20))[0])
        """
    assert said(attack(code)) == {"kept": -1, "error": True, "size": "done"}


@pytest.mark.parametrize(
    "level",
    [
        pytest.param("A", marks=pytest.mark.attack("sandbox", "refused: there are no terminals")),
        pytest.param(
            "C",
            marks=pytest.mark.attack("degraded mode", "declared: buffers of pseudo-terminals", declared=True),
        ),
    ],
)
def test_memory_in_buffers_of_terminals(attack: Attack, level: str) -> None:
    assert said(attack("report(made=outcome(os.openpty)[0])")) == {
        "made": {"A": "refused", "C": "done"}[level]
    }


@at_both_levels("counted: ended by the limit on disk")
@pytest.mark.parametrize(
    "code",
    [
        "hoard(mapped)",
        "hoard(lambda handle: kept.append(os.dup(handle)))",
        "libc.prctl(4, 0, 0, 0, 0)\nhoard(lambda handle: kept.append(os.dup(handle)))",
        "if os.fork() == 0: hoard(mapped)\nos.wait()",
        "import threading\nthreading.Thread(target=hoard, args=(mapped,)).start()\nlibc.syscall(60, 0)",
        "import threading\nkeep = lambda h: kept.append(os.dup(h))\n"
        "threading.Thread(target=hoard, args=(keep,)).start()\nlibc.syscall(60, 0)",
    ],
    ids=[
        "mapped only",
        "open only",
        "of a process that is not dumpable",
        "mapped by a child",
        "mapped after the first thread",
        "open after the first thread",
    ],
)
def test_disk_in_files_without_a_name(attack: Attack, code: str) -> None:
    assert attack(HOARD + code).stop_reason == "disk"


@at_both_levels("counted: ended by the limit on memory")
def test_memory_after_the_first_thread_has_ended(attack: Attack) -> None:
    result = attack(
        """
        import ctypes, threading
        def grow():
            kept = []
            while True:
                kept.append(bytearray(b'x') * (20 << 20))
                time.sleep(0.02)
        threading.Thread(target=grow).start()
        ctypes.CDLL(None).syscall(60, 0)
        """
    )
    assert result.stop_reason == "memory"


@at_both_levels("refused")
@pytest.mark.parametrize(
    "call", ["56, 0x10F00 & ~0x400, 0, 0, 0, 0", "436, 100, 200, 2"], ids=["clone", "close_range"]
)
def test_a_thread_with_descriptors_of_its_own(attack: Attack, call: str) -> None:
    prepared = "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
    seen = said(attack(f"{prepared}report(made=libc.syscall({call}), error=ctypes.get_errno())"))
    assert seen == {"made": -1, "error": 1}


@at_both_levels("refused: the end of a child cannot be ignored")
@pytest.mark.parametrize("way", ["SIG_IGN", "SA_NOCLDWAIT"])
def test_children_whose_end_is_ignored(attack: Attack, way: str) -> None:
    seen = said(
        attack(
            """
            import ctypes
            def without_wait():
                action = (ctypes.c_ulong * 19)(0, *[0] * 16, 2)  # struct sigaction: handler, mask, flags
                if ctypes.CDLL(None).sigaction(signal.SIGCHLD, action, None):
                    raise OSError("refused")
            way = without_wait if sys.argv[1] == "SA_NOCLDWAIT" else lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN)
            report(ignored=outcome(way)[0])
            """,
            way,
        )
    )
    assert seen == {"ignored": "refused"}


@at_both_levels("counted: ended by the limit on CPU time")
@pytest.mark.parametrize(
    "end",
    ["os.wait()", "pass", "os.fork() and os._exit(0)"],
    ids=["waited for", "left as they ended", "orphans"],
)
def test_cpu_time_of_many_short_children(attack: Attack, end: str) -> None:
    result = attack(
        f"""
        signal.signal(24, signal.SIG_IGN)
        while True:
            if os.fork() == 0:
                if "orphans" in sys.argv and os.fork():
                    os._exit(0)
                until = time.process_time() + 0.05
                while time.process_time() < until: pass
                os._exit(0)
            {end if end != "os.fork() and os._exit(0)" else "os.wait()"}
            time.sleep(0.06)
        """,
        *(["orphans"] if "fork" in end else []),
        limits={"cpu_s": 0.8, "processes": 200},
    )
    assert result.stop_reason == "cpu"


@pytest.mark.parametrize("level", ["C"])
@pytest.mark.attack("degraded mode", "ends at the limit on processes")
def test_a_fork_bomb_in_the_degraded_mode(attack: Attack) -> None:
    result = attack("while True: os.fork()")  # without end, so that the first process meets the limit too
    assert result.stop_reason in ("processes", None)
    assert "BlockingIOError" in result.stderr_tail or result.stop_reason == "processes"


AS_ORDINARY = """
import json, sys
from tasks.sandbox import *
with scratch() as home:
    level = SandboxLevel("C", "rlimits", ()) if sys.argv[1] == "C" else None
    print(run_sandboxed(["/usr/bin/python3", "-c", sys.argv[2]], home / "work", limits=Limits(**json.loads(sys.argv[3])),
                        level=level, allow_degraded=True).stop_reason)
"""
UNREADABLE = """
import shutil
shutil.copy("/usr/bin/python3", "own")
os.chmod("own", 0o111)
os.execv("own", ["own", "-c", sys.argv[0] and "import time; time.sleep(20)"])
"""


@pytest.mark.skipif(os.getuid() != 0, reason="every other test already runs as an ordinary user")
@at_both_levels("counted: an ordinary user's watchdog sees it too")
@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("hoard(mapped)", "disk"),
        ("libc.prctl(4, 0, 0, 0, 0)\nhoard(lambda h: kept.append(os.dup(h)))", "disk"),
        (UNREADABLE, "files"),
    ],
    ids=["mapped only", "not dumpable", "a program that cannot be read"],
)
def test_disk_hidden_from_an_ordinary_user(level: str, code: str, reason: str) -> None:
    done = subprocess.run(
        [PYTHON, "-B", "-c", AS_ORDINARY, level, PRELUDE + HOARD + code, json.dumps(asdict(LIMITS))],
        user=4321,
        group=4321,
        extra_groups=[],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.strip() == reason, done.stderr[-500:]
