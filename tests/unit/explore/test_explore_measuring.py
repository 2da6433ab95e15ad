"""Numbers become error bars; what a program wrote is refused by name when it is no measurement."""

from __future__ import annotations

import fcntl
import json
import math
from hashlib import sha256

import pytest

from schemas.errors import InputError, StateError
from schemas.explore.settings import MeasureSettings
from tasks.explore.goals import load_goal
from tasks.explore.measuring.freezing import freeze, frozen, hand_on, harness_of
from tasks.explore.measuring.harness import combined, repeats_of
from tasks.explore.measuring.once import Harness, alone
from tasks.explore.measuring.reading import MeasuredFile, Refused, read_measured
from tasks.explore.measuring.spread import standard_error
from tasks.explore.measuring.tampering import tampering
from tests.unit.explore.explore_kit import spec

pytestmark = pytest.mark.unit


def test_error_bars_by_hand():
    root = math.sqrt(math.pi / 2)
    many = [1, 2, 3, 4, 5, 6, 7, 8, 9, 100]  # median 5.5, deviations 0.5 0.5 1.5 1.5 2.5 2.5 3.5 3.5 4.5 94.5
    assert standard_error(many, "timed") == (pytest.approx(root * 1.4826 * 2.5 / math.sqrt(10)), "scaled_mad")
    assert standard_error([1, 2, 3, 4, 100], "timed") == (
        pytest.approx(root * 3 / 1.421 / math.sqrt(5)),
        "trimmed_range",
    )
    assert standard_error([1.0, 1.3, 1.1], "timed") == (
        pytest.approx(root * 0.3 / 1.693 / math.sqrt(3)),
        "range",
    )
    assert standard_error([1, 2, 3], "random") == (
        pytest.approx(root * 1 / math.sqrt(3)),
        "standard_deviation",
    )
    assert standard_error([1, 2, 3], "deterministic") == (0.0, "none") == standard_error([1], "timed")


def test_one_interrupted_run_hardly_widens_the_error_bar_of_a_timed_metric():
    quiet, burst = [1.00, 1.01, 0.99, 1.02, 0.98], [1.00, 1.01, 0.99, 1.02, 9.0]
    assert (
        standard_error(burst, "timed")[0]
        < 2 * standard_error(quiet, "timed")[0]
        < standard_error(burst, "random")[0]
    )


def written(tmp_path, value):
    (tmp_path / "measured.json").write_text(value if isinstance(value, str) else json.dumps(value))
    return tmp_path


GOOD = {"metrics": {"time_s": {"value": 0.5, "unit": "s"}, "size": {"value": 3}}, "checks": {"exact": True}}


def test_a_sound_measurement_is_read(tmp_path):
    found = read_measured(written(tmp_path, GOOD), spec())
    assert found.metrics == {"time_s": (0.5, "s"), "size": (3.0, "1")} and found.checks == {"exact": True}
    assert found.sha256 == sha256((tmp_path / "measured.json").read_bytes()).hexdigest()


@pytest.mark.parametrize(
    "value, why",
    [
        ('{"metrics": {"time_s": {"value": NaN, "unit": "s"}}}', "NaN is no JSON number"),
        ('{"metrics": {"time_s": {"value": 1e999, "unit": "s"}}}', "too large"),
        ('{"metrics": {"time_s": {"value": 1, "value": 2, "unit": "s"}}}', "appears twice"),
        ({"metrics": {"time_s": {"value": "0.5", "unit": "s"}}}, "no finite number"),
        ({"metrics": {"time_s": {"value": True, "unit": "s"}}}, "no finite number"),
        ({"metrics": {"time_s": {"value": 0.5, "unit": "ms"}}}, "'s' was agreed"),
        ({"metrics": {"time_s": 0.5}}, "not of the form"),
        ({"metrics": {"other": {"value": 1}}}, "lacks the metric"),
        ({"metrics": {}, "checks": {}}, "lacks the metric"),
        ([1], "not of the form"),
        ("{", "malformed"),
        ("[" * 5000, "deep"),
        ({**GOOD, "checks": {"exact": 1}}, "neither true nor false"),
        ({**GOOD, "checks": []}, "checks are not"),
        ({"metrics": {f"m{n}": {"value": 1} for n in range(60)}}, "at most 50"),
        ({"metrics": {"time\u202es": {"value": 1}}}, "no name"),
        (" " * 1_000_001, "at most 1000000"),
    ],
)
def test_what_is_no_measurement_is_refused_by_name(tmp_path, value, why):
    with pytest.raises(Refused, match=why):
        read_measured(written(tmp_path, value), spec())


def test_a_missing_or_linked_file_is_refused(tmp_path):
    with pytest.raises(Refused, match="missing"):
        read_measured(tmp_path, spec())
    (tmp_path / "elsewhere.json").write_text(json.dumps(GOOD))
    (tmp_path / "measured.json").symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(Refused, match="link"):
        read_measured(tmp_path, spec())


def readings(*values, unit="s"):
    return [MeasuredFile({"time_s": (value, unit)}, {}, "") for value in values]


