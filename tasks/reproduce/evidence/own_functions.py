"""What a function of the writer's own computed: not from the fields is FAILURE, not wholly examined at most PARTIAL."""

from __future__ import annotations

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.simulations.execution import StageOutputs
from schemas.reproduce.simulations.numerics import QuantityResult
from tasks.reproduce.evidence.two_solvers import beside_second, beside_theory
from tasks.reproduce.judging.doubts import lowered
from tasks.reproduce.measuring.unsettled import NEARLY

NOT_EXAMINED = (
    "A function of the description's own computed it, and not all of its witnesses could be tried at the finest "
    "grid, or were decided: at most PARTIAL."
)
NO_REFUTATION = (
    "Only a function of the description's own that was not wholly examined disagrees: that refutes nothing."
)
UNSETTLED = "It agrees, but the run behind it ended before its fields had settled: at most PARTIAL."


def examined(evidence: TargetEvidence, outputs: StageOutputs) -> TargetEvidence:
    """The evidence, lowered where nothing answers the target, or a function that the witnesses refuse or do not confirm."""
    if left_out := outputs.not_attempted(evidence.target_id):
        return evidence.model_copy(
            update={
                "classification": "FAILURE",
                "not_attempted": left_out,
                "reasons": (f"Not attempted: no quantity of the description answers it. {left_out}",),
            }
        )
    answering = [
        quantity
        for quantity in (outputs.study.quantities if outputs.study else ())
        if evidence.target_id in quantity.answers
    ]
    if any(quantity.unsettled > NEARLY for quantity in answering):
        evidence = lowered(evidence, "PARTIAL", UNSETTLED)
    for quantity in answering:
        evidence = beside_theory(evidence, quantity)
        if quantity.second is not None:
            evidence = beside_second(evidence, quantity)
        if quantity.code and quantity.from_fields is False:
            evidence = evidence.model_copy(
                update={
                    "classification": "FAILURE",
                    "computed": False,
                    "reasons": (*evidence.reasons, f"Not from the fields: {_refused(quantity)}."),
                }
            )
        elif quantity.code and quantity.from_fields is None:
            evidence = lowered(evidence, "PARTIAL", NOT_EXAMINED)
            if evidence.classification == "FAILURE":
                evidence = evidence.model_copy(
                    update={"refutes": False, "reasons": (*evidence.reasons, NO_REFUTATION)}
                )
    return evidence


def _refused(quantity: QuantityResult) -> str:
    """What the witnesses said, in numbers."""
    return "; ".join(
        f"{w.name}{f' {w.of}' if w.of else ''}"
        + (f" (response {w.response:.1e})" if w.response is not None else "")
        for w in quantity.witnesses
        if w.passed is False
    )
