"""Bounded attacks on decoys; each asserts that the sandbox contained it."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tasks.sandbox import (
    SandboxLost,
    run_sandboxed,
    scratch,
)
from tasks.sandbox.command import resource_limits
from tasks.sandbox.tree import descendants
from tests.sim.sandbox.sandbox_kit import (
    DEGRADED,
    LIMITS,
    PYTHON,
    ROOT,
    Attack,
    attacker,
    gone,
    left_running,
    said,
)

pytestmark = [
    pytest.mark.sim,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is missing: nothing to attack"),
]


@pytest.fixture
def home() -> Iterator[Path]:
    with scratch("reprolab-attack-") as root:
        yield root


@pytest.fixture
def attack(home: Path) -> Attack:
    return attacker(home / "work")


@pytest.mark.attack("sandbox", "files, keys and processes of the host are not seen")
def test_secrets_are_out_of_sight(attack: Attack, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-decoy")
    decoy = home / "id_rsa"
    decoy.write_text("decoy secret")
    home.chmod(0o755)
    decoy.chmod(0o644)
    seen = said(
        attack(
            """
            decoy, supervisor = sys.argv[1], sys.argv[2]
            processes = [p for p in os.listdir("/proc") if p.isdigit() and p != "1"]
            environ = b"".join(open("/proc/%s/environ" % p, "rb").read() for p in processes)
            report(
                decoy=outcome(lambda: open(decoy).read())[0],
                shadow=outcome(lambda: os.open("/etc/shadow", os.O_RDONLY))[0],
                passwd=outcome(lambda: open("/etc/passwd").read())[0],
                home=outcome(lambda: os.listdir("/root"))[0],
                first=outcome(lambda: open("/proc/1/environ"))[0],
                key="ANTHROPIC_API_KEY" in os.environ or b"sk-decoy" in environ,
                kill=outcome(lambda: os.kill(int(supervisor), 0))[0],
                hostname=socket.gethostname(),
                user=os.getuid(),
            )
            """,
            str(decoy),
            str(os.getpid()),
        )
    )
    assert seen == {
        "decoy": "refused",
        "shadow": "refused",
        "passwd": "refused",
        "home": "refused",
        "first": "refused",
        "key": False,
        "kill": "refused",
        "hostname": "sandbox",
        "user": 1000,
    }


@pytest.mark.attack("sandbox", "no write outside the work folder")
def test_nothing_can_be_written_outside_the_work_directory(attack: Attack, home: Path) -> None:
    inputs = home / "inputs"
    inputs.mkdir()
    (inputs / "params.json").write_text("{}")
    home.chmod(0o777)
    places = [
        str(home / "x"),
        "/etc/x",
        "/usr/x",
        "/x",
        "/dev/x",
        "/var/tmp/x",
        "/sandbox/x",
        "/sandbox/inputs/x",
        "/sandbox/inputs/params.json",
        "/proc/sys/kernel/core_pattern",
    ]
    seen = said(
        attack(
            """
            report(written=[p for p in sys.argv[1:] if outcome(lambda: open(p, "w").close())[0] == "done"],
                   work=outcome(lambda: open("own", "w").write("x"))[0],
                   params=open("/sandbox/inputs/params.json").read())
            """,
            *places,
            readonly={inputs: "/sandbox/inputs"},
        )
    )
    assert seen == {"written": [], "work": "done", "params": "{}"}
    assert not (home / "x").exists()
    assert (home / "work" / "own").read_text() == "x"


@pytest.mark.attack("sandbox", "no network, no socket of the host")
def test_no_socket_of_the_host_can_be_reached(attack: Attack, home: Path) -> None:
    home.chmod(0o777)
    path = home / "host.sock"
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as local:
        local.bind(str(path))
        local.listen(1)
        path.chmod(0o777)
        abstract = socket.socket(socket.AF_UNIX)
        name = f"reprolab-test-{os.getpid()}"
        abstract.bind("\0" + name)
        abstract.listen(1)
        seen = said(
            attack(
                """
                path, name, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
                def unix(address):
                    with socket.socket(socket.AF_UNIX) as s:
                        s.settimeout(2)
                        s.connect(address)
                def datagram():
                    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
                        s.sendto(b"x", ("192.0.2.1", 53))
                report(loopback=outcome(lambda: socket.create_connection(("127.0.0.1", port), timeout=2))[0],
                       datagram=outcome(datagram)[0], path=outcome(lambda: unix(path))[0],
                       abstract=outcome(lambda: unix("\\0" + name))[0],
                       vsock=outcome(lambda: socket.socket(40, socket.SOCK_STREAM))[0],
                       packet=outcome(lambda: socket.socket(17, socket.SOCK_RAW))[0])
                """,
                str(path),
                name,
                str(server.getsockname()[1]),
            )
        )
        abstract.close()
    assert set(seen.values()) == {"refused"}, seen


@pytest.mark.attack("sandbox", "refused by the filter of kernel calls")
def test_kernel_calls_no_simulation_needs_are_refused(attack: Attack) -> None:
    seen = said(
        attack(
            """
            import ctypes
            libc = ctypes.CDLL(None, use_errno=True)
            def call(function, *arguments):
                return [function(*arguments) < 0, ctypes.get_errno()]
            report(unshare=call(libc.unshare, 0x10000000), ptrace=call(libc.ptrace, 0, 0, 0, 0),
                   mount=call(libc.mount, b"none", b"/tmp", b"tmpfs", 0, None),
                   memfd=outcome(lambda: os.memfd_create("x"))[0],
                   child=os.waitstatus_to_exitcode(os.system("exit 7")))
            """
        )
    )
    refused = [True, 1]
    assert seen == {"unshare": refused, "ptrace": refused, "mount": refused, "memfd": "refused", "child": 7}


@pytest.mark.attack("sandbox", "ends at the limit on processes")
def test_fork_bomb_ends_at_the_process_limit(attack: Attack) -> None:
    seen = said(
        attack(
            """
            count = 0
            while count < 500:
                try:
                    if os.fork() == 0:
                        time.sleep(30)
                        os._exit(0)
                except OSError:
                    break
                count += 1
            report(children=count)
            """
        )
    )
    assert 10 < int(str(seen["children"])) < LIMITS.processes


@pytest.mark.attack("sandbox", "ended, and the limit is named")
@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("kept = []\nwhile True: kept.append(bytearray(b'x') * (20 << 20)); time.sleep(0.02)", "memory"),
        ("for _ in range(4): os.fork()\nkept = bytearray(b'x') * (60 << 20); time.sleep(30)", "memory"),
        ("while True: pass", "cpu"),
        ("signal.signal(24, signal.SIG_IGN)\nfor _ in range(3): os.fork()\nwhile True: pass", "cpu"),
        ("for s in (1, 2, 3, 15): signal.signal(s, signal.SIG_IGN)\ntime.sleep(60)", "wall"),
        ("while True: sys.stdout.write('A' * 65536)", "output"),
        ("while True: sys.stderr.write('A' * 65536)", "output"),
        ("for i in range(100): open(f'f{i}', 'wb').write(b'x' * (10 << 20)); time.sleep(0.05)", "disk"),
        ("os.makedirs('a/b')\nos.chmod('a', 0)\ntime.sleep(30)", None),
        ("for i in range(20000): open(f'i{i}', 'w').close()\ntime.sleep(30)", "files"),
        ("for i in range(30000): open(f'/tmp/i{i}', 'w').close()\ntime.sleep(30)", "files"),
        ("for i in range(40):\n os.mkdir('d'); os.chdir('d')\ntime.sleep(30)", "files"),
    ],
)
def test_a_limit_ends_the_program_and_is_named(attack: Attack, code: str, reason: str | None) -> None:
    started, wall_s = time.monotonic(), 3 if reason in ("wall", None) else 25
    result = attack(code, limits={"cpu_s": 1 if reason == "cpu" else 20, "wall_s": wall_s})
    expected = reason or ("wall" if os.getuid() == 0 else "files")  # root may look into closed directories
    assert result.stop_reason == expected, (result.stop_reason, result.stderr_tail[-300:])
    assert (
        result.exit_code is None or reason == "disk"
    )  # the kernel refuses to write more, which may end the program
    assert time.monotonic() - started < wall_s + 5


@pytest.mark.attack("sandbox", "counted")
def test_deleted_files_still_count_as_disk(attack: Attack) -> None:
    result = attack(
        """
        kept = []
        for i in range(40):
            handle = open(f"f{i}", "wb")
            os.unlink(f"f{i}")
            handle.write(b"x" * (10 << 20)); handle.flush()
            kept.append(handle)
            time.sleep(0.05)
        time.sleep(30)
        """
    )
    assert result.stop_reason == "disk"


@pytest.mark.attack("sandbox", "bounded")
def test_one_file_and_one_allocation_are_bounded(attack: Attack) -> None:
    seen = said(
        attack(
            """
            def grow():
                with open("big", "wb") as handle:
                    for _ in range(100):
                        handle.write(b"x" * (1 << 20))
            def fill():
                for i in range(12):
                    open("/tmp/f%d" % i, "wb").write(b"x" * (30 << 20))
            report(file=outcome(grow)[1], memory=outcome(lambda: bytearray(8 << 30))[1], tmp=outcome(fill)[1])
            """,
            limits={"memory_mb": 1000},
        )
    )
    assert "OSError [Errno 27]" in str(seen["file"])
    assert "MemoryError" in str(seen["memory"])
    assert "OSError [Errno 28]" in str(seen["tmp"])


@pytest.mark.attack("sandbox", "killed with the tree")
def test_a_daemon_does_not_survive(attack: Attack) -> None:
    tag = f"reprolab-daemon-{os.getpid()}"
    result = attack(
        """
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.execv("/usr/bin/python3", ["python3", "-c", "import time; time.sleep(60)", sys.argv[1]])
            os._exit(0)
        time.sleep(0.3)
        report(started=True)
        """,
        tag,
    )
    assert said(result) == {"started": True}
    assert gone(tag)


@pytest.mark.attack("sandbox", "what links point at stays")
def test_links_made_inside_stay_harmless_when_the_directory_is_removed(attack: Attack, home: Path) -> None:
    kept = home / "kept"
    kept.mkdir()
    (kept / "file").write_text("stays")
    attack(
        """
        os.symlink(sys.argv[1], "link")
        os.makedirs("closed/inner")
        os.chmod("closed/inner", 0)
        os.chmod("closed", 0)
        """,
        str(kept),
    )
    with scratch() as other:
        shutil.move(str(home / "work"), str(other / "moved"))
    assert not other.exists()
    assert (kept / "file").read_text() == "stays"


SUPERVISOR = """
import sys
from pathlib import Path
from tasks.sandbox import *
level = SandboxLevel("C", "rlimits", ()) if sys.argv[3] == "C" else None
code = "import os, time\\nos.fork()\\nif os.fork() == 0: os.setsid()\\ntime.sleep(60)"
print("ready", flush=True)
run_sandboxed(["/usr/bin/python3", "-c", code, sys.argv[2]], Path(sys.argv[1]), level=level,
              allow_degraded=True)
