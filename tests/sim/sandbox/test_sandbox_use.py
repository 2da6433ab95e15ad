"""What a caller of the sandbox relies on: results, cancelling, refusals, other users, threads."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

from schemas.errors import InputError
from tasks.sandbox import (
    WORK_INSIDE,
    Limits,
    SandboxLevel,
    SandboxResult,
    SandboxUnavailable,
    probe,
    probe_level,
    run_sandboxed,
    scratch,
)
from tests.sim.sandbox.sandbox_kit import DEGRADED, LIMITS, PYTHON, ROOT, Attack, attacker, gone, said

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


def test_a_death_by_signal_is_reported_as_one(attack: Attack) -> None:
    result = attack("os.kill(os.getpid(), signal.SIGSEGV)")
    assert (result.exit_code, result.signal, result.stop_reason) == (None, signal.SIGSEGV, None)
    assert attack("sys.exit(3)").exit_code == 3


def test_a_program_that_is_left_stopped_goes_on(attack: Attack) -> None:
    """What stopped it can be ended before it wakes it: nothing inside would, and the limit on wall time is far."""
    result = attack(
        "import os, signal\nif os.fork() == 0: os.kill(os.getppid(), signal.SIGSTOP); os._exit(0)\n"
        "os.wait(); print('on')"
    )
    assert result.ok and "on" in result.stdout_tail and result.wall_s < 20


def test_cancelling_ends_the_tree(attack: Attack) -> None:
    tag, cancel = f"reprolab-cancel-{os.getpid()}", threading.Event()
    result = attack("time.sleep(60)", tag, cancel=cancel, on_poll=lambda elapsed: cancel.set())
    assert result.stop_reason == "cancelled"
    assert gone(tag)


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_an_error_in_the_supervisor_ends_the_tree(attack: Attack, error: type[BaseException]) -> None:
    tag = f"reprolab-error-{os.getpid()}"

    def fail(elapsed: float) -> None:
        raise error("while polling")

    with pytest.raises(error):
        attack("time.sleep(60)", tag, on_poll=fail)
    assert gone(tag)


def test_the_degraded_mode_must_be_allowed_and_says_so(home: Path) -> None:
    (home / "deps").mkdir()
    (home / "deps" / "helper.py").write_text("name = 'helper'")
    code = "import os, sys, helper; print(os.path.samefile('.', sys.argv[1])); open(os.environ['OUT'], 'w')"
    arguments = ([PYTHON, "-c", code, WORK_INSIDE], home / "work")
    with pytest.raises(SandboxUnavailable, match="install bubblewrap"):
        run_sandboxed(*arguments, level=DEGRADED)
    result = run_sandboxed(
        *arguments,
        level=DEGRADED,
        allow_degraded=True,
        readonly={home / "deps": "/sandbox/lib/deps"},
        env={"OUT": f"{WORK_INSIDE}/x", "PYTHONPATH": "/usr/no/such:/sandbox/lib/deps"},
        limits=LIMITS,
    )
    assert result.ok, result.stderr_tail
    assert result.stdout_head.strip() == "True"
    assert (home / "work" / "x").exists()
    assert "degraded" in result.warnings[0]


ORDINARY = """
import json, sys
from tasks.sandbox import *
with scratch() as home:
    code = "import os; os.makedirs('a'); os.chmod('a', 0); print(os.getuid())"
    result = run_sandboxed(["/usr/bin/python3", "-c", code], home / "work")
