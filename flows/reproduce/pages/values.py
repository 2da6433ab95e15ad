"""A compared value in words for the cells of a table."""

from __future__ import annotations

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.origin_words import origin_words
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.plan import Target


def values(
    e: TargetEvidence, target: Target | None, paper: PaperInput, digits: int = 4
) -> tuple[str, str, str]:
    """What was simulated, the reference with where it is from, and the error, in words for three cells."""
    unit = "" if e.unit == "1" else f" {e.unit}"
    ours = "curve" if e.simulated is None else f"{e.simulated:.{digits}g}{unit}"
    reference = "curve" if e.reference is None else f"{e.reference_words()}{unit}"
    reference += f" ({origin_words(target.reference if target else None, paper)})"
    measure = {"relative_percent": " %", "absolute_percentage_points": " pp"}.get(e.measure, "")
    return ours, reference, "" if e.error is None else f"{e.error:.3g}{measure}"
