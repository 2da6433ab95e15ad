"""The harness measures real candidates in the sandbox: fast beside slow, and those that lie."""

from __future__ import annotations

import json
import secrets
import shutil
import tempfile
import threading
import time
from hashlib import sha256
from pathlib import Path

import pytest

from schemas.explore.evaluation import MetricSpec
from schemas.explore.settings import MeasureSettings
from tasks.explore.measuring.harness import Subject, kept, measure
from tasks.explore.measuring.once import Harness
from tasks.explore.search.evaluating import evaluate
from tasks.explore.search.measured_beside import compare
from tests.left_behind import left_behind

pytestmark = pytest.mark.sim

TIMED = b"""
import json, os, time
from candidate.kernel import total
numbers = json.load(open("numbers.json"))
begun = time.perf_counter()
found = total(numbers)
taken = time.perf_counter() - begun
json.dump({"metrics": {"time_s": {"value": taken, "unit": "s"}, "repeat": {"value": int(os.environ["REPROLAB_REPEAT"])}},
           "checks": {"exact": found == sum(numbers)}}, open("measured.json", "w"))
"""
SLOW = "import time\ndef total(numbers):\n    time.sleep(0.05)\n    return sum(numbers)\n"
FAST = "def total(numbers):\n    return sum(numbers)\n"
SPEC = MetricSpec(
    name="time_s",
    unit="s",
    direction="lower",
    kind="timed",
    repeats=3,
    program="measure.py",
    sha256=sha256(TIMED).hexdigest(),
)


def harness(program=TIMED, **settings):
    return Harness(
        program=program, files={"numbers.json": b"[1, 2, 3]"}, settings=MeasureSettings(cpu_s=20, **settings)
    )


def subject(tmp_path: Path, node_id: str, kernel: str, **files: str) -> Subject:
    work = tmp_path / node_id / "work"
    work.mkdir(parents=True)
    (work / "kernel.py").write_text(kernel)
    for name, text in files.items():
        (work / name.replace("__", ".")).write_text(text)
    return Subject(node_id, work)


def test_a_child_is_measured_beside_its_parent(tmp_path):
    parent, child = subject(tmp_path, "n000", SLOW), subject(tmp_path, "n001", FAST)
    keep = tmp_path / "n001" / "measured.json"
    found = measure(SPEC, harness(), child, parent, keep=keep, run_dir=tmp_path)
    assert (
        found.order == "cppccp"
        and found.checks == (("exact", True),)
        and not found.refused
        and found.sandbox_level == "A"
    )
    mine, its = found.metrics[0], found.parent_metrics[0]
    assert mine.n == its.n == 3 and its.value > 0.05 > mine.value and mine.uncertainty > 0
    assert (mine.file, mine.sha256) == ("n001/measured.json", sha256(keep.read_bytes()).hexdigest())
    assert (
        found.metrics[1].values
        == tuple(map(float, found.seeds))
        == next(metric for metric in found.parent_metrics if metric.name == "repeat").values
    ), "a pair runs with one seed"
    assert len({*found.seeds}) == 3 and {*found.seeds}.isdisjoint(range(100)), (
        "which nobody can know beforehand"
    )
    assert kept(keep, tmp_path) == found
    assert compare(mine, its, "n000", SPEC, paired=True).verdict == "better"
    assert evaluate(SPEC, (), "harmonic_mean", record=found).composite > 0.25
    assert not list((tmp_path / "n001" / "work").glob("measured*"))  # nothing was written into the node


@pytest.mark.parametrize(
    "kernel, why",
    [
        ("def total(numbers):\n    return 0\n", "the check 'exact' failed"),
        ("def total(numbers):\n    raise RuntimeError('no idea')\n", "RuntimeError: no idea"),
        (
            "import time\ndef total(numbers):\n    time.perf_counter = lambda: 0\n    return 6\n",
            "changes time.perf_counter",
        ),
        # written so that no scan of the source finds it: the end of the program is missing
        (
            'name = \'measured\' + \'.json\'\nopen(name, \'w\').write(\'{"metrics": {"time_s": {"value": 1e-9, "unit": "s"}}}\')\n'
            "getattr(__import__('os'), '_ex' + 'it')(0)\n",
            "did not come to its end",
        ),
        ("open('candidate/kernel.py', 'w')\n", "Read-only file system"),
        ("open('numbers.json', 'w')\n", "Read-only file system"),
    ],
)
def test_what_fails_or_lies_is_no_measurement_and_says_why(tmp_path, kernel, why):
    node = subject(tmp_path, "n001", kernel)
    found = measure(SPEC, harness(), node, None, keep=tmp_path / "m.json", run_dir=tmp_path)
    assert not found.metrics and any(why in reason for reason in found.refused), found.refused
    assert (node.work / "kernel.py").read_text() == kernel
    assert evaluate(SPEC, (), "arithmetic_mean", record=found).composite == 0.0


