"""What an exact solution of what was described does to a target: one that the stated uncertainty does not hold, and that matters for
the verdict, shows that the value is not known as well as it is said to be."""

from __future__ import annotations

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.simulations.numerics import QuantityResult
from tasks.reproduce.judging.doubts import lowered

MATTERS = 0.25  # of the acceptable error: what differs by less changes no verdict


def beside_theory(evidence: TargetEvidence, quantity: QuantityResult) -> TargetEvidence:
    """The evidence, at most PARTIAL and refuting nothing where an exact solution lies outside the uncertainty of a quantity that
    answers it, by more than a quarter of what is acceptable."""
    exact = quantity.oracle
    if exact is None or exact.within or not quantity.scale:
        return evidence
    apart = abs(exact.difference) / quantity.scale
    if evidence.acceptable is None or _in_its_measure(evidence, apart) <= MATTERS * evidence.acceptable:
        return evidence
    reason = (
        f"An exact solution of what was described ({exact.theory}) differs by {100 * apart:.2g} % of the value, which the stated "
        "uncertainty does not hold: a finding about the simulation, not about the paper; at most PARTIAL."
    )
    found = lowered(evidence, "PARTIAL", reason)
    if found.classification == "FAILURE":
        return found.model_copy(update={"refutes": False, "reasons": (*evidence.reasons, reason)})
    return found


def _in_its_measure(evidence: TargetEvidence, share: float) -> float:
    """A share of the value in the measure of the target's bounds; of a curve in percent of its largest value."""
    if evidence.simulated is None or evidence.measure == "relative_percent":
        return 100 * share
    points = 100.0 if evidence.measure == "absolute_percentage_points" and evidence.unit != "%" else 1.0
    return share * abs(evidence.simulated) * points
