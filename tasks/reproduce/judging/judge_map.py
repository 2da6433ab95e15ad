"""A map judged: normalised difference, correlation, place of the maximum; and the wrong maps that must not pass."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from schemas.reproduce.judging.evidence import Classification, RungValue
from schemas.reproduce.planning.plan import Target
from schemas.reproduce.planning.thresholds import threshold
from tasks.reproduce.curves.maps import Map, MapComparison, NoCommonArea, compare_maps
from tasks.reproduce.evidence.convergence import Convergence, curve_convergence
from tasks.reproduce.judging.classify import MIN_OVERLAP, grade, worse
from tasks.reproduce.judging.limits import Limits

# A wrong answer that looks like the right one is no control.
_ALIKE = 0.9


def judge_map(
    target: Target,
    scales: Sequence[float],
    maps: Sequence[Map],
    reference: Map,
    limits: Limits,
    fields: dict[str, Any],
    reasons: list[str],
    formal: float,
) -> tuple[Classification, Convergence]:
    """Class and numerical uncertainty; `fields` and `reasons` are filled in."""
    try:
        c = compare_maps(maps[-1], reference, target.amplitude)
    except NoCommonArea as error:
        reasons.append(f"{str(error)[:1].upper()}{str(error)[1:]}.")
        return "FAILURE", Convergence(None, None, "nothing to compare")
    verdict, sentences = classify_map(c, limits)
    reasons[:0] = sentences
    if target.amplitude != "absolute":
        reasons.append(
            f"The plan leaves the amplitude free: the simulation was multiplied by {c.factor:.4g}."
        )
    fields |= {
        "error": c.nrms_percent,
        "nrms_percent": c.nrms_percent,
        "pearson": c.pearson,
        "scale": c.factor,
        "overlap": c.overlap,
        "rungs": _rungs(target, scales, maps, reference),
    }
    return verdict, _uncertainty(target, scales, maps, reference, formal)


def classify_map(c: MapComparison, limits: Limits) -> tuple[Classification, list[str]]:
    """By the RMS difference, the correlation, the place of the maximum and the common area; the worst counts."""
    bound = limits.value
    reasons = [
        f"RMS difference {c.nrms_percent:.3g} % of the reference's range (acceptable {bound.acceptable:g}, "
        f"investigate {bound.investigate:g})."
    ]
    verdict = grade(c.nrms_percent, bound)
    pearson = bound.pearson or threshold("default", "field_map").pearson
    if c.flat:
        reasons.append(
            "The reference varies by less than 10 % of its magnitude: values are compared, not a pattern."
        )
    elif pearson is not None:
        r = c.pearson if c.pearson is not None else 0.0
        if r < pearson[1]:
            reasons.append(f"Correlation {r:.3f} is below {pearson[1]:g}.")
        verdict = worse(
            verdict, "SUCCESS" if r >= pearson[1] else "PARTIAL" if r >= pearson[2] else "FAILURE"
        )
        if not c.maximum_agrees:
            reasons.append(
                f"The maximum lies at {_at(c.maximum_simulated)}, the paper's at {_at(c.maximum_reference)}."
            )
            verdict = worse(verdict, "PARTIAL")
    if c.overlap < MIN_OVERLAP:
        reasons.append(
            f"Simulation and reference share only {100 * c.overlap:.0f} % of the area; SUCCESS needs "
            f"{100 * MIN_OVERLAP:.0f} %."
        )
        verdict = worse(verdict, "PARTIAL")
    return verdict, reasons


def wrong_maps(target: Target, reference: Map, limits: Limits) -> list[tuple[str, Map]]:
    """Shuffled, constant, displaced and, unless the amplitude is free, offset maps; those alike the reference left out."""
    z = reference.z
    known = np.isfinite(z)
    shuffled, span = z.copy(), float(np.ptp(z[known]))
    shuffled[known] = np.random.default_rng(0).permutation(z[known])
    found = [
        ("shuffled", shuffled),
        ("constant mean", np.where(known, z[known].mean(), np.nan)),
        *(
            (f"displaced along {name}", np.roll(z, max(1, z.shape[axis] // 4), axis))
            for axis, name in enumerate("xy")
        ),
    ]
    if target.amplitude == "absolute":
        scale = max(span, 0.1 * float(np.abs(z[known]).max())) or 1.0
        found.append(("offset", z + 2 * limits.nominal.investigate / 100 * scale))
    return [
        (name, Map(reference.x, reference.y, values))
        for name, values in found
        if name == "offset" or not _alike(z, values, span)
    ]


def _alike(z: np.ndarray, other: np.ndarray, span: float) -> bool:
    both = np.isfinite(z) & np.isfinite(other)
    a, b = z[both], other[both]
    if span < 0.1 * float(np.abs(a).max(initial=0.0)) or not a.size:
        return True  # a flat reference: a rearranged copy is right
    return bool(np.std(b)) and float(np.corrcoef(a, b)[0, 1]) > _ALIKE


def _rungs(
    target: Target, scales: Sequence[float], maps: Sequence[Map], reference: Map
) -> tuple[RungValue, ...]:
    found = []
    for scale, one in zip(scales, maps, strict=True):
        try:
            error = compare_maps(one, reference, target.amplitude).nrms_percent
        except NoCommonArea:
            continue
        found.append(RungValue(resolution_scale=scale, value=error))
    return tuple(found)


def map_step(target: Target, before: Map, after: Map, reference: Map) -> float | None:
    """How far two simulated maps lie apart on the reference's grid, in percent of its range; None without a common area."""
    try:
        against = compare_maps(before, reference, target.amplitude)
        grid = against.difference
        one, other = (Map(grid.x, grid.y, found.at(grid.x, grid.y)) for found in (after, before))
        step = compare_maps(one, other, target.amplitude)
    except NoCommonArea:
        return None
    return float(step.nrms_percent * step.scale_z * (abs(against.factor) or 1.0) / against.scale_z)


def _uncertainty(
    target: Target, scales: Sequence[float], maps: Sequence[Map], reference: Map, formal: float
) -> Convergence:
    """From the differences of neighbouring rungs on the reference's grid, in percent of the reference's range."""
    steps = [map_step(target, after, before, reference) for before, after in pairwise(maps)]
    known = [step for step in steps if step is not None]
    if len(known) < len(steps):
        return Convergence(None, None, "the resolutions have no common area")
    return curve_convergence(scales, known, formal)


def _at(place: tuple[float, float]) -> str:
    return f"({place[0]:.4g}, {place[1]:.4g})"