def test_a_kind_must_be_kept():
    assert "was not timed" in combined("time_s", readings(0.5, 0.5, 0.5), spec())[1]
    assert "for every seed" in combined("time_s", readings(0.5, 0.5), spec(kind="random"))[1]
    assert combined("time_s", readings(0.5, 0.51), spec(kind="random"))[0] is not None
    assert (
        "declare it random or timed" in combined("time_s", readings(0.5, 0.51), spec(kind="deterministic"))[1]
    )
    assert combined("time_s", readings(0.5, 0.5), spec(kind="deterministic"))[0].uncertainty == 0.0
    found, _ = combined("time_s", readings(0.5, 0.7, 0.6), spec())
    assert (found.value, found.n, found.values, found.spread) == (0.6, 3, (0.5, 0.7, 0.6), "range")
    assert "not in one unit" in combined("time_s", [*readings(1.0), *readings(2.0, unit="ms")], spec())[1]
    kinds = ((1, "timed", 2), (7, "random", 7), (7, "deterministic", 2))
    assert all(repeats_of(spec(repeats=given, kind=kind)) == most for given, kind, most in kinds)


@pytest.mark.parametrize(
    "source, why",
    [
        ("import time as t\nt.perf_counter = lambda: 0.0\n", "changes time.perf_counter"),
        ("import time\nsetattr(time, 'time', None)\n", "changes an attribute of time"),
        ("import sys\nsys.modules['time'] = None\n", "changes sys.modules"),
        ("import os\nos._exit(0)\n", "calls os._exit"),
        ("import __main__\n", "imports __main__"),
        ("import threading\nopen('measured.json', 'w').write('{}')\n", "names measured.json"),
        ("import sys\nsys._getframe(1)\n", "calls sys._getframe"),
    ],
)
def test_a_candidate_that_reaches_for_the_clock_or_the_file_is_found(tmp_path, source, why):
    (tmp_path / "kernel.py").write_text(source)
    assert any(why in found for found in tampering(tmp_path))


def test_honest_candidates_and_a_copy_of_the_program_pass(tmp_path):
    (tmp_path / "kernel.py").write_text(
        "import os, time\nos.environ['X'] = '1'\nclass A: modules = {}\nA.modules['a'] = 1\n"
        "begun = time.perf_counter()\n"
    )
    (tmp_path / "copy.py").write_text("import threading\nopen('measured.json', 'w')")
    (tmp_path / "bench.py").write_text(
        "import json\njson.dump({}, open('measured.json', 'w'))\n"
    )  # tried by hand
    (tmp_path / "run.sh").write_text("python3 bench.py && cat measured.json\n")
    (tmp_path / "notes.md").write_text("measured.json is written by the harness")
    assert tampering(tmp_path, frozenset((sha256((tmp_path / "copy.py").read_bytes()).hexdigest(),))) == ()


def goal_at(tmp_path, metric="## Metric\nname: time_s\nunit: s\ndirection: lower\n"):
    folder = tmp_path / "goal"
    folder.mkdir()
    (folder / "goal.md").write_text("# A\nb\nc\n## Measure\nmeasure.py\n" + metric)
    (folder / "measure.py").write_text("print('measuring')\n")
    return load_goal(folder)


def test_the_program_is_frozen_once_and_a_change_is_noticed(tmp_path):
    goal, run = goal_at(tmp_path), tmp_path / "run"
    run.mkdir()
    found = freeze(
        goal, run, settings=MeasureSettings(repeats=4), name="other", direction="higher", program="import os"
    )
    assert (found.name, found.direction, found.kind, found.repeats, found.origin) == (
        "time_s",
        "lower",
        "timed",
        4,
        "goal",
    )
    assert freeze(goal, run, settings=MeasureSettings()) == found == frozen(run)
    assert harness_of(goal, found, run, MeasureSettings()).program == b"print('measuring')\n"
    with pytest.raises(StateError, match="frozen before the search"):
        Harness(program=b"other").check(found)
    (run / "measure.py").write_text("print('lying')\n")
    with pytest.raises(StateError, match="changed after the search began"):
        frozen(run)


def test_a_metric_that_is_not_settled_stops_before_the_search(tmp_path):
    with pytest.raises(InputError, match="not settled"):
        freeze(goal_at(tmp_path, metric=""), tmp_path, settings=MeasureSettings())
    plain = tmp_path / "plain.md"
    plain.write_text("a\nb\nc\n")
    with pytest.raises(InputError, match="no program"):
        freeze(load_goal(plain), tmp_path, settings=MeasureSettings(), name="x", direction="lower")
    made = freeze(
        load_goal(plain), tmp_path, settings=MeasureSettings(), name="x", direction="lower", program="p"
    )
    assert (made.origin, made.unit) == ("agent", "1")
    (tmp_path / "sub-run").mkdir()
    hand_on(tmp_path, tmp_path / "sub-run")
    assert frozen(tmp_path / "sub-run") == made  # nobody writes another program for it
    assert (
        freeze(load_goal(plain), tmp_path / "sub-run", settings=MeasureSettings(), name="y", program="q")
        == made
    )


def test_timed_measurements_wait_for_each_other_and_not_for_a_stranger(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with alone():
        lock = next(tmp_path.iterdir())
        with lock.open("rb") as other, pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with lock.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    lock.unlink()
    lock.symlink_to(tmp_path / "elsewhere")
    with alone():
        assert not (tmp_path / "elsewhere").exists()
