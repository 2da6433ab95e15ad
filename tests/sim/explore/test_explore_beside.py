"""Work before or behind the clock is counted; imports, caches in a call and faster code are not held against a candidate."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from hashlib import sha256
from types import SimpleNamespace

import pytest

from schemas.explore.evaluation import Measured, MeasuredRecord, MetricSpec
from schemas.explore.settings import MeasureSettings
from tasks.explore.measuring.beside import (
    Beside,
    beside_of,
    doubled,
    imported_first,
    imports_of,
    keep_beside,
    kept_beside,
)
from tasks.explore.measuring.clocks import Timed
from tasks.explore.measuring.harness import Subject, measure
from tasks.explore.measuring.once import Harness, beside_in
from tasks.explore.search.measured_beside import compare
from tasks.sandbox.sandbox_result import FirstProcess
from tests.sim.explore.beside_tries import GOALS, HONEST, LIES

pytestmark = pytest.mark.sim
SHORT = (
    "a list that computes when it is compared",
    "half of the table at import",
    "statistics are imported",
    "a cache for each call",
)


def spec(text: str) -> MetricSpec:
    return MetricSpec(
        name="time",
        unit="s",
        direction="lower",
        kind="timed",
        repeats=3,
        program="measure.py",
        sha256=sha256(text.encode()).hexdigest(),
    )


@cache
def harness(goal: str) -> Harness:
    file, text, program = GOALS[goal]
    made = Harness(program=program.encode(), settings=MeasureSettings(cpu_s=30), files={file: text.encode()})
    return replace(made, beside=beside_in(made, spec(program), made.files))


def tried(tmp_path, goal: str, source: str, beside_s: float = 0.1) -> MeasuredRecord:
    file, _, program = GOALS[goal]
    (tmp_path / "n").mkdir()
    (tmp_path / "n" / file).write_text(source)
    made = replace(harness(goal), settings=MeasureSettings(cpu_s=30, beside_s=beside_s))
    return measure(
        spec(program), made, Subject("n001", tmp_path / "n"), None, keep=tmp_path / "m.json", run_dir=tmp_path
    )


CASES = [
    pytest.param(goal, source, lie, id=name, marks=() if name in SHORT else pytest.mark.long)
    for lie, tries in ((True, LIES), (False, HONEST))
    for name, goal, source in tries
]


@pytest.mark.attack(
    "answers", "work before or behind the clock, in the process that is timed, gives no measurement"
)
@pytest.mark.parametrize(("goal", "source", "lie"), CASES)
def test_work_beside_the_clock_is_told_from_honest_work(tmp_path, goal, source, lie):
    found = tried(tmp_path, goal, source)
    assert bool(found.metrics) != lie, found
    assert (
        not lie or "before or behind the clock" in found.refused[0] or "0 s were measured" in found.refused[0]
    )


def test_a_person_may_allow_more_beside_the_clock(tmp_path):
    table = next(source for name, _, source in LIES if name == "half of the table at import")
    assert tried(tmp_path, "cpu", table, beside_s=5).metrics


def run(time: float, cpu_s: float, thread_s: float | None = None) -> Timed:
    first = FirstProcess(cpu_s if thread_s is None else thread_s, cpu_s, 0.0, 0.0)
    return Timed(time, SimpleNamespace(cpu_s=cpu_s, wall_s=cpu_s, first=first))  # type: ignore[arg-type]


def test_what_is_hidden_by_hand():
    """A run of 3 s, 2 of them timed as 20 ns: at 10 ns a run may take 2 s, with two processors by the wall 3."""
    one = Beside(cpu_s=3.0, first_s=3.0, value=20.0, work_s=2.0)
    two = replace(one, side=2)
    assert one.hidden_s(run(10.0, 2.3)) == pytest.approx(0.3)
    assert two.hidden_s(run(10.0, 3.0, 1.5)) == pytest.approx(0.0)
    assert two.hidden_s(run(10.0, 3.0)) == pytest.approx(1.0)
    assert one.allowed_s([run(10.0, 2.0)], 0.1) == pytest.approx(0.2) and one.worth(0.5) == pytest.approx(5.0)


def test_a_busy_machine_and_imports_are_no_hidden_work():
    """All is half as dear again now, and the imports cost 0.4 s; what is hidden beyond that stays hidden work."""
    once = Beside(cpu_s=3.0, first_s=3.0, value=20.0, work_s=2.0)
    now = once.again(run(30.0, 4.5), run(30.0, 4.9))
    assert now == Beside(
        cpu_s=pytest.approx(4.9), first_s=pytest.approx(4.9), value=30.0, work_s=pytest.approx(3.0)
    )  # type: ignore[arg-type]
    assert now.hidden_s(run(15.0, 3.4)) == pytest.approx(0.0) and now.hidden_s(run(0.1, 3.4)) > 1.4
    assert once.again(run(20.0, 3.0), None) == once


def test_a_cost_is_known_only_of_what_is_timed(tmp_path):
    times = {"": (1.0, 1.4), "twice": (2.0, 2.4), "asleep": (1.0, 1.4)}
    found = beside_of(lambda how: run(*times[how]))
    assert found == Beside(1.4, 1.4, 1.0, pytest.approx(1.0), 1)  # type: ignore[arg-type]
    keep_beside(tmp_path, found)
    assert kept_beside(tmp_path) == found
    by_wall = beside_of(lambda how: run(*{**times, "asleep": (2.0, 1.4)}[how]))
    busy = beside_of(lambda how: run(*{**times, "asleep": (0.6, 1.4)}[how]))
    assert (
        by_wall is not None and busy is not None and by_wall.side == busy.side == len(os.sched_getaffinity(0))
    )
    logarithm = {"": (3.0, 1.4), "twice": (3.7, 2.4), "asleep": (3.0, 1.4)}
    assert beside_of(lambda how: run(*logarithm[how])) is None and beside_of(lambda how: None) is None
    keep_beside(tmp_path, None)
    assert kept_beside(tmp_path) is None and kept_beside(tmp_path / "none") is None


def test_a_busy_machine_is_measured_until_its_least_times_agree():
    """Before, three tries were all, and what a candidate did beside the clock was not looked at on a busy machine."""
    times = iter((4.5, 6.0, 3.9, 5.0, 7.7, 4.4, 2.0, 8.0))
    found = beside_of(lambda how: run(next(times), 2.4) if how == "twice" else run(1.0, 1.4))
    assert found is not None and found.work_s == pytest.approx(1.0)


def test_work_below_the_threshold_is_in_the_error_bar():
    """A candidate that hides a little of its work gains no verdict by it."""
    timed = spec(GOALS["cpu"][2])
    mine = Measured(name="time", value=1.0, uncertainty=0.01, n=3, unit="s", values=(1.0, 1.01, 0.99))
    half = mine.model_copy(update={"value": 0.5, "values": tuple(v / 2 for v in mine.values)})
    assert compare(half, mine, "a", timed, paired=True).verdict == "better"
    hidden = half.model_copy(update={"beside": 0.5})
    assert compare(hidden, mine, "a", timed, paired=True).verdict == "no_difference"


def test_only_imports_that_are_made_for_sure_count(tmp_path):
    (tmp_path / "main.py").write_text(
        "from __future__ import annotations\nimport numpy as np, other\nfrom deep import inner\ntry:\n    import scipy.fft\n    x = 1\n"
        "    import scipy.stats\nexcept ImportError:\n    import a\nif False:\n    import b\ndef f():\n    import c\n"
    )
    (tmp_path / "other.py").write_text("import json\n")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "inner.py").write_text("import csv\n")
    (tmp_path / "unused.py").write_text("import sqlite3\n")
    found = imports_of(tmp_path, ["main.py"]).splitlines()
    assert sorted(found) == ["import csv", "import json", "import scipy.fft"]
    made = imported_first(
        {"main.py": b"from __future__ import annotations\nx = 1\n", "data.txt": b"x"}, "import json\n"
    )
    assert compile(made["main.py"], "main.py", "exec") and made["data.txt"] == b"x"


def test_doubling_leaves_what_it_cannot_read():
    files = {"a.py": b"def broken(:", "b.txt": b"def f(): pass", "c.py": b"x = 1\n"}
    assert doubled(files) | {"c.py": files["c.py"]} == files
    space: dict = {}
    twice = doubled(
        {
            "a.py": b"def outer(n):\n    'Doc.'\n    return inner(n)\ndef inner(n):\n    return n + 1\ndef many():\n    yield 1\n"
        }
    )
    exec(twice["a.py"], space)
    assert space["outer"](1) == 2 and list(space["many"]()) == [1] and twice["a.py"].count(b"_began_ =") == 2
