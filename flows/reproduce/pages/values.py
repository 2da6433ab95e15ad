"""A compared value in words for the cells of a table."""

from __future__ import annotations

from schemas.reproduce.judging.evidence import TargetEvidence


def values(e: TargetEvidence, digits: int = 4) -> tuple[str, str, str]:
    """What was simulated, what the paper says, and the error, in words for three cells."""
    unit = "" if e.unit == "1" else f" {e.unit}"
    ours = "curve" if e.simulated is None else f"{e.simulated:.{digits}g}{unit}"
    paper = "curve" if e.reference is None else f"{e.reference_words()}{unit}"
    measure = {"relative_percent": " %", "absolute_percentage_points": " pp"}.get(e.measure, "")
    return ours, paper, "" if e.error is None else f"{e.error:.3g}{measure}"
