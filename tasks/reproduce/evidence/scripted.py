"""The escape hatch's cap: what a free script computed cannot be better than PARTIAL."""

from __future__ import annotations

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.simulations.execution import StageOutputs
from tasks.reproduce.judging.doubts import lowered

REASON = (
    "It agrees, but a free script computed it, and nothing but the script says what was simulated: at most PARTIAL; "
    "described simulations can be SUCCESS."
)


def capped(evidence: TargetEvidence, outputs: StageOutputs) -> TargetEvidence:
    """The evidence, PARTIAL where it would be SUCCESS by executions that trusted code did not arrange and measure."""
    if outputs.executions and all(e.described for e in outputs.executions):
        return evidence
    return lowered(evidence, "PARTIAL", REASON, scripted=evidence.classification == "SUCCESS")
