"""Negative controls: answers that must not pass, put through the very code that judges the real one.

If one of them is classified SUCCESS, the comparison cannot tell right from wrong, and is rejected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from schemas.reproduce.judging.evidence import Check, TargetEvidence
from schemas.reproduce.materials.prepared_material import MaterialRecord
from schemas.reproduce.planning.plan import Stage, Target
from schemas.reproduce.simulations.execution import StageOutputs
from tasks.reproduce.curves.curve import Curve, is_flat, normaliser
from tasks.reproduce.curves.features import PROMINENCE_MAJOR, extrema
from tasks.reproduce.curves.maps import Map
from tasks.reproduce.evidence.rung import Value
from tasks.reproduce.judging.doubts import lowered
from tasks.reproduce.judging.judge import judge
from tasks.reproduce.judging.judge_map import wrong_maps
from tasks.reproduce.judging.limits import Limits, shape_measure
from tasks.reproduce.judging.targets import gather
from tasks.reproduce.references.paper_value import ReferenceValue

# Controls lie this many times the nominal investigate limit away: data too vague to tell that apart are
# exposed.
FACTOR = 2.0
_SCALES = (0.5, 1.0)
_REJECTED = (
    "the comparison accepts a wrong answer and is rejected: choose a sharper quantity, narrow x_range, or "
    "use better reference data"
)
# Rungs of a control differ by this much, so that it is not the echo detection that refuses it.
_JITTER = 1e-4


@dataclass(frozen=True)
class Control:
    """A wrong answer: its value at each resolution scale."""

    name: str
    rungs: tuple[tuple[float, Value], ...]


def controls(
    outputs: StageOutputs,
    stage: Stage,
    target: Target,
    *,
    root: Path,
    paper_dir: Path,
    profile: str,
    materials: Mapping[str, MaterialRecord],
) -> tuple[Check, ...]:
    """Judge an empty submission, the paper's own values, shuffled, constant and displaced ones.

    Arguments as `tasks.reproduce.evidence.target_evidence`. One check for each control: passed where the control was
    refused.
    """
    found = gather(
        outputs, stage, target, root=root, paper_dir=paper_dir, profile=profile, materials=materials
    )
    source = f"target {target.target_id}"
    if found.reference is None or found.limits is None:
        return (
            Check(
                name="negative controls",
                level="fail",
                measured="there is no reference to control",
                allowed="a reference",
                source=source,
                hint=found.problems[-1] if found.problems else "",
            ),
        )
    return run_controls(target, stage.stage_id, found.reference, found.limits)


def with_controls(
    evidence: TargetEvidence,
    outputs: StageOutputs,
    stage: Stage,
    target: Target,
    *,
    root: Path,
    paper_dir: Path,
    profile: str,
    materials: Mapping[str, MaterialRecord],
) -> tuple[TargetEvidence, tuple[Check, ...]]:
    """The evidence of a target beside the controls of its comparison (arguments as `controls`).

    A comparison that accepts a wrong answer cannot tell right from wrong: its target is at most PARTIAL.
    """
    checks = controls(
        outputs, stage, target, root=root, paper_dir=paper_dir, profile=profile, materials=materials
    )
    passed = [check for check in checks if check.level == "fail"]
    if passed:
        evidence = lowered(
            evidence,
            "PARTIAL",
            f"The comparison accepts a wrong answer ({passed[0].name}), so it proves little.",
        )
    return evidence, checks


def run_controls(
    target: Target, stage_id: str, reference: ReferenceValue, limits: Limits
) -> tuple[Check, ...]:
    """The same from a resolved reference."""
    checks = []
    for control in wrong_answers(target, reference.value, limits, reference.upper):
        evidence, _ = judge(
            target, stage_id, control.rungs, reference, limits, ran=True, used_meep=True, physical=True
        )
        passed = evidence.classification == "SUCCESS"
        checks.append(
            Check(
                name=f"control: {control.name}",
                level="fail" if passed else "pass",
                measured=evidence.classification,
                allowed="PARTIAL or FAILURE",
                source=f"target {target.target_id}",
                hint=_REJECTED if passed else "",
            )
        )
    return tuple(checks)


def wrong_answers(
    target: Target, reference: Value, limits: Limits, upper: float | None = None
) -> tuple[Control, ...]:
    """Every control that applies; a constant or shuffled copy of a flat reference is right, and left out.

    upper: the upper end of a reference that is a range.
    """
    found = [Control("empty submission", ()), Control("the paper's values echoed", _echo(reference))]
    if isinstance(reference, Curve):
        return (*found, *_curve_controls(target, reference, limits))
    if isinstance(reference, Map):
        return (
            *found,
            *(Control(name, _rungs(wrong)) for name, wrong in wrong_maps(target, reference, limits)),
        )
    away = _displacement(target, limits, reference)
    if away:
        found.append(Control("displaced upwards", _rungs((reference if upper is None else upper) + away)))
        found.append(Control("displaced downwards", _rungs(reference - away)))
    return tuple(found)


def _curve_controls(target: Target, whole: Curve, limits: Limits) -> Sequence[Control]:
    reference = whole.within(*target.x_range) if target.x_range is not None else whole
    reference = reference or whole
    found = []
    if not is_flat(reference):
        shuffled = np.random.default_rng(0).permutation(reference.y)
        found.append(Control("shuffled", _rungs(Curve(reference.x, shuffled))))
        found.append(
            Control(
                "constant mean", _rungs(Curve(reference.x, np.full_like(reference.y, reference.y.mean())))
            )
        )
        if extrema(reference, PROMINENCE_MAJOR * reference.range()):
            middle = float(reference.x[0] + reference.x[-1]) / 2
            shift = FACTOR * limits.position.investigate / 100 * abs(middle)
            found.append(Control("displaced along x", _rungs(Curve(whole.x + shift, whole.y))))
    if shape_measure(target):
        offset = FACTOR * limits.nominal.investigate / 100 * normaliser(reference)
        found.append(Control("displaced along y", _rungs(Curve(whole.x, whole.y + offset))))
    elif limits.nominal.measure == "relative_percent":
        factor = 1 + FACTOR * limits.nominal.investigate / 100
        found.append(Control("scaled along y", _rungs(Curve(whole.x, whole.y * factor))))
    else:
        found.append(
            Control("displaced along y", _rungs(Curve(whole.x, whole.y + _displacement(target, limits, 1.0))))
        )
    return found


def _displacement(target: Target, limits: Limits, reference: float) -> float:
    away = FACTOR * limits.nominal.investigate
    if limits.nominal.measure == "relative_percent":
        return away / 100 * abs(reference)
    points = limits.nominal.measure == "absolute_percentage_points" and target.unit != "%"
    return away / 100 if points else away


def _echo(reference: Value) -> tuple[tuple[float, Value], ...]:
    return tuple((scale, reference) for scale in _SCALES)


def _rungs(value: Value) -> tuple[tuple[float, Value], ...]:
    """The value at every scale, apart by a little numerical uncertainty."""
    coarse: Value
    if isinstance(value, Curve):
        coarse = Curve(value.x, value.y + _JITTER * (float(np.abs(value.y).max()) or 1.0))
    elif isinstance(value, Map):
        coarse = Map(value.x, value.y, value.z + _JITTER * (float(np.nanmax(np.abs(value.z))) or 1.0))
    else:
        coarse = value + _JITTER * (abs(value) or 1.0)
    return ((_SCALES[0], coarse), (_SCALES[1], value))
