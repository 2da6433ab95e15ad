"""The simulated side of a target: its values at every resolution scale, from the files of the stage's
executions.

A curve comes from one spectrum or band dataset, from spectra of several executions that follow each other
without overlap, or from one scalar of every sweep point, in order of the sweep value. A scalar comes from one
row of exactly one execution; where the target names a feature (position of a maximum, band gap, ...), it is
computed here from the simulated curve, in the same way as from the paper's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from schemas.reproduce.planning.plan import Target
from schemas.reproduce.simulations.axes import fits, wanted
from schemas.reproduce.simulations.execution import Execution, StageOutputs
from schemas.reproduce.simulations.features import as_feature
from tasks.reproduce.curves.curve import Curve
from tasks.reproduce.curves.maps import Map
from tasks.reproduce.evidence.both_maps import in_units, map_of_array, map_of_curves
from tasks.reproduce.evidence.kept_files import Reader
from tasks.reproduce.evidence.not_computed import EvidenceError, OtherCurve, unanswered
from tasks.reproduce.evidence.rung import Rung, Value
from tasks.reproduce.evidence.sweep_points import Answer, own_columns, sweep_of, unit_in, varying_in
from tasks.reproduce.evidence.target_feature import Columns, feature_of
from tasks.reproduce.evidence.units import convert
from tasks.reproduce.measuring.splines import cubic

LEAST_SHARED = 3  # places that both curves of a difference or ratio cover


def rungs(outputs: StageOutputs, target: Target, reader: Reader) -> tuple[tuple[Rung, ...], tuple[str, ...]]:
    """Values by ascending resolution scale, and a remark for each coarser scale that gave none.

    Raises:
        OtherCurve: the finest scale's curve lacks the feature; its `rung` is that scale's, where the scale before lacks it too.
        EvidenceError: the finest scale gives no value (missing, several answers, unit, NaN, shape).
    """
    if not outputs.executions:
        raise EvidenceError("nothing was run", found="no execution of the stage", fix="run the stage")
    found: list[Rung] = []
    remarks: list[str] = []
    lacking: list[Rung | None] = []
    ladder = _ladder(outputs, target, reader)
    scales = [scale for scale, _ in ladder]
    for scale, executions in ladder:
        try:
            found.append(rung_of(scale, executions, target, reader))
            lacking.append(None)
        except (EvidenceError, ValueError) as error:
            text = " ".join(str(error).split())
            lacking.append(
                _lacking(scale, executions, target, reader) if isinstance(error, OtherCurve) else None
            )
            if scale == scales[-1]:
                if isinstance(error, OtherCurve) and len(lacking) > 1 and lacking[-2]:
                    error.rung = lacking[-1]
                raise error if isinstance(error, EvidenceError) else EvidenceError(text) from error
            remarks.append(f"scale {scale:g} gives no value: {text}")
    return tuple(found), tuple(remarks)


def _ladder(outputs: StageOutputs, target: Target, reader: Reader) -> list[tuple[float, Sequence[Execution]]]:
    """(scale, executions) by ascending scale. Described scenes have ladders of their own: the finest rungs of all of them that
    answer the target stand together, then the next finer ones, at the finest of their scales."""
    plain = [execution for execution in outputs.executions if not execution.variant]
    scales = sorted({execution.resolution_scale for execution in plain})
    if not all(execution.described for execution in plain):
        return [(scale, [e for e in plain if e.resolution_scale == scale]) for scale in scales]
    own: dict[str, list[Execution]] = {}
    for execution in sorted(plain, key=lambda e: -e.resolution_scale):
        for dataset in execution.datasets:
            if any(entry.target == target.target_id for entry in dataset.targets):
                own.setdefault(dataset.dataset_id, []).append(execution)
    if not own or any(rungs[0].resolution_scale < scales[-1] for rungs in own.values()):
        return [(scales[-1], [e for e in plain if e.resolution_scale == scales[-1]])]
    together = _on_shared_grids(*own.values()) if target.reference.made_of and len(own) == 2 else []
    ranks = [
        {e.execution_id: e for e in rank}.values() for rank in together or zip(*own.values(), strict=False)
    ]
    return [(max(e.resolution_scale for e in rank), list(rank)) for rank in reversed(ranks)]


def _on_shared_grids(
    one: Sequence[Execution], other: Sequence[Execution]
) -> list[tuple[Execution, Execution]]:
    """Both of two ladders, finest first, on the grids that both have, where one has no finer grid than the last of these: on two
    grids the difference of near numbers is the grids'. [] where they share none, or each has a finer one of its own."""
    there = {round(_grid(execution), 6): execution for execution in other}
    both = [(a, there[grid]) for a in one if (grid := round(_grid(a), 6)) in there]
    if len({_grid(a) for a, _ in both}) < len(both):
        return []  # no ladders
    return both if both and (both[0][0] is one[0] or both[0][1] is other[0]) else []


