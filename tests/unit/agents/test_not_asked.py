"""Judging agents are asked about a described stage only where code found something; of a free script always."""

from __future__ import annotations

import pytest

from flows.reproduce.judging.checking import doubtful
from schemas.reproduce.judging.evidence import Check, PhysicsEvidence
from schemas.reproduce.simulations.execution import StageOutputs
from schemas.reproduce.simulations.numerics import Finding, OracleComparison, QuantityResult, StudyResult

pytestmark = pytest.mark.unit
GOOD = QuantityResult(
    id="R",
    kind="reflectance",
    scene="s",
    status="converged",
    value=0.1,
    uncertainty=0.001,
    oracle=OracleComparison(theory="transfer matrix", difference=1e-4, within=True),
)


def outputs(quantity: QuantityResult = GOOD, **study: object) -> StageOutputs:
    return StageOutputs(
        stage_id="s",
        code_sha256="0" * 64,
        executions=(),
        study=StudyResult.model_validate({"digest": "d", "quantities": (quantity,), **study}),
    )


def evidence(level: str = "pass") -> PhysicsEvidence:
    return PhysicsEvidence(checks=(Check(name="R", level=level, measured="1", allowed="2"),))  # type: ignore[arg-type]


def test_nothing_to_judge_only_where_every_check_passed_and_nobody_remarked_anything() -> None:
    assert not doubtful(outputs(), evidence())
    assert not doubtful(outputs(findings=(Finding(level="note", where="s", text="know"),)), evidence())
    assert doubtful(outputs(), evidence("warning")) and doubtful(outputs(), PhysicsEvidence(checks=()))
    assert doubtful(outputs(remarks=("padding mattered",)), evidence())
    assert doubtful(outputs(findings=(Finding(level="warning", where="s", text="look"),)), evidence())
    assert doubtful(outputs().model_copy(update={"study": None}), evidence()), "a free script"


@pytest.mark.parametrize(
    "changes",
    [
        {"status": "not converged"},
        {"status": "no value"},
        {"from_fields": False},
        {"oracle": OracleComparison(theory="Mie", difference=0.1, within=False)},
    ],
)
def test_a_quantity_in_doubt_is_judged(changes: dict[str, object]) -> None:
    assert doubtful(outputs(GOOD.model_copy(update=changes)), evidence())
