"""The escape hatch's bounds: what a free script computed is at most PARTIAL, and where it disagrees it refutes nothing."""

from __future__ import annotations

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.simulations.execution import StageOutputs
from tasks.reproduce.judging.doubts import lowered

REASON = (
    "It agrees, but a free script computed it, and nothing but the script says what was simulated: at most PARTIAL; "
    "described simulations can be SUCCESS."
)
NO_REFUTATION = (
    "It disagrees, but a free script computed it, and a script may be wrong as well as a paper: "
    "the claim does not fall with it."
)


def capped(evidence: TargetEvidence, outputs: StageOutputs) -> TargetEvidence:
    """The evidence, PARTIAL where it would be SUCCESS by executions that trusted code did not arrange and measure; a
    failure by them is one, and does not refute."""
    if outputs.executions and all(e.described for e in outputs.executions):
        return evidence
    if evidence.classification == "FAILURE" and evidence.ran:
        return evidence.model_copy(update={"refutes": False, "reasons": (*evidence.reasons, NO_REFUTATION)})
    return lowered(evidence, "PARTIAL", REASON, scripted=evidence.classification == "SUCCESS")
