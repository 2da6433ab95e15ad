"""What the tests of the sandbox share: a program prelude, small limits, and a search for survivors."""

from __future__ import annotations

import json
import textwrap
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tasks.sandbox import Limits, SandboxLevel, SandboxResult, probe_level, run_sandboxed

PYTHON = "/usr/bin/python3"
ROOT = Path(__file__).resolve().parents[3]
LIMITS = Limits(
    wall_s=15, cpu_s=8, memory_mb=400, processes=32, file_mb=40, disk_mb=60, files=2000, output_mb=2
)
DEGRADED = SandboxLevel("C", "rlimits", ("chosen by the test",))

PRELUDE = """
import errno, json, os, signal, socket, sys, time
def outcome(attack):
    try:
        return ["done", str(attack())]
    except BaseException as error:
        return ["refused", "%s %s" % (type(error).__name__, error)]
def report(**values):
    print(json.dumps(values), flush=True)
"""


Attack = Callable[..., SandboxResult]


def at_both_levels(expected: str) -> pytest.MarkDecorator:
    """The test runs once isolated and once in the degraded mode, each an attack of its group."""
    return pytest.mark.parametrize(
        "level",
        [
            pytest.param("A", marks=pytest.mark.attack("sandbox", expected), id="isolated"),
            pytest.param("C", marks=pytest.mark.attack("degraded mode", expected), id="degraded"),
        ],
    )


def attacker(work_dir: Path, level: str = "A") -> Attack:
    """A function that runs code after the prelude in `work_dir`, at `level` and under small limits."""
    assert probe_level().level == "A", probe_level().findings

    def run(code: str, *arguments: str, **options: object) -> SandboxResult:
        limits = replace(LIMITS, **options.pop("limits", {}))  # type: ignore[arg-type]
        if level == "C":
            options |= {"level": DEGRADED, "allow_degraded": True}
        argv = [PYTHON, "-c", PRELUDE + textwrap.dedent(code), *arguments]
        return run_sandboxed(argv, work_dir, limits=limits, **options)  # type: ignore[arg-type]

    return run


def said(result: SandboxResult) -> dict[str, object]:
    """What the program reported."""
    assert result.stdout_head, result.stderr_tail
    answer: dict[str, object] = json.loads(result.stdout_head.splitlines()[0])
    return answer


def left_running(tag: str) -> list[str]:
    """Processes that carry `tag` in their command line and are not mere zombies."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes().decode(errors="replace")
                state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue
            if tag in command and state != "Z":
                found.append(f"{entry.name} {command[:60]}")
    return found


def gone(tag: str, within_s: float = 5.0) -> bool:
    """True as soon as no process carries `tag`."""
    deadline = time.monotonic() + within_s
    while left_running(tag):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
