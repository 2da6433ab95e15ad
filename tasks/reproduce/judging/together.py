"""Targets of a stage judged together: a feature, the words that state it, and the simulated curve it was read from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from schemas.reproduce.judging.evidence import Classification, TargetEvidence
from schemas.reproduce.planning.plan import Reference, Stage, Target
from schemas.reproduce.simulations.axes import SAID, belied, fits, wanted
from schemas.reproduce.simulations.execution import StageOutputs
from schemas.reproduce.simulations.features import as_feature
from schemas.reproduce.words.bound import Bound
from tasks.files.tables import read_table
from tasks.reproduce.curves.curve import Curve
from tasks.reproduce.evidence.extrapolating import limit_of
from tasks.reproduce.evidence.kept_files import Reader
from tasks.reproduce.evidence.not_computed import EvidenceError
from tasks.reproduce.evidence.simulated import answers_of, axis_of, rungs
from tasks.reproduce.evidence.sweep_points import Answer
from tasks.reproduce.evidence.units import convert, unit_of_name
from tasks.reproduce.judging.classify import MIN_WINDOW
from tasks.reproduce.judging.doubts import doubted, lowered
from tasks.reproduce.judging.judge import judge
from tasks.reproduce.judging.limits import limits_for
from tasks.reproduce.papers import inside
from tasks.reproduce.references.against_data import abscissae
from tasks.reproduce.references.paper_value import resolve

MOST_COLUMNS = 24  # of a figure's data that a curve is held against
WHOLE = 0.8  # of the figure's data: a window that keeps this much chooses nothing
_MODES = (
    "resonance_frequency",
    "band_frequency",
    "band_edge",
    "gap",
)  # places that trusted code finds without a curve
Column = tuple[str, str, str]  # file, its abscissa, one of its other columns


@dataclass(frozen=True)
class Stated:
    """What the paper gives beside a stage's targets.

    bounds: target -> what the words leave open of its feature. data: figure -> its data files. light: (value, unit) of the
    wavelengths and frequencies among the plan's inputs and in the paper's words.
    """

    bounds: Mapping[str, Bound] = field(default_factory=dict)
    data: Mapping[str, Sequence[str]] = field(default_factory=dict)
    light: Sequence[tuple[float, str]] = ()


def with_their_curves(
    stage: Stage,
    found: Sequence[TargetEvidence],
    outputs: StageOutputs,
    stated: Stated,
    *,
    root: Path,
    paper_dir: Path,
    profile: str = "default",
    metal: bool = False,
) -> tuple[TargetEvidence, ...]:
    """A feature is no better than the curve it was read from, and than the words that state it.

    Agreement of one point of a wrong curve is chance. The curve is the one that the plan compares, where both were read from
    the same simulated column or name the same column of the paper's; else the simulated curve is held against the data of the
    target's figure, planned or not. found: the evidence of the stage's targets, in their order.
    """
    reader = Reader(root)
    planned = {
        target.target_id: evidence
        for target, evidence in zip(stage.numeric_targets, found, strict=True)
        if target.kind == "curve" and target.reference.kind == "data"
    }
    answers = {target.target_id: _answers(outputs, target, reader) for target in stage.numeric_targets}
    columns = {
        name: frozenset((a.dataset.file.path, a.column.name) for a in own) for name, own in answers.items()
    }
    by_id = {target.target_id: target for target in stage.numeric_targets}
    result = []
    for target, evidence in zip(stage.numeric_targets, found, strict=True):
        if why := _belied(target.reference, stated, paper_dir):
            evidence = lowered(evidence, "PARTIAL", f"Of the paper's data, {why}: at most PARTIAL.")
        if target.kind == "scalar" or target.reference.made_of:
            evidence = _within_words(evidence, target, stated, paper_dir, answers[target.target_id])
        if target.kind == "scalar" and target.reference.feature is not None:
            own = [
                e
                for name, e in planned.items()
                if columns[name] & columns[target.target_id] or _names_the_same(by_id[name], target)
            ]
            for curve in own:
                evidence = lowered(
                    evidence,
                    curve.classification,
                    f"The curve it is read from, {curve.target_id}, is {curve.classification}.",
                )
            if not any(columns[curve.target_id] & columns[target.target_id] for curve in own):
                evidence = _against_the_figure(
                    evidence, target, outputs, stated, reader, paper_dir, profile, metal
                )
        result.append(evidence)
    return tuple(result)


def _within_words(
    evidence: TargetEvidence, target: Target, stated: Stated, paper_dir: Path, answers: Sequence[Answer]
) -> TargetEvidence:
    bound = stated.bounds.get(target.target_id, Bound())
    evidence = _inside(bound, evidence)
    said = [*bound.refused, *bound.loose]
    if bound.modes_only and not all(answer.column.quantity in _MODES for answer in answers):
        said.append(bound.modes_only)
    if bound.lines_only and not all(answer.column.quantity == "line_width" for answer in answers):
        said.append(bound.lines_only)
    said += [*_other_process(bound, answers), *_beyond(bound, evidence)]
    for low, high in bound.windows:
        if not any(
            _covers(low, high, target, column, paper_dir) for column in _columns(target, stated, paper_dir)
        ):
            said.append(
                f"nothing states the range {low:g} to {high:g} {target.x_unit.removesuffix('1')}".rstrip()
                + " that it is looked for in"
            )
    reference = target.reference
    named = reference.kind == "feature" and reference.file and reference.x_column
    drawn = (
        {reference.x_column or ""}
        if named
        else abscissae(target, stated.data.get(target.figure_id, ()), paper_dir)
    )
    if not fits(found := axis_of(answers), asked := bound.axis or wanted(target, drawn)[0]):
        said.append(
            f"our curve is drawn over {SAID[found]}, and by its words or its data the paper's is drawn over {SAID[asked]}"
        )
    return doubted(evidence, said, "feature", target.reference.quotation)


def _belied(reference: Reference, stated: Stated, paper_dir: Path) -> str:
    """Why the column that a reference is drawn over is not what its name says."""
    path = inside(paper_dir, reference.file) if reference.file and reference.x_column else None
    try:
        return (
            belied(reference.x_column or "", read_table(path)[reference.x_column].to_list(), stated.light)
            if path
            else ""
        )
    except (ValueError, OSError, KeyError):
        return ""  # the reference cannot be had, which is said elsewhere


def _other_process(bound: Bound, answers: Sequence[Answer]) -> list[str]:
    """Where the words say what happens to the light, and what answers measures something else of it."""
    found = {(answer.column.process, answer.column.quantity.replace("_", " ")) for answer in answers}
    return [
        f"the words speak of {bound.process} light, and {measured} light answers ({name})"
        for measured, name in sorted(found)
        if bound.process and measured not in ("", bound.process)
    ]


def _inside(bound: Bound, evidence: TargetEvidence) -> TargetEvidence:
    """What lies far on the right side of a bound refutes nothing, and a bound is no value that it could agree with."""
    ours, theirs = evidence.simulated, evidence.reference
    if (
        evidence.classification != "FAILURE"
        or not bound.limit
        or ours is None
        or theirs is None
        or (ours - theirs) * (1 if bound.limit == "lower" else -1) < 0
    ):
        return evidence
    side = "more" if bound.limit == "lower" else "less"
    reason = f"The paper says only that it is {side} than {theirs:.6g}, and ours is {ours:.6g}: PARTIAL."
    return evidence.model_copy(update={"classification": "PARTIAL", "reasons": (*evidence.reasons, reason)})


def _beyond(bound: Bound, evidence: TargetEvidence) -> list[str]:
    """Where the words make the number a bound, and ours lies on its other side by more than its numerical uncertainty."""
    ours, theirs = evidence.simulated, evidence.reference
    if not bound.limit or ours is None or theirs is None:
        return []
    scale = {
        "relative_percent": abs(theirs) / 100,
        "absolute_percentage_points": 1.0 if evidence.unit == "%" else 0.01,
    }
    over = (theirs - ours) * (1 if bound.limit == "lower" else -1) - (
        evidence.uncertainty or 0.0
    ) * scale.get(evidence.measure, 1.0)
    return (
        [
            f"the paper says that it is {'more' if bound.limit == 'lower' else 'less'} than {theirs:.6g}, and ours is "
            f"{ours:.6g}"
        ]
        if over > 0
        else []
    )


def _names_the_same(curve: Target, target: Target) -> bool:
    one, other = curve.reference, target.reference
    return other.kind == "feature" and (one.file, one.y_column) == (other.file, other.y_column)


def _answers(outputs: StageOutputs, target: Target, reader: Reader) -> list[Answer]:
    """What answers the target at its finest resolution; nothing where it cannot be read."""
    plain = [e for e in outputs.executions if not e.variant]
    finest = max((e.resolution_scale for e in plain), default=0.0)
    try:
        return answers_of([e for e in plain if e.resolution_scale == finest], target, reader)
    except (EvidenceError, ValueError):
        return []


def _columns(target: Target, stated: Stated, paper_dir: Path) -> list[Column]:
    """The columns of the paper's data that the target may have been read from: the one it names, else all of its figure."""
    reference = target.reference
    if reference.kind == "feature" and reference.file and reference.x_column and reference.y_column:
        return [(reference.file, reference.x_column, reference.y_column)]
    out: list[Column] = []
    for name in stated.data.get(target.figure_id, ()):
        path = inside(paper_dir, name)
        try:
            names = [str(column) for column in read_table(path).columns] if path is not None else []
        except (ValueError, OSError):
            continue
        out += [(name, names[0], other) for other in names[1:]]
    return out[:MOST_COLUMNS]


