"""Limits count alike: N are sent back or fail, and the Nth brings the next in command in place of another round."""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

import pytest

from tests.flow import bare
from tests.flow.kit import PARTLY, Bench, Model
from tests.messages_server import label_of

pytestmark = pytest.mark.flow
LIMITS = dict.fromkeys(
    (
        "max_plan_revisions",
        "max_replans",
        "max_design_revisions",
        "max_code_revisions",
        "max_execution_failures",
        "max_physics_failures",
        "max_analysis_revisions",
    ),
    2,
)
ONCE_MORE = {
    "plan_reviewer": 2,
    "design_reviewer": 2,
    "code_reviewer": 2,
    "execution_validator": 2,
    "physics_sanity": 2,
    "comparison_validator": 99,
}
GIVEN = (
    "plan_limit=accept",
    "design_limit=accept",
    "code_limit=accept",
    "execution_limit=guide: as it is",
    "general_feedback=rerun: once more",
    "general_feedback=continue",
    "material_checkpoint=approve",
)


def test_each_limit_counts_what_was_sent_back(bench: Bench) -> None:
    asked: Counter[str] = Counter()

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        agent, found = label_of(request).split(".")[0], copy.deepcopy(bare.answer(request))
        asked[agent] += 1
        if asked[agent] > ONCE_MORE.get(agent, 0):
            return found
        no = "fail" if agent in ("execution_validator", "physics_sanity") else "needs_revision"
        return found | {
            "verdict": no,
            ("advice" if no == "fail" else "feedback"): f"no, said {asked[agent]} times",
        }

    with Model(answer) as model:
        cli = bench.reproduce(
            model, *bench.settings(**LIMITS), *(word for given in GIVEN for word in ("--answer", given))
        )
        assert cli.wait() == PARTLY, cli.err[-3000:]
    rounds = Counter(".".join(label.split(".")[:3]) for label in model.answered)
    first, second = f"{bare.STAGE}.1", f"{bare.STAGE}.2"
    assert rounds["planner.-.1"] == rounds["plan_reviewer.-.1"] == 2
    assert rounds[f"simulation_designer.{first}"] == rounds[f"design_reviewer.{first}"] == 2
    # two are sent back, the second is accepted as it is; two more after the failed runs, one after the failed check
    assert rounds[f"code_generator.{first}"] == 2 + 2 + 1
    assert rounds[f"execution_validator.{first}"] == 2 + 2 and rounds[f"physics_sanity.{first}"] == 2
    assert rounds[f"results_analyzer.{first}"] == 0, "physics is stuck: the supervisor is next"
    assert rounds[f"results_analyzer.{second}"] == rounds[f"comparison_validator.{second}"] == 2
    state = bench.state()
    assert [
        (entry["interaction_type"], entry["user_response"].partition(":")[0])
        for entry in state["user_interactions"]
    ] == [
        ("plan_limit", "accept"),
        ("material_checkpoint", "approve"),
        ("design_limit", "accept"),
        ("code_limit", "accept"),
        ("execution_limit", "guide"),
        ("general_feedback", "rerun"),
    ]
    assert state["user_interactions"][-1]["impact"].split("; ")[1] == "0 of 2 returns are used"
    [stage] = [entry for entry in state["progress"] if entry["stage_id"] == bare.STAGE]
    assert stage["comparison_flagged"] and state["counters"]["analysis_revisions"] == 2


@pytest.mark.long
def test_a_persons_return_counts_and_says_that_it_passes_the_limit(bench: Bench) -> None:
    """Two corrections of the materials where one return is allowed: a person decides, and knows."""
    change = "material_checkpoint=change_database: gold=main/Au/"
    with Model(bare.gold_answer) as model:
        cli = bench.reproduce(
            model,
            *bench.settings(max_backtracks=1),
            "--answer",
            f"{change}Olmon-ev",
            "--answer",
            f"{change}Yakubovsky-25nm",
            "--answer",
            "material_checkpoint=stop",
        )
        assert cli.wait() == 5, cli.err[-3000:]
    impacts = [entry["impact"] for entry in bench.state()["user_interactions"][:2]]
    assert ["would be one more" in impact for impact in impacts] == [False, True]
    assert "0 of 1 returns are used" in impacts[0] and "1 of 1 returns are used" in impacts[1]
