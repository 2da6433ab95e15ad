"""CPU seconds of each test with all that it started, added up by file: where the suite's time goes.

The table stands at the end of a run; `--ledger FILE` keeps it as CSV. A test that takes more than its kind may is listed
there, and fails only beyond `FAILS_AT` times as much: CPU seconds differ between computers by more than a pace measured once
(`REFERENCE_S`) can tell, and a slower one must not turn a suite red. They are those of a group of the kernel's for each
process of the suite (cgroup cpuacct), as nobody waits for most of what tests start: sandboxes are killed at their end. Where
no group can be made, only what was waited for counts. Prefect's server of all flow tests has a line of its own, and what the
tests of a file share is on the first one's account.
"""

from __future__ import annotations

import csv
import os
import resource
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

MAY_S = {"unit": 5.0, "flow": 60.0}  # a flow test beyond says in its docstring, after "CPU:", why
FAILS_AT = 3.0
REFERENCE_S = 0.022  # of `_pace` where the limits were set (AMD EPYC 9005, 2026-11)
_SHOWN = 25
SERVER = "prefect-of-all"
_GROUPS, _NAME = Path("/sys/fs/cgroup/cpuacct"), "suite-of-reprolab-"


def spent_s(group: Path | None) -> float:
    """CPU seconds of this process and of all that it started; without a group, of itself and what it waited for."""
    if group is not None:
        return int((group / "cpuacct.usage").read_text()) / 1e9
    of = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(use.ru_utime + use.ru_stime for use in of)


def apart(name: str, pid: int) -> Path | None:
    """A group of that name with that process in it, and what it will start; None where none can be made."""
    group = _GROUPS / f"{_NAME}{name}"
    try:
        group.mkdir(exist_ok=True)
        (group / "cgroup.procs").write_text(str(pid))
        return group
    except OSError:
        return None


def group_of_ours() -> str:
    """The group of this process of the suite, '' where there is none."""
    group = _GROUPS / f"{_NAME}{os.getpid()}"
    return str(group) if group.is_dir() else ""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--ledger", type=Path, metavar="FILE", help="keep the CPU seconds of each test as CSV")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    item.stash[_BEGAN] = spent_s(item.config.stash[_GROUP])
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    report = yield
    if report.when == "teardown":
        took = spent_s(item.config.stash[_GROUP]) - item.stash[_BEGAN]
        report.user_properties.append(("cpu_s", round(took, 3)))
        problem, fails = too_long(item, took / item.config.stash[_PACE])
        if problem:
            report.user_properties.append(("too_long", problem))
        if report.passed and fails:
            report.outcome, report.longrepr = "failed", problem
    return report


def too_long(item: pytest.Item, cpu_s: float) -> tuple[str, bool]:
    """What is wrong with a test of that kind that took so many scaled CPU seconds ('' if nothing), and whether it fails."""
    kind = next((kind for kind in MAY_S if item.get_closest_marker(kind)), "")
    if not kind or cpu_s <= MAY_S[kind]:
        return "", False
    fails = cpu_s > FAILS_AT * MAY_S[kind]
    if (
        kind == "flow"
        and not fails
        and "CPU:" in (getattr(getattr(item, "function", None), "__doc__", None) or "")
    ):
        return "", False
    reason = "" if kind == "unit" else ", or a reason in its docstring after 'CPU:'"
    return f"a {kind} test of {cpu_s:.0f} CPU s; allowed: {MAY_S[kind]:.0f}{reason}", fails


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_GROUP] = apart(str(os.getpid()), os.getpid())
    config.stash[_PACE] = max(1.0, _pace() / REFERENCE_S)


def pytest_unconfigure() -> None:
    """Leave the group, and remove those that nobody is in."""
    with suppress(OSError):
        (_GROUPS / "cgroup.procs").write_text(str(os.getpid()))
    for group in _GROUPS.glob(f"{_NAME}*"):
        with suppress(OSError):
            group.rmdir()


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):  # a process of xdist, which knows its own tests only
        return
    ended = [
        (report.nodeid, dict(report.user_properties))
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", "") == "teardown"
    ]
    rows = [(name, told["cpu_s"]) for name, told in ended if "cpu_s" in told]
    files: dict[str, float] = defaultdict(float)
    if (server := _GROUPS / f"{_NAME}{SERVER}-{os.getpid()}").is_dir():
        rows.append((SERVER, round(spent_s(server), 3)))
    for name, cpu_s in rows:
        files[name.partition("::")[0]] += cpu_s
    if config.getoption("--ledger"):
        with config.getoption("--ledger").open("w", newline="", encoding="utf-8") as kept:
            csv.writer(kept).writerows([("test", "cpu_s"), *sorted(rows, key=lambda row: -row[1])])
    write = terminalreporter.write_line
    write(f"CPU seconds with what tests started, in all: {sum(files.values()):.0f}")
    for name, cpu_s in sorted(files.items(), key=lambda item: -item[1])[:_SHOWN]:
        write(f"{cpu_s:8.1f}  {name}")
    for name, told in ended:
        if "too_long" in told:
            write(f"{name}: {told['too_long']}")


def _pace() -> float:
    """CPU seconds of some work that is always the same, the least of five."""
    took = []
    for _ in range(5):
        began, total = time.thread_time(), 0
        for number in range(1_000_000):
            total += number % 7
        took.append(time.thread_time() - began)
    return min(took)


_BEGAN, _PACE, _GROUP = pytest.StashKey[float](), pytest.StashKey[float](), pytest.StashKey["Path | None"]()