"""


@pytest.mark.attack("sandbox", "the tree ends with its supervisor")
@pytest.mark.parametrize("level", ["A", "C"])
def test_nothing_is_left_when_the_supervisor_is_killed(home: Path, level: str) -> None:
    tag = f"reprolab-orphan-{level}-{os.getpid()}"
    supervisor = subprocess.Popen(
        [sys.executable, "-c", SUPERVISOR, str(home / "work"), tag, level], cwd=ROOT, stdout=subprocess.PIPE
    )
    assert supervisor.stdout is not None
    assert supervisor.stdout.readline() == b"ready\n"
    deadline = time.monotonic() + 10
    while len(left_running(tag)) < 4 and time.monotonic() < deadline:
        time.sleep(0.02)
    assert len(left_running(tag)) >= 4, left_running(tag)
    supervisor.send_signal(signal.SIGKILL)
    supervisor.wait()
    supervisor.stdout.close()
    assert gone(tag), left_running(tag)


@pytest.mark.attack("degraded mode", "resource limits hold")
def test_limits_hold_in_the_degraded_mode(home: Path) -> None:
    code = "import os\nif os.fork() == 0: os.setsid()\nwhile True: pass"
    result = run_sandboxed(
        [PYTHON, "-c", code, f"tag-{os.getpid()}"],
        home / "work",
        level=DEGRADED,
        allow_degraded=True,
        limits=replace(LIMITS, cpu_s=1),
    )
    assert result.stop_reason == "cpu"
    assert gone(f"tag-{os.getpid()}")


@pytest.mark.attack("sandbox", "killed with its shim")
def test_the_program_does_not_outlive_its_shim(attack: Attack) -> None:
    tag = f"reprolab-shim-{os.getpid()}"

    def kill_shim(elapsed: float) -> None:
        # the test's process may have other children, a server of other tests for one
        tagged = {int(line.split()[0]) for line in left_running(tag)}
        children = [
            int(pid) for pid in Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
        ]
        for child in children:
            if tagged & {child, *map(int, descendants(child))}:
                os.kill(child, signal.SIGKILL)

    with pytest.raises(SandboxLost, match="-9"):
        attack("time.sleep(60)", tag, on_poll=kill_shim)
    assert gone(tag)


def test_the_kernel_names_the_limit_on_cpu_too() -> None:
    """Where the watchdog comes too late: SIGXCPU at the soft limit, not the SIGKILL of an equal hard one."""
    soft, hard = resource_limits(replace(LIMITS, cpu_s=0.5))["cpu"]
    assert soft < hard
    ended = subprocess.run(
        ["prlimit", f"--cpu={soft}:{hard}", "--", sys.executable, "-c", "while True: pass"], check=False
    )
    assert ended.returncode in (-signal.SIGXCPU, 128 + signal.SIGXCPU)