def _grid(execution: Execution) -> float:
    """Pixels per unit length of its finest run; 0 where it says none."""
    return max((run.resolution for run in execution.meep_runs), default=0.0)


def _lacking(scale: float, executions: Sequence[Execution], target: Target, reader: Reader) -> Rung:
    """A rung whose curve lacks the target's feature: where it came from, and no value."""
    answers = answers_of(executions, target, reader)
    last = answers[-1]
    return Rung(scale, math.nan, tuple(a.execution for a in answers), last.dataset, last.column.name)


def rung_of(scale: float, executions: Sequence[Execution], target: Target, reader: Reader) -> Rung:
    answers = answers_of(executions, target, reader)
    if not answers:
        raise unanswered(executions, target, f" at resolution scale {scale:g}")
    for answer in answers:
        if answer.column.name not in answer.table.columns:
            raise EvidenceError(
                "the column that answers the target is not in the file",
                found=answer.column.name,
                allowed=", ".join(answer.table.columns),
            )
        bad = int(np.count_nonzero(~np.isfinite(answer.table.columns[answer.column.name])))
        if bad:
            raise EvidenceError(
                f"{bad} of {answer.table.rows} values are NaN or infinite",
                found=f"{answer.dataset.file.path}, column {answer.column.name}",
                fix="find the cause (field growth, division by a zero reference); never replace a NaN",
            )
    _on_the_papers_axis(answers, target)
    value: Value
    sampling: float | None = 0.0
    width, edge, own = None, "", None
    if target.kind == "curve" and target.reference.made_of:
        (made,) = _made(answers, target)
        assert made.x_unit is not None and made.y_unit is not None
        value = Curve.of(
            convert(made.x, made.x_unit, target.x_unit or made.x_unit),
            convert(made.y, made.y_unit, target.unit),
        )
    elif target.kind == "curve":
        value = joined_curve(answers, target.x_unit, target.unit)
    elif target.kind == "map":
        value = saved_map(answers, target)
    elif _measured_on_ajoined_curve(answers, target):
        curves = _curves(answers, target)
        own = Curve.of(curves[0].x, curves[0].y) if len(curves) == 1 else None
        found = feature_of(target, curves, simulated=True)
        value, sampling, width, edge = found.value, found.sampling, found.width, found.edge
    else:
        value = _scalar(answers, target)
    last = answers[-1]
    return Rung(
        scale,
        value,
        tuple(a.execution for a in answers),
        last.dataset,
        last.column.name,
        sampling,
        width,
        edge,
        own,
    )


def axis_of(answers: Sequence[Answer]) -> str:
    """What the abscissa of a target's curve measures; '' for a number, or where trusted code did not write it."""
    return next(
        (
            answer.dataset.columns[0].axis
            for answer in answers
            if answer.table.rows > 1 and answer.dataset.columns
        ),
        "",
    )


def _on_the_papers_axis(answers: Sequence[Answer], target: Target) -> None:
    """Raises EvidenceError where a curve runs along something else than the paper says of its own."""
    found, (asked, sure) = axis_of(answers), wanted(target)
    if target.kind == "map":  # an axis may be either of both
        found = next(
            (column.axis for column in answers[0].dataset.columns[:2] if fits(column.axis, asked)), found
        )
    if sure and not fits(found, asked):
        raise EvidenceError(
            f"the curve that answers target {target.target_id!r} runs along another axis than the paper's",
            found=f"a {found} axis, {answers[0].dataset.columns[0].name}",
            allowed=f"a {asked} axis",
            fix="measure it over what the paper draws it over",
        )


