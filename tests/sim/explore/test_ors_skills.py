"""The skills over the protocol, from the finished search to the grade, agents asked by the caller."""

import asyncio
import json

import pytest

from schemas.talking.tools import PIPELINE, Skill, ToolContext
from tasks.tools import Toolbox
from tests.unit.bundle.bundle_run_fixture import finished
from tests.unit.bundle.ors_fixture import Agents

pytestmark = pytest.mark.sim


@pytest.mark.long
def test_every_stage_from_the_bundle_to_the_grade(tmp_path):
    run, agents = finished(tmp_path / "run"), Agents()

    def on_ask(agent, context, images):
        return asyncio.run(agents(agent, context, images))

    skills = [Skill(name=name, timeout_s=600) for name in ("transform", "replicate", "paper_re")]
    with Toolbox(skills) as box:

        def call(skill, tool, **arguments):
            where = ToolContext(run_dir=str(run), phase=PIPELINE, stage=tool, call_id=tool)
            return box.call(tool, arguments, where, on_ask, skill=skill)

        def value(skill, tool, **arguments):
            found = call(skill, tool, **arguments)
            assert not found.is_error, found.text
            return json.loads(found.text)

        assert "cannot be" in (early := call("paper_re", "run_reproduce")).text or early.is_error
        assert "best.steps" in value("transform", "generate_ear")["note"]
        curated = value("transform", "curate_ear")
        assert curated["refused"] == [] and curated["files"] == 14
        assert "not curated" not in value("transform", "publish_ear")["note"]
        assert call("transform", "publish_ear", backend="ftp").is_error
        assert value("replicate", "generate_rubric")["leaves"] == 5
        assert value("replicate", "audit_rubric")["score"] == pytest.approx(1)
        assert value("paper_re", "fetch_code_bundle")["bundle_sha256"] == curated["bundle_sha256"]
        assert value("paper_re", "build_reproduce_sh")["built"] is False
        assert value("paper_re", "run_reproduce", where="sandbox", cpu_s=60)["exit_code"] == 0
        assert "where" in call("paper_re", "run_reproduce", where="moon").text
        graded = value("paper_re", "grade_with_simplejudge", runs=1)
        assert graded["ors_score"] == pytest.approx(1) and graded["negative_control"]["passed"]
    assert (run / "ors_grade.json").is_file() and (run / "bundle.tar.gz").is_file()
