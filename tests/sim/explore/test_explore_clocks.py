"""A timed metric whose clock does not see threads or children of a candidate is told so, and no such candidate is measured."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from hashlib import sha256
from types import SimpleNamespace

import pytest

from schemas.explore.asked_by_skills import MetricSpecAnswer
from schemas.explore.evaluation import MetricSpec
from schemas.explore.goal import MetricKind
from schemas.explore.settings import MeasureSettings
from tasks.explore.goals import load_goal
from tasks.explore.measuring.clocks import Blind, Timed, keep_blind, kept_blind, slowed
from tasks.explore.measuring.harness import Subject, measure
from tasks.explore.measuring.once import Harness, blind_to
from tasks.explore.measuring.trial import cannot_fail
from tasks.sandbox.sandbox_result import FirstProcess

pytestmark = pytest.mark.sim
MEASURE = """
import json, resource, time
from candidate.total import total
def clock():
    return CLOCK
begun = clock()
found = [total(range(n)) for n in (3, 5, 15_000_000)]
taken = clock() - begun + 1e-6
json.dump({"metrics": {"time": {"value": VALUE, "unit": "UNIT"}}, "checks": {"exact": found == [3, 10, 112499992500000]}},
          open("measured.json", "w"))
"""
TOTAL = '''"""Sums."""
def total(numbers):
    return sum(numbers)
'''
LOOP = """
def work(numbers):
    s = 0
    for n in numbers:
        s += n
    return s
"""
BY_PIPE = (
    LOOP
    + """
import ctypes, os
libc = ctypes.CDLL(None)
def total(numbers):
    r, w = os.pipe()
    pid = FORK
    if not pid:
        os.write(w, str(work(numbers)).encode())
        getattr(os, "_ex" + "it")(0)
    os.close(w)
    found = int(os.read(r, 100))
    os.close(r)
    END
    return found
"""
)
WAITED = "os.waitpid(pid, 0)"


def forked(fork: str, end: str = WAITED) -> str:
    return BY_PIPE.replace("FORK", fork).replace("END", end)


IN_CHILDREN = {
    "a fork by another name": forked("getattr(os, 'fo' + 'rk')()"),
    "a clone of C's": forked("libc.syscall(56, 17, 0, 0, 0, 0)"),
    "a process of a module that is not named": """import sys
__import__("sub" + "process")
def total(numbers):
    code = f"s = 0\\nfor n in range({len(numbers)}): s += n\\nprint(s)"
    run = sys.modules["sub" + "process"].run
    return int(run([sys.executable, "-c", code], capture_output=True).stdout)
""",
    "a server that is begun beforehand": LOOP
    + """
import os
a, b = os.pipe(), os.pipe()
if not os.fork():
    while True:
        os.write(b[1], str(work(range(int(os.read(a[0], 100))))).encode())
def total(numbers):
    os.write(a[1], str(len(numbers)).encode())
    return int(os.read(b[0], 100))
""",
}
UNWAITED = {
    "nobody waits for it": forked("os.fork()", "pass"),
    "another's child": forked("libc.syscall(56, 0x8000 | 17, 0, 0, 0, 0)", "pass"),
}
IN_THREADS = {
    "a thread by another name": LOOP
    + """
import _thread
def total(numbers):
    out, lock = [], _thread.allocate_lock()
    lock.acquire()
    getattr(_thread, "start_new" + "_thread")(lambda: (out.append(work(numbers)), lock.release()), ())
    lock.acquire()
    return out[0]
""",
    "a pool": LOOP
    + """
import concurrent.futures as c
def total(numbers):
    with c.ThreadPoolExecutor(2) as pool:
        return pool.submit(work, numbers).result()
""",
}
POOL = (
    LOOP
    + """
import multiprocessing
def total(numbers):
    with multiprocessing.Pool(2) as pool:
        return pool.apply(work, (numbers,))