def answers_of(executions: Sequence[Execution], target: Target, reader: Reader) -> list[Answer]:
    """The columns that the manifests name as answers to a target, read again from their verified files, described ones in the
    order of their description."""
    answers: list[tuple[int, Answer]] = []
    for execution in executions:
        for dataset in execution.datasets:
            for entry in dataset.targets:
                if entry.target != target.target_id:
                    continue
                column = next((c for c in dataset.columns if c.name == entry.column), None)
                if column is None:
                    raise EvidenceError(
                        f"dataset {dataset.dataset_id!r} has no column {entry.column!r}",
                        allowed=", ".join(c.name for c in dataset.columns),
                    )
                answers.append((entry.place, Answer(execution, dataset, column, reader.read(dataset))))
    return [answer for _, answer in sorted(answers, key=lambda pair: pair[0])]


def _made(answers: Sequence[Answer], target: Target) -> list[Columns]:
    """The difference or ratio of the two curves that answer a target, at the places of the first that the second covers."""
    first, second = _both(answers, target)
    (x, y), (other_x, other_y) = (own_columns(answer) for answer in (first, second))
    x_unit, unit = first.dataset.columns[0].unit, first.column.unit
    other = Curve.of(
        convert(other_x, second.dataset.columns[0].unit, x_unit or second.dataset.columns[0].unit),
        convert(other_y, second.column.unit, unit),
    )
    inside = (x >= other.x[0]) & (x <= other.x[-1])
    if np.count_nonzero(inside) < LEAST_SHARED:
        raise EvidenceError(
            f"the curves whose {target.reference.made_of} answers target {target.target_id!r} hardly overlap",
            found=f"{x.min():g} to {x.max():g} and {other.x[0]:g} to {other.x[-1]:g}",
            fix="simulate both over the same range",
        )
    x, y = x[inside], y[inside]
    beside = cubic(other.x, other.y)(x) if other.x.size > 3 else np.interp(x, other.x, other.y)
    made, own = _of_two(y, beside, unit, target)
    return [Columns(x, made, x_unit, own)]


def _of_two(
    one: NDArray[np.float64], other: NDArray[np.float64], unit: str, target: Target
) -> tuple[NDArray[np.float64], str]:
    if target.reference.made_of == "difference":
        return one - other, unit
    if not np.all(other):
        raise EvidenceError(f"the ratio that answers target {target.target_id!r} is over a zero")
    return one / other, "1"


def _both(answers: Sequence[Answer], target: Target) -> tuple[Answer, Answer]:
    if len(answers) != 2:
        raise EvidenceError(
            f"target {target.target_id!r} is the {target.reference.made_of} of two results",
            found=f"{len(answers)} of them",
            allowed="two, the first one first",
            fix="let two quantities answer it",
        )
    return answers[0], answers[1]


def _scalar(answers: Sequence[Answer], target: Target) -> float:
    if target.reference.made_of:
        pair = _both(answers, target)
        unit = target.unit if target.reference.made_of == "difference" else pair[0].column.unit
        one, other = (np.array([_number(answer, target, unit)]) for answer in pair)
        made, own = _of_two(one, other, unit, target)
        value = float(convert(made, own, target.unit)[0])
        return abs(value) if target.size_alone else value
    if len(answers) > 1:
        raise EvidenceError(
            f"several datasets answer the scalar target {target.target_id!r}",
            found=", ".join(f"{a.dataset.dataset_id} of {a.execution.execution_id[:12]}" for a in answers),
            allowed="exactly one execution and one column",
            fix="name the target at the one sweep point it belongs to",
        )
    return _number(answers[0], target, target.unit)


def _number(answer: Answer, target: Target, unit: str) -> float:
    if answer.table.rows != 1:
        raise EvidenceError(
            f"the scalar target {target.target_id!r} is answered by a column of several rows",
            found=f"{answer.table.rows} rows in {answer.dataset.dataset_id}",
            allowed="one row",
            fix="save the number with run.scalar",
        )
    return float(convert(answer.table.columns[answer.column.name], answer.column.unit, unit)[0])


def _measured_on_ajoined_curve(answers: Sequence[Answer], target: Target) -> bool:
    """Whether the target names a feature that code takes from saved curves.

    The four old names also accept the number itself, saved as one row: transcripts recorded before rest on it.
    """
    feature = target.reference.feature
    alone = len(answers) == 1 and answers[0].table.rows == 1
    return feature is not None and not (alone and isinstance(feature, str))