def _covers(low: float, high: float, target: Target, column: Column, paper_dir: Path) -> bool:
    path = inside(paper_dir, column[0])
    if path is None:
        return False
    try:
        x = read_table(path)[column[1]].to_numpy(dtype=float)
        own = unit_of_name(column[1])
        x = convert(x, own, target.x_unit) if own and target.x_unit else x
        first, last = float(np.nanmin(x)), float(np.nanmax(x))
    except (EvidenceError, ValueError, OSError, KeyError):
        return False
    return last > first and min(high, last) - max(low, first) >= WHOLE * (last - first)


def _against_the_figure(
    evidence: TargetEvidence,
    target: Target,
    outputs: StageOutputs,
    stated: Stated,
    reader: Reader,
    paper_dir: Path,
    profile: str,
    metal: bool,
) -> TargetEvidence:
    """The evidence, lowered where the simulated curve agrees with none of the figure's own."""
    if (
        as_feature(target.reference.feature or "maximum_value").curves > 1
        or evidence.classification == "FAILURE"
    ):
        return evidence
    found = {
        column: verdict
        for column in _columns(target, stated, paper_dir)
        if (verdict := _compared(target, column, outputs, reader, paper_dir, profile, metal))
    }
    if not found or "SUCCESS" in found.values():
        return evidence
    best: Classification = "PARTIAL" if "PARTIAL" in found.values() else "FAILURE"
    if target.reference.kind != "feature":  # which of the figure's columns is meant is a guess
        best = "PARTIAL"
    names = ", ".join(f"{name} of {file}" for file, _, name in list(found)[:4])
    return lowered(
        evidence,
        best,
        f"The simulated curve it is read from does not agree with the figure's data ({names}), "
        f"though no target of the plan compares them: {'no agreement' if best == 'FAILURE' else 'at most PARTIAL'}.",
    )


