"""One factor between all of our numbers and the paper's: a length, or an index, that was read or written wrongly."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.simulations.units import converted

COMPUTED = "computed from all comparisons: "  # beside what agents say
FEWEST, SPREAD, LEAST = 3, 0.003, 0.01


def common_factor(found: Sequence[TargetEvidence]) -> str:
    """What all spectral scalars have in common, in words; empty if there is nothing.

    Wavelengths and frequencies of at least FEWEST targets, whose ratios ours over paper (as wavelengths) agree within
    SPREAD and lie LEAST or more off one, and whose values themselves differ: Maxwell's equations have no scale, so one
    wrong length does that.
    """
    ratios = {e.target_id: ratio for e in found if (ratio := _ratio(e)) is not None}
    places = {round(e.reference or 0.0, 6) for e in found if e.target_id in ratios}
    if len(ratios) < FEWEST or len(places) < 2:
        return ""
    mean = sum(ratios.values()) / len(ratios)
    if max(ratios.values()) - min(ratios.values()) > SPREAD * mean or abs(mean - 1) < LEAST:
        return ""
    return (
        f"all wavelengths and lengths are {mean:.4g} times the paper's ({', '.join(ratios)}): one length (or index) of the "
        f"paper, or of the description, may be off by this factor; every length divided by {mean:.4g} would bring them "
        "together"
    )


def _ratio(e: TargetEvidence) -> float | None:
    if (
        e.simulated is None
        or e.reference is None
        or e.reference_upper is not None
        or e.simulated <= 0
        or e.reference <= 0
    ):
        return None
    if e.unit in ("c/a", "a"):
        return e.reference / e.simulated if e.unit == "c/a" else e.simulated / e.reference
    ours, theirs = (converted(value, e.unit, "um") for value in (e.simulated, e.reference))
    return ours / theirs if ours and theirs else None
