"""Stage 0 belongs to code: a plan gets it, whatever its planner wrote of it, and its status follows from the checks."""

from __future__ import annotations

import pytest

from agents.reproduce.rules.material_stage import STAGE_ID, with_material_stage
from agents.reproduce.rules.supervision import status_from_evidence
from schemas.reproduce.materials.material_check import MaterialCheck
from schemas.reproduce.materials.prepared_material import MaterialRecord
from schemas.reproduce.planning.plan import Stage
from schemas.reproduce.planning.plan_faults import plan_faults
from schemas.reproduce.state import ReproState
from tests.unit.agents.agents_fixture import DIP, FILM, PLAN

pytestmark = pytest.mark.unit
LONE = FILM.model_copy(update={"dependencies": ()})


def test_a_plan_without_stage_0_gets_it() -> None:
    bare = PLAN.model_copy(update={"stages": (LONE, *PLAN.stages[2:])})
    made, remarks = with_material_stage(bare)
    assert [stage.stage_id for stage in made.stages] == [STAGE_ID, "stage1", "stage2"] and not remarks
    assert made.stages[0].materials == ("gold", "glass") and plan_faults(made) == ()
    assert with_material_stage(bare, PLAN)[0].stages[0].stage_id == "stage0", "a new plan keeps its id"


def test_what_the_planner_wrote_there_is_ignored_and_said() -> None:
    first = PLAN.stages[0].model_copy(update={"targets": (DIP,), "dependencies": ("stage1",)})
    twice = first.model_copy(update={"stage_id": "more", "targets": ()})
    behind = LONE.model_copy(update={"dependencies": ("stage0", "more")})
    made, (remark,) = with_material_stage(
        PLAN.model_copy(update={"stages": (behind, twice, first, PLAN.stages[2])})
    )
    assert [stage.stage_id for stage in made.stages] == ["more", "stage1", "stage2"]
    assert (
        made.stages[1].dependencies == ("more",)
        and not made.stages[0].targets
        and not made.stages[0].dependencies
    )
    assert made.stages[0].estimated_runtime_s == 0, (
        "what code does by itself is no part of the planner's budget"
    )
    assert remark.severity == "minor" and "fig1_dip" in remark.description


def test_other_stages_need_a_target() -> None:
    with pytest.raises(ValueError, match="compares nothing"):
        Stage(stage_id="a", stage_type="SINGLE_STRUCTURE", name="a", description="a")


@pytest.mark.parametrize(
    ("checks", "status"),
    [
        (("passed", "not simulated"), "completed_success"),
        (("passed", "failed"), "completed_failed"),
        ((), "completed_failed"),
    ],
)
def test_the_stage_stands_and_falls_with_its_checks(checks: tuple[str, ...], status: str) -> None:
    records = tuple(
        MaterialRecord(name=f"m{n}", index=1.5, band_um=(0.4, 0.7), check=MaterialCheck(status=word))  # type: ignore[arg-type]
        for n, word in enumerate(checks)
    )
    state = ReproState(paper_id="p", run_id="r", plan=PLAN, materials=records)
    assert status_from_evidence(state, PLAN.stages[0]) == status