def test_a_file_that_a_candidate_writes_first_is_not_what_counts(tmp_path):
    kernel = (
        FAST
        + 'open(\'measured.json\', \'w\').write(\'{"metrics": {"time_s": {"value": 1e-12, "unit": "s"}}}\')\n'
    )
    found = measure(
        SPEC, harness(), subject(tmp_path, "n001", kernel), None, keep=tmp_path / "m.json", run_dir=tmp_path
    )
    assert found.metrics and min(found.metrics[0].values) > 1e-9


def test_a_file_that_is_written_after_the_end_is_refused(tmp_path):
    kernel = FAST + (
        "import atexit\nname = 'measured' + '.json'\natexit.register(lambda: open(name, 'w').write("
        '\'{"metrics": {"time_s": {"value": 1e-12, "unit": "s"}}}\'))\n'
    )
    found = measure(
        SPEC, harness(), subject(tmp_path, "n001", kernel), None, keep=tmp_path / "m.json", run_dir=tmp_path
    )
    assert not found.metrics and "behind its back" in found.refused[0]


def test_results_lying_in_the_directory_are_not_there_when_it_is_measured(tmp_path):
    kernel = "import json\ndef total(numbers):\n    return json.load(open('candidate/results.json'))\n"
    node = subject(tmp_path, "n001", kernel, results__json=json.dumps(6))
    found = measure(SPEC, harness(), node, None, keep=tmp_path / "m.json", run_dir=tmp_path)
    assert not found.metrics and "FileNotFoundError" in found.refused[0]


def test_a_clock_that_stands_still_and_a_program_without_end_are_refused(tmp_path):
    constant = TIMED.replace(b'"value": taken', b'"value": 0.01')
    still = SPEC.model_copy(update={"sha256": sha256(constant).hexdigest()})
    found = measure(
        still,
        harness(constant),
        subject(tmp_path, "n001", FAST),
        None,
        keep=tmp_path / "m.json",
        run_dir=tmp_path,
    )
    assert "was not timed" in found.refused[0]
    spin = subject(tmp_path, "n002", "def total(numbers):\n    while True: pass\n")
    limited = Harness(program=TIMED, files={"numbers.json": b"[1]"}, settings=MeasureSettings(cpu_s=1))
    found = measure(SPEC, limited, spin, None, keep=tmp_path / "m.json", run_dir=tmp_path)
    assert found.order == "c" and "stopped at its limit (cpu)" in found.refused[0]


@pytest.mark.attack("judgement", "what a candidate left running writes nothing after the measurement")
def test_a_process_that_a_candidate_leaves_behind_cannot_write_the_measurement(tmp_path):
    program = (
        b"import json, math, subprocess, sys\n"
        b"out = subprocess.run([sys.executable, 'candidate/approx.py'], capture_output=True, text=True)\n"
        b"json.dump({'metrics': {'error': {'value': abs(float(out.stdout) - math.pi)}}}, open('measured.json', 'w'))\n"
    )
    spec = MetricSpec(
        name="error",
        unit="1",
        direction="lower",
        kind="deterministic",
        program="measure.py",
        sha256=sha256(program).hexdigest(),
    )
    node = subject(tmp_path, "n001", "", approx__py=left_behind("3"))
    found = measure(spec, harness(program), node, None, keep=tmp_path / "m.json", run_dir=tmp_path)
    assert found.metrics[0].values == (pytest.approx(0.14159265),) * 2 and not found.refused


READS = """
import os, time
def total(numbers):
    end = time.monotonic() + 60
    while os.path.exists("candidate/part/data.txt") and time.monotonic() < end:
        time.sleep(0.02)
    return sum(numbers) + len(open("candidate/part/data.txt").read())
"""


def test_files_that_vanish_meanwhile_are_no_failure_of_the_candidate(tmp_path):
    """As a cleaner of temporary files takes them; a person is asked about such an error, and a retry measures anew."""
    part = f"part{secrets.token_hex(8)}"  # nobody else's
    node = subject(tmp_path, "n001", READS.replace("part", part))
    (node.work / part).mkdir()
    (node.work / part / "data.txt").write_text("")
    over = threading.Event()

    def clean() -> None:
        while not over.wait(0.05):
            for path in Path(tempfile.gettempdir()).glob(f"reprolab-measure-*/fresh/candidate/{part}"):
                if (path.parent.parent / "measure.py").is_file():
                    time.sleep(0.5)  # until it is looked at
                    shutil.rmtree(path, ignore_errors=True)

    cleaning = threading.Thread(target=clean, daemon=True)
    cleaning.start()
    try:
        with pytest.raises(FileNotFoundError, match=f"vanished while a candidate was measured.*{part}"):
            measure(SPEC, harness(), node, None, keep=tmp_path / "m.json", run_dir=tmp_path)
    finally:
        over.set()
        cleaning.join(30)
    assert not (tmp_path / "m.json").exists()