"""
)
HONEST = {
    "in one thread": LOOP.replace("work", "total"),
    "libraries of C": "import ctypes, scipy.linalg\nctypes.CDLL(None).abs(-3)\n" + TOTAL,
    "a process that does next to nothing": "import ctypes.util\nctypes.util.find_library('m')\n" + TOTAL,
}
CHILDREN = "time.process_time() + sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])"


def program(clock: str, value: str = "taken") -> str:
    return (
        MEASURE.replace("CLOCK", clock)
        .replace("VALUE", value)
        .replace("UNIT", "s" if value == "taken" else "1/s")
    )


def spec(text: str, direction: str = "lower", kind: MetricKind = "timed") -> MetricSpec:
    return MetricSpec(
        name="time",
        unit="s" if direction == "lower" else "1/s",
        direction=direction,
        kind=kind,
        repeats=2,  # type: ignore[arg-type]
        program="measure.py",
        sha256=sha256(text.encode()).hexdigest(),
    )


def blind(text: str, direction: str = "lower", kind: MetricKind = "timed") -> tuple[Blind, ...]:
    harness = Harness(program=text.encode(), settings=MeasureSettings(cpu_s=20))
    files = {"total.py": LOOP.replace("work", "total").encode()}
    return blind_to(harness, spec(text, direction, kind), files)


@cache
def blind_by(clock: str) -> tuple[Blind, ...]:
    return blind(program(clock))


def places(found: tuple[Blind, ...]) -> tuple[str, ...]:
    return tuple(each.where for each in found)


@pytest.mark.parametrize(
    ("clock", "unseen"),
    [
        ("time.process_time()", ("child", "orphan")),
        ("time.thread_time()", ("thread", "child", "orphan")),
        ("time.perf_counter()", ()),
        (CHILDREN, ("orphan",)),
    ],
)
def test_what_a_clock_does_not_see_is_found(clock, unseen):
    assert places(blind_by(clock)) == unseen


def test_a_rate_is_judged_by_its_direction_and_a_metric_without_a_clock_is_not():
    assert places(blind(program("time.process_time()", "1 / taken"), "higher")) == ("child", "orphan")
    assert blind(program("time.process_time()"), kind="random") == ()
    assert slowed(b"print(3)\n", "own") == b"print(3)\n" and slowed(b"def broken(:", "own") == b"def broken(:"


CASES = [
    *((name, "time.process_time()", source, "processes of its own") for name, source in IN_CHILDREN.items()),
    *((name, "time.thread_time()", source, "threads") for name, source in IN_THREADS.items()),
    *((name, CHILDREN, source, "does not wait for") for name, source in UNWAITED.items()),
    *((name, "time.thread_time()", source, "") for name, source in HONEST.items()),
    ("children that are counted", CHILDREN, POOL, ""),
    ("threads that are counted", "time.process_time()", IN_THREADS["a pool"], ""),
    ("children on a wall clock", "time.perf_counter()", POOL, ""),
]

SHORT = ("a clone of C's", "a pool", "nobody waits for it", "in one thread", "children on a wall clock")


@pytest.mark.attack("answers", "work that the clock does not see is not measured, however it is begun")
@pytest.mark.parametrize(
    ("clock", "source", "place"),
    [pytest.param(*case, id=name, marks=() if name in SHORT else pytest.mark.long) for name, *case in CASES],
)
def test_work_where_the_clock_does_not_look_is_counted(tmp_path, clock, source, place):
    text = program(clock)
    (tmp_path / "n001").mkdir()
    (tmp_path / "n001" / "total.py").write_text(source)
    harness = Harness(program=text.encode(), settings=MeasureSettings(cpu_s=30))
    keep_blind(tmp_path, blind_by(clock))
    found = measure(
        spec(text),
        replace(harness, blind=kept_blind(tmp_path)),
        Subject("n001", tmp_path / "n001"),
        None,
        keep=tmp_path / "measured.json",
        run_dir=tmp_path,
    )
    assert bool(found.metrics) == (not place), found.refused
    assert not place or (place in found.refused[0] and "CPU seconds" in found.refused[0])


def test_an_account_with_time_between_the_looks_claims_less():
    def run(first: FirstProcess | None, begun: int = 3) -> Timed:
        return Timed(1.0, SimpleNamespace(cpu_s=3.0, wall_s=4.0, first=first), begun)  # type: ignore[arg-type]

    looked = FirstProcess(1.0, 1.5, 1.0, 0.0)
    blind = [Blind(where, spent_s=0.2, timed_s=9.0, begun=3) for where in ("thread", "child", "orphan")]
    assert [round(each.unseen_s(run(looked)), 3) for each in blind] == [1.8, 1.3, 0.3]
    between = run(replace(looked, unlooked_s=1.25), begun=4)
    assert not blind[1].fault(between) and blind[0].fault(between)
    assert not any(each.fault(run(None)) for each in blind)
    short = replace(blind[1], timed_s=0.1)
    assert "begun" in short.fault(between) and not short.fault(between._replace(begun=3))


@pytest.mark.attack("answers", "a measure program whose clock can be got round is sent back to its author")
def test_a_measure_program_of_an_agents_is_told_what_its_clock_does_not_see(tmp_path):
    (tmp_path / "goal.md").write_text("# Faster\n\nSum faster.\n\n## Provided Files\n- total.py\n")
    (tmp_path / "total.py").write_text(TOTAL)
    said = MetricSpecAnswer(
        name="time", unit="s", direction="lower", kind="timed", program=program("time.process_time()")
    )
    fault = cannot_fail(load_goal(tmp_path), said, MeasureSettings(cpu_s=10), {})
    assert "does not see" in fault and "perf_counter" in fault
    seen = said.model_copy(update={"program": program("time.perf_counter()")})
    assert not cannot_fail(load_goal(tmp_path), seen, MeasureSettings(cpu_s=10), {})
