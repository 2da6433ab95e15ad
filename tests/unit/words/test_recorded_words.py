"""The recorded plans of the bundled papers: their words bind every number, and nothing blocks them."""

from __future__ import annotations

import json

import pytest

from agents.reproduce.rules.feature_rules import bound
from agents.reproduce.rules.material_stage import with_material_stage
from agents.reproduce.rules.plan_rules import rule
from agents.reproduce.rules.reference_rules import quotable
from schemas.reproduce.planning.plan import PlannerAnswer
from schemas.reproduce.words.bound import Bound
from tasks.reproduce.papers import BUNDLED, data_columns, load_paper, recorded_ids
from tests.unit.words.test_feature_words import left_open

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("paper", recorded_ids())
def test_every_recorded_plan_is_bound_to_its_papers_words(paper: str) -> None:
    """The last plan of each bundled recording: nothing blocks it, and its words leave nothing open."""
    about = load_paper(BUNDLED / paper)[0]
    answers = [json.loads(line) for line in (BUNDLED / paper / "transcript.jsonl").read_text().splitlines()]
    plans = [found for entry in answers for found in _plans(entry)]
    assert plans
    answer = PlannerAnswer.model_validate(plans[-1])
    plan = with_material_stage(answer.plan, None)[0]
    issues = rule(
        plan,
        about,
        data_columns(about, BUNDLED / paper),
        extracted=answer.extracted_parameters,
        assumptions=answer.assumptions,
    )
    assert [i for i in issues if i.severity == "blocking" or "at most PARTIAL" in i.description] == []
    found = {
        t.target_id: bound(t, quotable(about), answer.extracted_parameters) for _, t in answer.plan.targets()
    }
    assert {name: b for name, b in found.items() if left_open(b) != Bound()} == {}


def _plans(entry: object) -> list[dict[str, object]]:
    if isinstance(entry, dict):
        own = (
            [entry]
            if "plan" in entry and "extracted_parameters" in entry and isinstance(entry["plan"], dict)
            else []
        )
        return own + [found for value in entry.values() for found in _plans(value)]
    return [found for value in entry for found in _plans(value)] if isinstance(entry, list) else []