level = probe_level()
print(json.dumps([level.level, result.stdout_head.strip(), home.exists(), list(level.findings)]))
"""


@pytest.mark.skipif(os.getuid() != 0, reason="every other test already runs as an ordinary user")
def test_an_ordinary_user_gets_the_same_isolation() -> None:
    done = subprocess.run(
        [PYTHON, "-B", "-c", ORDINARY],
        user=4321,
        group=4321,
        extra_groups=[],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)[:3] == ["A", "1000", False], done.stdout


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"argv": ["python3"]}, "absolute path"),
        ({"argv": ["/usr/no/such/python"]}, "absolute path"),
        ({"work": "missing"}, "existing directory"),
        ({"readonly": {Path("/usr/share"): "/work"}}, "below /sandbox/"),
        ({"readonly": {Path("/usr/share"): "/sandbox/work/x"}}, "outside /sandbox/work"),
        ({"readonly": {Path("/usr/share"): "/sandbox/a/../../etc"}}, "below /sandbox/"),
        ({"readonly": {Path("/usr/no/such"): "/sandbox/a"}}, "does not exist"),
        ({"prefixes": [Path("/")]}, "prefix"),
        ({"env": {"A B": "x"}}, "environment variable"),
    ],
)
def test_wrong_requests_are_explained(home: Path, change: dict[str, object], message: str) -> None:
    argv = change.pop("argv", [PYTHON, "-c", "pass"])
    work = home / str(change.pop("work", "work"))
    with pytest.raises(InputError, match=message):
        run_sandboxed(argv, work, **change)  # type: ignore[arg-type]


def test_limits_are_checked() -> None:
    with pytest.raises(InputError, match="memory_mb"):
        Limits(memory_mb=0)
    with pytest.raises(InputError, match="wall_s"):
        Limits(wall_s=float("nan"))


def test_results_are_json(attack: Attack) -> None:
    result = attack("print('ok'); sys.stderr.buffer.write(b'\\xff')")
    again = json.loads(json.dumps(result.to_json()))
    assert again["stdout_head"] == "ok\n"
    assert again["stderr_tail"] == "\ufffd"
    assert again["level"] == "A"


@pytest.mark.skipif(os.getuid() != 0, reason="only root runs programs as another user")
def test_inputs_only_root_can_reach_are_staged(attack: Attack, home: Path) -> None:
    closed = home / "closed"
    (closed / "inputs").mkdir(parents=True)
    (closed / "inputs" / "params.json").write_text("{}")
    closed.chmod(0o700)
    seen = said(
        attack(
            "report(text=open('/sandbox/inputs/params.json').read())",
            readonly={closed / "inputs": "/sandbox/inputs"},
        )
    )
    assert seen == {"text": "{}"}
    with pytest.raises(InputError, match=r"tasks\.sandbox\.scratch"):
        (closed / "work").mkdir()
        run_sandboxed([PYTHON, "-c", "pass"], closed / "work")


def test_simulations_run_side_by_side_from_threads(attack: Attack, home: Path) -> None:
    """bubblewrap ends with the thread that launched it (its issue 692); ours must not."""

    def one(index: int) -> SandboxResult:
        work = home / f"work{index}"
        work.mkdir()
        code = "import os, time; time.sleep(0.4); print(len(os.listdir('/proc')) < 200, os.listdir('.'))"
        return run_sandboxed([PYTHON, "-c", code], work, limits=LIMITS)

    with ThreadPoolExecutor(3) as pool:
        results = list(pool.map(one, range(3)))
    assert [result.stdout_head for result in results] == ["True []\n"] * 3


def test_an_interpreter_outside_usr_needs_its_prefix(attack: Attack, home: Path) -> None:
    prefix = home / "env"
    subprocess.run([PYTHON, "-m", "venv", "--without-pip", str(prefix)], check=True, timeout=60)
    python = str(prefix / "bin" / "python")
    with pytest.raises(InputError, match=r"sys\.base_prefix"):
        run_sandboxed([python, "-c", "pass"], home / "work")
    code = "import sys; print(sys.prefix); open(sys.prefix + '/x', 'w')"
    result = run_sandboxed([python, "-c", code], home / "work", prefixes=[prefix], limits=LIMITS)
    assert result.stdout_head.strip() == str(prefix)
    assert "Read-only file system" in result.stderr_tail


def test_watching_costs_little(attack: Attack) -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert attack("time.sleep(2)").ok
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.5


@pytest.fixture
def probing(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str | None], SandboxLevel]]:
    """A fresh probe that finds the given bubblewrap."""

    def run(bwrap: str | None) -> SandboxLevel:
        monkeypatch.setattr(probe, "shutil", SimpleNamespace(which=lambda *_, **__: bwrap))
        probe_level.cache_clear()
        return probe_level()

    yield run
    monkeypatch.undo()
    probe_level.cache_clear()


@pytest.mark.parametrize(
    ("body", "finding"),
    [
        ('shift; exec /usr/bin/bwrap --unshare-all --share-net "$@"', "loopback: POSSIBLE"),
        ("echo 'setting up uid map: Permission denied' >&2; exit 1", "uid map: Permission denied"),
    ],
)
def test_the_probe_believes_only_what_it_tried(
    probing: Callable[[str | None], SandboxLevel], home: Path, body: str, finding: str
) -> None:
    fake = home / "bwrap"
    fake.write_text(f'#!/bin/sh\nif [ "$1" = --version ]; then echo bubblewrap 0.9.0; exit; fi\n{body}\n')
    fake.chmod(0o755)
    home.chmod(0o755)
    level = probing(str(fake))
    assert level.level == "C"
    assert any(finding in text for text in level.findings), level.findings


def test_an_old_or_missing_bubblewrap_is_named(
    probing: Callable[[str | None], SandboxLevel], home: Path
) -> None:
    old = home / "bwrap"
    old.write_text("#!/bin/sh\necho bubblewrap 0.6.1\n")
    old.chmod(0o755)
    assert "0.6 " in probing(str(old)).findings[0]
    assert "not installed" in probing(None).findings[0]
    with pytest.raises(SandboxUnavailable, match="not installed"):
        run_sandboxed([PYTHON, "-c", "pass"], home / "work")
