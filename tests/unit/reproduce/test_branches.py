"""A branch whose ground was taken away by an earlier branch's supervision is not merged."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from flows.reproduce.branches import merge
from schemas.reproduce.planning.plan import Plan
from schemas.reproduce.planning.progress import StageProgress
from schemas.reproduce.state import ReproState
from tests.flow.coating import PLAN

pytestmark = pytest.mark.unit


class Run(SimpleNamespace):
    """The part of a run that merging touches."""

    def update(self, node: str, **changes: Any) -> None:
        self.state = self.state.apply(node, **changes)

    def stage(self, stage_id: str) -> Any:
        return self.state.plan.stage(stage_id)


def a_state(status0: str, status1: str) -> ReproState:
    return ReproState(
        paper_id="p",
        run_id="r",
        plan=Plan.model_validate(PLAN["plan"]),
        plan_approved=True,
        progress=(
            StageProgress(stage_id="stage0_materials", status=status0),
            StageProgress(stage_id="stage1_coating", status=status1),
        ),
    )


@pytest.mark.parametrize(
    ("status0", "merged"), [("completed_success", True), ("needs_rerun", False), ("invalidated", False)]
)
def test_a_branch_behind_a_backtrack_is_dropped_but_its_cost_stays(status0, merged):
    base = a_state("completed_success", "not_started")
    branch = Run(
        branch="stage1_coating",
        history=["sent back"],
        state=base.apply(
            "select_stage", progress=base.with_progress("stage1_coating", status="in_progress")
        ).apply("account", runtime_used_s=7.0),
    )
    main = Run(history=[], state=a_state(status0, "not_started"))
    merge(main, branch, base)
    assert main.state.runtime_used_s == 7.0 and main.history == ["sent back"]
    assert (main.state.stage_progress("stage1_coating").status == "in_progress") is merged
