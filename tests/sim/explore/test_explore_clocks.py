"""A timed metric whose clock does not see threads or children of a candidate is told so, and no such candidate is measured."""

from __future__ import annotations

from hashlib import sha256

import pytest

from schemas.explore.asked_by_skills import MetricSpecAnswer
from schemas.explore.evaluation import MetricSpec
from schemas.explore.goal import MetricKind
from schemas.explore.settings import MeasureSettings
from tasks.explore.goals import load_goal
from tasks.explore.measuring.clocks import blind_to, elsewhere, slowed
from tasks.explore.measuring.harness import Subject, measure
from tasks.explore.measuring.once import Harness
from tasks.explore.measuring.trial import cannot_fail

pytestmark = pytest.mark.sim
MEASURE = """
import json, resource, time
from candidate.total import total
def clock():
    return CLOCK
begun = clock()
found = [total(range(n)) for n in (3, 5)]
taken = clock() - begun + 1e-6
json.dump({"metrics": {"time": {"value": VALUE, "unit": "UNIT"}}, "checks": {"exact": found == [3, 10]}},
          open("measured.json", "w"))
"""
TOTAL = '''"""Sums."""
def total(numbers):
    return sum(numbers)
'''
HIDDEN = """import subprocess, sys
def total(numbers):
    found = subprocess.run([sys.executable, "-c", f"print(sum({list(numbers)}))"], capture_output=True, text=True)
    return int(found.stdout)
"""
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


def blind(text: str, direction: str = "lower", kind: MetricKind = "timed") -> tuple[str, ...]:
    harness = Harness(program=text.encode(), settings=MeasureSettings(cpu_s=20))
    return blind_to(harness, spec(text, direction, kind), {"total.py": TOTAL.encode()})


@pytest.mark.parametrize(
    ("clock", "unseen"),
    [
        ("time.process_time()", ("child",)),
        ("time.thread_time()", ("thread", "child")),
        ("time.perf_counter()", ()),
        (CHILDREN, ()),
    ],
)
def test_what_a_clock_does_not_see_is_found(clock, unseen):
    assert blind(program(clock)) == unseen


def test_a_rate_is_judged_by_its_direction_and_a_metric_without_a_clock_is_not():
    assert blind(program("time.process_time()", "1 / taken"), "higher") == ("child",)
    assert blind(program("time.process_time()"), kind="random") == ()
    assert slowed(b"print(3)\n", "own") == b"print(3)\n" and slowed(b"def broken(:", "own") == b"def broken(:"


@pytest.mark.attack("answers", "work that the clock does not see is not measured")
def test_a_candidate_that_works_where_the_clock_does_not_look_is_not_measured(tmp_path):
    text = program("time.process_time()")
    (tmp_path / "n001").mkdir()
    (tmp_path / "n001" / "total.py").write_text(HIDDEN)
    hidden = Subject("n001", tmp_path / "n001")
    for unseen in ((), ("child",)):
        harness = Harness(program=text.encode(), settings=MeasureSettings(cpu_s=20), blind=unseen)
        found = measure(spec(text), harness, hidden, None, keep=tmp_path / "measured.json", run_dir=tmp_path)
        assert bool(found.metrics) == (not unseen)
    assert "processes of its own" in found.refused[0] and "subprocess" in found.refused[0]


@pytest.mark.parametrize(
    ("source", "refused"),
    [
        ("from concurrent.futures import ProcessPoolExecutor\n", True),
        ("import os\nos . system('x')\n", True),
        ("import os\npid = os.fork()\n", True),
        ("m = __import__('sub' + 'process')\n", True),
        ("import ctypes\n", True),
        ("system = 3\nforked = 'a fork in the road'.count('r')\n", True),
        ("import numpy\nnumpy.sum([1])\n", False),
    ],
)
def test_the_plain_ways_to_a_process_are_found(tmp_path, source, refused):
    (tmp_path / "a.py").write_text(source)
    assert bool(elsewhere(tmp_path, ("child",))) == refused and not elsewhere(tmp_path, ())


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