def _curves(answers: Sequence[Answer], target: Target) -> list[Columns]:
    """The curves a feature is measured on: one column each, or one curve joined from spectra or sweep points."""
    assert target.reference.feature is not None
    if target.reference.made_of:
        return _made(answers, target)
    if as_feature(target.reference.feature).curves == 1 and len(answers) > 1:
        unit = (
            sweep_of(answers)[1]
            if all(a.table.rows == 1 for a in answers)
            else answers[0].dataset.columns[0].unit
        )
        joined = joined_curve(answers, unit or target.x_unit, answers[0].column.unit)
        return [Columns(joined.x, joined.y, unit or target.x_unit, answers[0].column.unit)]
    return [
        Columns(*own_columns(answer), answer.dataset.columns[0].unit, answer.column.unit)
        for answer in answers
    ]


def joined_curve(answers: Sequence[Answer], x_unit: str, y_unit: str) -> Curve:
    """One curve in the given units ('' keeps the abscissa's own), from one dataset, several, or the sweep points."""
    if all(answer.table.rows == 1 for answer in answers) and answers[0].execution.point:
        x, own = sweep_of(answers)
        y = np.concatenate([convert(a.table.columns[a.column.name], a.column.unit, y_unit) for a in answers])
        return Curve.of(convert(x, own or x_unit, x_unit or own or "1"), y)
    parts = []
    for answer in answers:
        x, y = own_columns(answer)
        own = answer.dataset.columns[0].unit
        parts.append(Curve.of(convert(x, own, x_unit or own), convert(y, answer.column.unit, y_unit)))
    parts.sort(key=lambda part: float(part.x[0]))
    for left, right in pairwise(parts):
        if right.x[0] < left.x[-1]:
            raise EvidenceError(
                "several overlapping datasets answer one curve",
                found=f"{left.x[0]:g} to {left.x[-1]:g} and {right.x[0]:g} to {right.x[-1]:g}",
                allowed="one dataset, or parts that follow each other",
                fix="name the target in one dataset only",
            )
    return Curve.of(np.concatenate([p.x for p in parts]), np.concatenate([p.y for p in parts]))


def saved_map(answers: Sequence[Answer], target: Target) -> Map:
    """A map from one dataset, from the curves of a sweep over the second axis, or from one number for each sweep point.

    Where the axes only fit the target's units, or its ranges, the other way round, they are exchanged.
    """
    columns = answers[0].dataset.columns
    units: list[str | None]
    if len(answers) == 1:
        found = map_of_array(
            dict(answers[0].table.columns), [c.name for c in columns], answers[0].column.name
        )
        units = [columns[0].unit, columns[1].unit, answers[0].column.unit]
    elif all(answer.table.rows == 1 for answer in answers):
        points, varying = varying_in(answers, 2)
        values = np.concatenate([answer.table.columns[answer.column.name] for answer in answers])
        found = Map.of_points(points[varying[0]].to_numpy(), points[varying[1]].to_numpy(), values)
        units = [unit_in(answers, name) for name in varying] + [answers[0].column.unit]
    else:
        y, y_unit = sweep_of(answers)
        own = [own_columns(answer) for answer in answers]
        found = map_of_curves([x for x, _ in own], list(y), [values for _, values in own])
        units = [columns[0].unit, y_unit, answers[0].column.unit]
    wanted = (target.x_unit, target.y_unit, target.unit)
    turned = found.transposed(), [units[1], units[0], units[2]]
    try:
        made = in_units(found, units, wanted)
    except EvidenceError:
        return in_units(*turned, wanted)
    if _misses(made, target):  # both axes of one kind, such as wavelength and thickness
        try:
            other = in_units(*turned, wanted)
        except EvidenceError:
            return made
        return made if _misses(other, target) else other
    return made


def _misses(found: Map, target: Target) -> bool:
    """Whether an axis lies beside the range that is compared; its own range must be stated."""
    return any(
        limits and (axis[-1] < min(limits) or axis[0] > max(limits))
        for axis, limits in ((found.x, target.x_range or ()), (found.y, target.y_range))
    )
