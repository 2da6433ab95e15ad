"""A measure program that an agent writes is tried on nothing and on what is wrong: one that cannot fail measures nothing."""

from __future__ import annotations

import json

import pytest

from schemas.explore.asked_by_skills import MetricSpecAnswer
from schemas.explore.settings import MeasureSettings
from schemas.talking.tools import Skill, ToolContext
from tasks.explore.goals import load_goal
from tasks.explore.measuring.trial import cannot_fail, hollowed
from tasks.tools import Toolbox

pytestmark = pytest.mark.sim
ALWAYS = """
import json, os, random
print(os.listdir("candidate"))
json.dump({"metrics": {"error": {"value": 0.01 * random.random()}}, "checks": {"fine": True}}, open("measured.json", "w"))
"""
REAL = """
import json, subprocess, sys
out = subprocess.run([sys.executable, "candidate/approx.py"], capture_output=True, text=True)
json.dump({"metrics": {"error": {"value": float(out.stdout or 9)}}, "checks": {"runs": out.returncode == 0}},
          open("measured.json", "w"))
"""


@pytest.mark.attack("answers", "a metric that cannot fail is sent back, and ends the run where it stays")
@pytest.mark.parametrize("programs", [(ALWAYS, REAL), pytest.param((ALWAYS, ALWAYS), marks=pytest.mark.long)])
def test_a_metric_that_cannot_fail_is_sent_back(tmp_path, programs):
    (tmp_path / "goal.md").write_text("# Closer\n\nPrint a number close to pi.\nIt is deterministic.\n")
    told = []

    def on_ask(_agent, context, _images):
        told.append(context.get("faults"))
        return {
            "name": "error",
            "unit": "1",
            "direction": "lower",
            "kind": "random",
            "program": programs[len(told) - 1],
        }

    with Toolbox([Skill(name="evaluator", phase="survey")]) as box:
        answer = box.call("make_metric_spec", {}, ToolContext(phase="survey", run_dir=str(tmp_path)), on_ask)
    assert told[0] is None and "empty folder candidate/" in told[1][0]
    if programs[1] == REAL:
        assert json.loads(answer.text)["origin"] == "agent" and (tmp_path / "measure.py").read_text() == REAL
    else:
        assert (
            answer.is_error
            and "the metric does not hold" in answer.text
            and not (tmp_path / "measure.py").exists()
        )


TIMES = """
import json, time
from candidate import total
begun = time.perf_counter()
found = [total.total(range(n)) for n in (3, 5)]
taken = time.perf_counter() - begun
json.dump({"metrics": {"time": {"value": taken, "unit": "s"}}, "checks": {"ran": RAN}}, open("measured.json", "w"))
"""
READS = """
import json, os
names = os.listdir("candidate")
text = b"".join(open("candidate/" + name, "rb").read() for name in names)
json.dump({"metrics": {"time": {"value": 1.0 + len(text), "unit": "s"}}, "checks": {"there": COUNTS}},
          open("measured.json", "w"))
"""


@pytest.mark.attack("answers", "a metric that holds for wrong content is sent back")
@pytest.mark.parametrize(
    ("program", "what"),
    [
        (TIMES.replace("RAN", "True"), "functions all return nothing"),
        (TIMES.replace("RAN", "found == [3, 10]"), ""),
        (READS.replace("COUNTS", "bool(names)"), "emptied files"),
        (READS.replace("COUNTS", "len(text) > 0"), "hold noise"),
    ],
)
def test_a_metric_that_holds_for_wrong_content_is_told_so(tmp_path, program, what):
    (tmp_path / "goal.md").write_text("# Faster\n\nSum faster.\n\n## Provided Files\n- total.py\n")
    (tmp_path / "total.py").write_text('"""Sums."""\ndef total(numbers):\n    return sum(numbers)\n')
    said = MetricSpecAnswer(name="time", unit="s", direction="lower", kind="random", program=program)
    fault = cannot_fail(load_goal(tmp_path), said, MeasureSettings(cpu_s=10), {})
    assert (what in fault) if what else not fault


@pytest.mark.parametrize("program", ["total = sum([1])\nprint(total)\n", "def broken(:\n", "print(3)\n"])
def test_what_works_by_its_own_statements_is_not_hollowed(program):
    assert hollowed(program.encode()) == program.encode()
