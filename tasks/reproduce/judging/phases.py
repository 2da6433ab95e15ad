"""A phase is known up to whole turns: what is compared is moved by as many as bring it nearest to the paper's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from schemas.reproduce.planning.plan import Target
from schemas.reproduce.simulations.features import as_feature
from schemas.reproduce.simulations.units import converted
from tasks.reproduce.curves.curve import Curve
from tasks.reproduce.evidence.rung import Rung, Value
from tasks.reproduce.references.paper_value import ReferenceValue

LARGEST = 0.9  # of a turn: a paper's number beyond it may count turns, or span one, and is taken as it is
_OF_THE_PHASE = ("value", "value_at", "mean")


def nearest_turns(
    target: Target, rungs: Sequence[Rung], reference: ReferenceValue
) -> tuple[tuple[Rung, ...], ReferenceValue, str]:
    """The rungs, the paper's curve without its jumps of a turn, and in words what was added; as they are where nothing is a phase.

    A curve that stays within one turn is compared at each point on the circle: what is wrong lies up to half a turn off. Over more
    than a turn that would be little of the range; such a curve keeps its way, and is moved as a whole.
    """
    turn = converted(2 * math.pi, "rad", target.unit)
    paper = reference.value
    if turn is None or not rungs:
        return tuple(rungs), reference, ""
    if isinstance(paper, Curve):
        wrapped = np.ptp(paper.y) <= turn
        reference = replace(
            reference, value=Curve(paper.x, np.unwrap(paper.y, period=turn) if wrapped else paper.y)
        )
    elif not isinstance(paper, float) or not _is_phase(target) or abs(paper) > LARGEST * turn:
        return tuple(rungs), reference, ""
    moved = tuple(replace(rung, value=_moved(rung.value, reference.value, turn)) for rung in rungs)
    last, before = moved[-1].value, rungs[-1].value
    turns = np.round((_numbers(last) - _numbers(before)) / turn).astype(int)
    if not np.any(turns):
        return moved, reference, ""
    count = "/".join(f"{n:+d}" for n in np.unique(turns))
    return moved, reference, f"A phase is known up to whole turns: {count} x {turn:.6g} {target.unit} added."


def _is_phase(target: Target) -> bool:
    feature = target.reference.feature
    return feature is None or as_feature(feature).kind in _OF_THE_PHASE


def _moved(ours: Value, paper: object, turn: float) -> Value:
    if isinstance(ours, float) and isinstance(paper, float):
        return ours + turn * round((paper - ours) / turn)
    if isinstance(ours, Curve) and isinstance(paper, Curve):
        apart = np.interp(ours.x, paper.x, paper.y) - ours.y
        on_the_circle = np.ptp(paper.y) <= turn
        return Curve(ours.x, ours.y + turn * np.round((apart if on_the_circle else np.median(apart)) / turn))
    return ours


def _numbers(value: Value) -> np.ndarray:
    return np.atleast_1d(value.y if isinstance(value, Curve) else np.asarray(value, float))
