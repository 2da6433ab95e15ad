"""Rubrics: PaperBench's form whatever the model writes, no typed number, frozen by a digest that is checked."""

import asyncio
import json

import pytest

from schemas.errors import StateError
from schemas.explore.rubric import FINEGRAINED_TASK_CATEGORIES, TASK_CATEGORIES, TaskNode
from tasks.explore.bundle.run_files import read_run
from tasks.explore.ors.asking_rubrics import audit_rubric, generate_rubric, numbers_of
from tasks.explore.ors.paper_text import paper_text
from tasks.explore.ors.rubrics import built, opened
from tests.unit.bundle.bundle_run_fixture import finished
from tests.unit.bundle.ors_fixture import DRAFT, ROOT, Agents, leaf

pytestmark = pytest.mark.unit


@pytest.fixture
def run(tmp_path):
    return finished(tmp_path / "run")


def _generated(run, **agents):
    agents = Agents(**agents)
    return asyncio.run(generate_rubric(run, agents)), agents


def test_who_reproduces_reads_parameters_and_no_measured_number(run):
    paper = paper_text(read_run(run))
    assert "first 100\u2020 numbers" in paper.text and "a gain of {{speedup}}" in paper.text
    assert paper.cited == ("best.steps", "speedup", "top", "baseline.steps")
    _, agents = _generated(run)
    told = json.dumps([context for _, context in agents.asked])
    assert not any(value in told for value in ("25.0", "4.0", "100.0"))


def test_rubric_is_paperbenchs_and_every_cited_number_has_a_leaf_that_code_grades(run):
    meta, _ = _generated(run)
    raw = json.loads((run / "ors_rubric.json").read_text())

    def check(node):
        leaf = not node["sub_tasks"]
        assert (node["task_category"] in TASK_CATEGORIES) is leaf
        assert (node["finegrained_task_category"] in FINEGRAINED_TASK_CATEGORIES) is leaf
        for child in node["sub_tasks"]:
            check(child)

    check(raw)
    tree = TaskNode.model_validate(raw)
    assert sorted(leaf.quantity for leaf in tree.leaves() if leaf.quantity) == [
        "baseline.steps",
        "best.steps",
        "speedup",
    ]
    assert sum(tree.shares().values()) == pytest.approx(1)
    assert any("'result match' became 'Result Analysis'" in line for line in meta.mended)
    assert {number.name: number.value for number in meta.numbers} == {
        "best.steps": 4,
        "speedup": 25,
        "baseline.steps": 100,
    }


def test_the_same_draft_gives_the_same_digest_and_a_changed_rubric_is_not_opened(run):
    first, _ = _generated(run)
    second, _ = _generated(run)
    assert first == second and opened(run)[1] == first
    with pytest.raises(StateError, match="not the one that was frozen"):
        opened(run, "0" * 64)
    for name, old, new in (
        ("ors_rubric.json", '"weight":2.0', '"weight":9.0'),
        ("ors_rubric.meta.json", "25.0", "24.0"),
    ):
        text = (run / name).read_text()
        assert old in text
        (run / name).write_text(text.replace(old, new))
        with pytest.raises(StateError, match="not the one that was frozen"):
            opened(run)
        (run / name).write_text(text)


BAD = {
    "typed": (leaf("x", "The formula needs 4 steps only.", "Result Analysis"), "typed"),
    "in words": (leaf("x", "The formula is twenty times faster.", "Result Analysis"), "twenty"),
    "no such number": (
        leaf("x", "The formula is fast enough.", "Result Analysis", quantity="worst.steps"),
        "worst.steps",
    ),
    "cited, not graded by code": (
        leaf("x", "It takes {{speedup}} fewer steps.", "Result Analysis"),
        "its quantity must be",
    ),
    "category": (leaf("x", "The formula is beautiful.", "Aesthetics"), "Aesthetics"),
    "weight": (leaf("x", "The formula is implemented.", weight=-1), "weight -1"),
    "orphan": (leaf("x", "The formula is implemented.", parent="nobody"), "nobody"),
    "twice": (leaf("formula", "The formula is implemented.", parent="formula"), "two tasks"),
    "two roots": ({**ROOT, "id": "other"}, "2 tasks have no parent"),
    "short": (leaf("x", "good"), "at least 10"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_faulty_draft_is_sent_back_with_its_fault(run, case):
    entry, words = BAD[case]
    meta, agents = _generated(run, rubrics=[[*DRAFT, entry], DRAFT])
    told = [context["faults"] for name, context in agents.asked if name == "rubric_writer"]
    assert len(told) == 2 and words in told[1] and meta.dropped == ()


def test_a_leaf_that_stays_faulty_is_left_out_and_a_draft_without_leaves_is_no_rubric(run):
    meta, agents = _generated(run, rubrics=[[*DRAFT, BAD["typed"][0]]])
    assert len(agents.asked) == 3 and meta.dropped[0].startswith("x: ") and meta.leaves == 5
    with pytest.raises(StateError, match="no usable rubric"):
        _generated(run, rubrics=[[ROOT, leaf("x", "good")]])


def test_audit_scores_the_weight_without_findings_and_is_told_to_the_writer(run):
    _generated(run)
    finding = {"leaf": "formula", "flag": "vague", "reason": "closed form of what"}
    unknown = {"leaf": "nobody", "flag": "vague", "reason": "no such leaf"}
    audit = asyncio.run(audit_rubric(run, Agents(audit=[finding, unknown])))
    tree, _ = opened(run)
    assert audit.score == pytest.approx(1 - tree.shares()["formula"]) and len(audit.findings) == 1
    _, agents = _generated(run)
    assert "formula: vague: closed form of what" in agents.asked[0][1]["faults"]
    assert not (run / "ors_rubric.audit.json").exists()


def test_numbers_of_a_bundle_and_of_the_data_without_one_are_the_same(run):
    files = read_run(run)
    without = numbers_of(files)
    from tasks.explore.bundle.generate import generate_ear

    generate_ear(run)
    assert numbers_of(files) == without and built(_answer(DRAFT), paper_text(files), without).faults == []


def _answer(tasks):
    from schemas.explore.rubric import RubricWriterAnswer

    return RubricWriterAnswer.model_validate({"tasks": tasks})
