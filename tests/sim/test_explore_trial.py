"""A measure program that an agent writes is tried on nothing before it is frozen: one that cannot fail measures nothing."""

from __future__ import annotations

import json

import pytest

from schemas.core.tools import Skill, ToolContext
from tasks.core.tools import Toolbox

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
@pytest.mark.parametrize("programs", [(ALWAYS, REAL), (ALWAYS, ALWAYS)])
def test_a_metric_that_cannot_fail_is_sent_back(tmp_path, programs):
    (tmp_path / "goal.md").write_text("# Closer\n\nPrint a number close to pi.\nIt is deterministic.\n")
    told = []

    def on_ask(_agent, context, _images):
        told.append(context.get("faults"))
        return {"name": "error", "unit": "1", "direction": "lower", "kind": "random", "program": programs[len(told) - 1]}

    with Toolbox([Skill(name="evaluator", phase="survey")]) as box:
        answer = box.call("make_metric_spec", {}, ToolContext(phase="survey", run_dir=str(tmp_path)), on_ask)
    assert told[0] is None and "empty folder candidate/" in told[1][0]
    if programs[1] == REAL:
        assert json.loads(answer.text)["origin"] == "agent" and (tmp_path / "measure.py").read_text() == REAL
    else:
        assert answer.is_error and "the metric cannot fail" in answer.text and not (tmp_path / "measure.py").exists()
