"""What a second solver or an exact solution that contradicts ours does to a target. Where it agrees and the paper does not: two_ways.py."""

from __future__ import annotations

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.simulations.numerics import QuantityResult
from tasks.reproduce.judging.doubts import lowered

SAID = "Second solver: "
DISAGREE = (
    "The two solvers differ by more than both their uncertainties together: a finding about the simulation, not about the "
    "paper; at most PARTIAL."
)
MATTERS = 0.25  # of the acceptable error: what differs by less changes no verdict


def beside_second(evidence: TargetEvidence, quantity: QuantityResult) -> TargetEvidence:
    """The evidence with the second solver's opinion of a quantity that answers it; lowered where both disagree."""
    opinion = quantity.second
    if opinion is None or opinion.value is None:
        return evidence
    said = f"{SAID}{opinion.words()}."
    if said not in evidence.reasons:
        evidence = evidence.model_copy(update={"reasons": (*evidence.reasons, said)})
    return lowered(evidence, "PARTIAL", DISAGREE) if opinion.agrees is False else evidence


def beside_theory(evidence: TargetEvidence, quantity: QuantityResult) -> TargetEvidence:
    """The evidence, at most PARTIAL and refuting nothing where an exact solution lies outside the uncertainty of a quantity that
    answers it, by more than a quarter of what is acceptable."""
    exact = quantity.oracle
    if exact is None or exact.within or not quantity.scale:
        return evidence
    apart = abs(exact.difference) / quantity.scale
    if (
        evidence.acceptable is None
        or in_its_measure(evidence, apart, quantity.scale) <= MATTERS * evidence.acceptable
    ):
        return evidence
    reason = (
        f"An exact solution of what was described ({exact.theory}) differs by {100 * apart:.2g} % of the value, which the stated "
        "uncertainty does not hold: a finding about the simulation, not about the paper; at most PARTIAL."
    )
    found = lowered(evidence, "PARTIAL", reason)
    if found.classification == "FAILURE":
        return found.model_copy(update={"refutes": False, "reasons": (*evidence.reasons, reason)})
    return found


def in_its_measure(evidence: TargetEvidence, share: float, scale: float) -> float:
    """A share of the value, of a curve of its largest, in the measure of the target's bounds. scale: that largest value, in the
    quantity's own unit, a fraction where the target has percent."""
    if evidence.measure == "relative_percent":
        return 100 * share
    points = 100.0 if evidence.measure == "absolute_percentage_points" and evidence.unit != "%" else 1.0
    if evidence.simulated is None:
        return share * scale * (100.0 if evidence.unit == "%" else points)
    return share * abs(evidence.simulated) * points