def _compared(
    target: Target,
    column: Column,
    outputs: StageOutputs,
    reader: Reader,
    paper_dir: Path,
    profile: str,
    metal: bool,
) -> Classification | None:
    """How the simulated curve compares with a column of the paper's where both are; None where they measure other things."""
    file, x_name, y_name = column
    answers, made_of = _answers(outputs, target, reader), target.reference.made_of
    whole = target.model_copy(
        update={
            "kind": "curve",
            "quantity": "curve",
            "x_range": None,
            "x_unit": unit_of_name(x_name) or target.x_unit,
            "unit": "1" if made_of == "ratio" else answers[0].column.unit if answers else target.unit,
            "reference": Reference(kind="data", file=file, x_column=x_name, y_column=y_name, made_of=made_of),
        }
    )
    try:
        values = rungs(outputs, whole, reader)[0]
        reference = resolve(whole, paper_dir)
    except (EvidenceError, ValueError):  # other units, no numbers
        return None
    last = values[-1].value
    if not isinstance(last, Curve) or not isinstance(reference.value, Curve):
        return None
    low, high = max(last.x[0], reference.value.x[0]), min(last.x[-1], reference.value.x[-1])
    if high - low < MIN_WINDOW * (reference.value.x[-1] - reference.value.x[0]):
        return None
    whole = whole.model_copy(update={"x_range": (float(low), float(high))})
    judged, _ = judge(
        whole,
        outputs.stage_id,
        [(rung.scale, rung.value) for rung in values],
        reference,
        limits_for(whole, profile, reference, metal),
        ran=True,
        used_meep=True,
        physical=True,
        limit=limit_of(outputs, target, values),
    )
    return "SUCCESS" if judged.matches else judged.classification
