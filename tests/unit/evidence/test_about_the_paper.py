"""Whose a difference from the paper is: two ways that agree, and what could be ours all the same."""

from __future__ import annotations

from typing import Any

import pytest

from schemas.reproduce.judging.evidence import Doubt, TargetEvidence
from schemas.reproduce.planning.plan import Target
from schemas.reproduce.simulations.execution import StageOutputs
from schemas.reproduce.simulations.numerics import (
    OracleComparison,
    QuantityResult,
    Sensitivity,
    StudyResult,
)
from tasks.reproduce.judging.paper_findings import _hangs
from tasks.reproduce.judging.two_ways import beside_paper
from tests.unit.evidence.evidence_fixture import scalar_target

pytestmark = pytest.mark.unit
KNOWN = Sensitivity(
    parameter="thickness",
    origin="paper",
    tried="99.65 nm",
    reason="within the quotation's rounding",
    relative=0.01,
)


def evidence(simulated: float = 0.5, paper: float = 0.6, **more: Any) -> TargetEvidence:
    common: dict[str, Any] = dict(
        ran=True, computed=True, converged=True, physical=True, matches=False, classification="FAILURE"
    )
    return TargetEvidence(
        target_id="t",
        stage_id="s",
        simulated=simulated,
        reference=paper,
        error=100 * abs(simulated - paper) / paper,
        measure="relative_percent",
        uncertainty=0.1,
        **common | more,
    )


def outputs(**more: Any) -> StageOutputs:
    """A reflectance of 0.5 beside which theory stands; where `axis` is given the largest of a curve."""
    given: dict[str, Any] = dict(
        value=None if "axis" in more else 0.5,
        scale=0.5,
        oracle=OracleComparison(theory="transfer matrix", value=0.499, difference=0.001, within=True),
        sensitivities=(KNOWN,),
    )
    quantity = QuantityResult(
        id="R", kind="reflectance", scene="s", status="converged", answers=("t",), **given | more
    )
    study = StudyResult(digest="d", quantities=(quantity,))
    return StageOutputs(stage_id="s", code_sha256="0" * 64, executions=(), study=study)


def told(
    found: TargetEvidence, solved: StageOutputs, target: Target | None = None
) -> tuple[str, str, str] | None:
    """(about, sentence, why) of what is said, or nothing."""
    said = beside_paper(found, target or scalar_target(target_id="t"), solved).about_paper
    return (said[0].about, said[0].sentence, said[0].why) if said else None


def of_curve(kind: str) -> Target:
    """A target whose number is read off a curve."""
    target = scalar_target(target_id="t")
    feature = {"kind": kind, "extremum": "minimum"}
    return Target.model_validate(
        target.model_dump() | {"reference": target.reference.model_dump() | {"feature": feature}}
    )


def test_it_is_the_papers_where_two_ways_agree_and_nothing_bridges_the_difference() -> None:
    about, sentence, _ = told(evidence(), outputs()) or ("", "", "")
    assert about == "the paper" and "both differ from the paper: simulated 0.5, the paper's 0.6" in sentence
    assert told(evidence(matches=True), outputs()) is None


@pytest.mark.parametrize(
    ("found", "solved", "why"),
    [
        (evidence(doubts=(Doubt(doubt_id="t.1", why="It rests on n: unbound"),)), outputs(), "It rests on n"),
        (evidence(), outputs(sensitivities=(KNOWN.model_copy(update={"relative": 0.3}),)), "thickness"),
        (evidence(), outputs(sensitivities=()), "was not computed"),
        (
            evidence(),
            outputs(sensitivities=(KNOWN.model_copy(update={"relative": None, "remark": "not computed"}),)),
            "was not computed",
        ),
    ],
    ids=["a doubt", "the inputs move it as far", "nothing was varied", "one was not varied"],
)
def test_it_may_be_ours_where_the_description_could_explain_it(
    found: TargetEvidence, solved: StageOutputs, why: str
) -> None:
    about, sentence, said = told(found, solved) or ("", "", "")
    assert about == "us or the paper" and "agree with each other" in sentence and why in said


def test_many_small_roundings_together_can_bridge_it() -> None:
    many = tuple(KNOWN.model_copy(update={"parameter": f"p{i}", "relative": 0.03}) for i in range(8))
    about, _, said = told(evidence(), outputs(sensitivities=many)) or ("", "", "")
    assert about == "us or the paper" and "within what is known of them" in said


def test_one_way_alone_is_never_the_papers() -> None:
    for solved in (
        outputs(oracle=None),
        outputs(oracle=OracleComparison(theory="x", difference=0.1, within=False)),
    ):
        about, sentence, _ = told(evidence(), solved) or ("", "", "")
        assert about == "us or the paper" and "our simulation alone" in sentence
    assert told(evidence(converged=False), outputs(oracle=None)) is None
    assert (
        told(evidence(refutes=False), outputs()) is None and told(evidence(scripted=True), outputs()) is None
    )


def test_a_near_curve_bounds_heights_and_no_places() -> None:
    curve = outputs(axis="frequency")
    assert (
        "agree with each other" in (told(evidence(), curve) or ("", ""))[1]
    )  # of one point: the number itself
    assert "agree with each other" in (told(evidence(), curve, of_curve("value")) or ("", ""))[1]
    assert "our simulation alone" in (told(evidence(), curve, of_curve("position")) or ("", ""))[1]
    near = evidence(
        simulated=0.1, paper=0.1015
    )  # less than the curves are apart, though far for so small a number
    assert "our simulation alone" in (told(near, curve, of_curve("value")) or ("", ""))[1]


def test_nothing_is_said_of_what_a_function_of_the_descriptions_own_computed() -> None:
    assert "our simulation alone" in (told(evidence(), outputs(code="return 1")) or ("", ""))[1]


@pytest.mark.parametrize("converged", [True, False])
def test_a_claim_hangs_on_a_rounding_only_where_the_value_is_converged(converged: bool) -> None:
    """A metal's wall that jumped by a pixel moved a value by 37 per cent, for a hundredth of a millimetre of rounding."""
    found = evidence(converged=converged, acceptable=5.0)
    (quantity,) = outputs(sensitivities=(KNOWN.model_copy(update={"relative": 0.37}),)).study.quantities  # type: ignore[union-attr]
    said = list(_hangs([(found, scalar_target(target_id="t"), quantity)]))
    assert bool(said) is converged
