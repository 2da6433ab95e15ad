"""The simulated side of a target: its values at every resolution scale, from the files of the stage's
executions.

A curve comes from one spectrum or band dataset, from spectra of several executions that follow each other
without overlap, or from one scalar of every sweep point, in order of the sweep value. A scalar comes from one
row of exactly one execution; where the target names a feature (minimum_position, ...), it is computed here
from the simulated curve, in the same way as from the paper's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from schemas.execution import Column, Dataset, Execution, StageOutputs
from schemas.plan import Target
from tasks.curves.curve import Curve
from tasks.evidence.errors import EvidenceError
from tasks.evidence.features import curve_feature
from tasks.evidence.files import Reader, Table
from tasks.evidence.units import convert, unit_of_name

Value = float | Curve


@dataclass(frozen=True)
class Rung:
    """The target's value at one resolution scale, in the target's units, and where it came from."""

    scale: float
    value: Value
    executions: tuple[Execution, ...]
    dataset: Dataset
    column: str
    wavelength_um: float | None = None

    @property
    def ran(self) -> bool:
        """Whether every execution behind it ended well and said so."""
        return all(e.exit_code == 0 and e.complete and e.failure is None for e in self.executions)

    @property
    def used_meep(self) -> bool:
        """Whether every execution behind it ran Meep (time steps, or an MPB eigensolver)."""
        return all(uses_meep(execution) for execution in self.executions)


@dataclass(frozen=True)
class _Answer:
    execution: Execution
    dataset: Dataset
    column: Column
    table: Table


def uses_meep(execution: Execution) -> bool:
    """Whether Meep stepped fields or MPB solved for modes in this execution."""
    return any(
        run.time_steps > 0 or (run.pixels > 0 and "eigensolver" in run.stop_criterion)
        for run in execution.meep_runs
    )


def rungs(outputs: StageOutputs, target: Target, reader: Reader) -> tuple[tuple[Rung, ...], tuple[str, ...]]:
    """Values by ascending resolution scale, and a remark for each coarser scale that gave none.

    Raises:
        EvidenceError: the finest scale gives no value (missing, several answers, unit, NaN, shape).
    """
    if not outputs.executions:
        raise EvidenceError("nothing was run", found="no execution of the stage", fix="run the stage")
    found: list[Rung] = []
    remarks: list[str] = []
    scales = sorted({execution.resolution_scale for execution in outputs.executions})
    for scale in scales:
        executions = [e for e in outputs.executions if e.resolution_scale == scale]
        try:
            found.append(_rung(scale, executions, target, reader))
        except (EvidenceError, ValueError) as error:
            text = " ".join(str(error).split())
            if scale == scales[-1]:
                raise error if isinstance(error, EvidenceError) else EvidenceError(text) from error
            remarks.append(f"scale {scale:g} gives no value: {text}")
    return tuple(found), tuple(remarks)


def _rung(scale: float, executions: Sequence[Execution], target: Target, reader: Reader) -> Rung:
    answers = _answers(executions, target, reader)
    if not answers:
        raise EvidenceError(
            f"no dataset answers target {target.target_id!r} at resolution scale {scale:g}",
            found=", ".join(d.dataset_id for e in executions for d in e.datasets) or "no dataset at all",
            allowed=f'a dataset whose targets name "{target.target_id}"',
            fix=f'save the column with targets={{column: "{target.target_id}"}}',
        )
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
    value = _curve(answers, target) if target.kind == "curve" else _scalar(answers, target)
    last = answers[-1]
    return Rung(
        scale,
        value,
        tuple(a.execution for a in answers),
        last.dataset,
        last.column.name,
        _wavelength_um(last) if len(answers) == 1 else None,
    )


def _answers(executions: Sequence[Execution], target: Target, reader: Reader) -> list[_Answer]:
    answers = []
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
                answers.append(_Answer(execution, dataset, column, reader.read(dataset)))
    return answers


def _scalar(answers: Sequence[_Answer], target: Target) -> float:
    if len(answers) > 1:
        raise EvidenceError(
            f"several datasets answer the scalar target {target.target_id!r}",
            found=", ".join(f"{a.dataset.dataset_id} of {a.execution.execution_id[:12]}" for a in answers),
            allowed="exactly one execution and one column",
            fix="name the target at the one sweep point it belongs to",
        )
    answer = answers[0]
    feature = target.reference.feature
    if answer.table.rows > 1 and feature is not None:
        curve = Curve.of(*_own_columns(answer))
        if target.x_range is not None and target.x_unit:
            low, high = sorted(convert(target.x_range, target.x_unit, answer.dataset.columns[0].unit))
            part = curve.within(float(low), float(high))
            if part is None:
                raise EvidenceError(
                    "the simulated curve does not reach the range of the target",
                    found=f"{curve.x[0]:g} to {curve.x[-1]:g}",
                    allowed=f"{low:g} to {high:g}",
                )
            curve = part
        unit = answer.dataset.columns[0].unit if feature.endswith("position") else answer.column.unit
        return float(convert(curve_feature(curve, feature), unit, target.unit))
    if answer.table.rows != 1:
        raise EvidenceError(
            f"the scalar target {target.target_id!r} is answered by a column of several rows",
            found=f"{answer.table.rows} rows in {answer.dataset.dataset_id}",
            allowed="one row",
            fix="save the number with run.scalar",
        )
    return float(convert(answer.table.columns[answer.column.name], answer.column.unit, target.unit)[0])


def _curve(answers: Sequence[_Answer], target: Target) -> Curve:
    if all(answer.table.rows == 1 for answer in answers) and answers[0].execution.point:
        x, x_unit = _sweep(answers)
        y = np.concatenate(
            [convert(a.table.columns[a.column.name], a.column.unit, target.unit) for a in answers]
        )
        return Curve.of(convert(x, x_unit or target.x_unit, target.x_unit), y)
    parts = []
    for answer in answers:
        x, y = _own_columns(answer)
        parts.append(
            Curve.of(
                convert(x, answer.dataset.columns[0].unit, target.x_unit or answer.dataset.columns[0].unit),
                convert(y, answer.column.unit, target.unit),
            )
        )
    parts.sort(key=lambda part: float(part.x[0]))
    for left, right in pairwise(parts):
        if right.x[0] < left.x[-1]:
            raise EvidenceError(
                f"several overlapping datasets answer the curve {target.target_id!r}",
                found=f"{left.x[0]:g} to {left.x[-1]:g} and {right.x[0]:g} to {right.x[-1]:g}",
                allowed="one dataset, or parts that follow each other",
                fix="name the target in one dataset only",
            )
    return Curve.of(np.concatenate([p.x for p in parts]), np.concatenate([p.y for p in parts]))


def _own_columns(answer: _Answer) -> tuple[np.ndarray, np.ndarray]:
    first = answer.dataset.columns[0].name
    if first == answer.column.name:
        raise EvidenceError(
            f"dataset {answer.dataset.dataset_id!r} names its abscissa as the answer",
            found=first,
            allowed="a column other than the first",
        )
    return answer.table.columns[first], answer.table.columns[answer.column.name]


def _sweep(answers: Sequence[_Answer]) -> tuple[np.ndarray, str | None]:
    points = [dict(answer.execution.point) for answer in answers]
    names = sorted({name for point in points for name in point})
    varying = [name for name in names if len({point.get(name) for point in points}) > 1]
    if len(varying) != 1 or len({point.get(varying[0]) for point in points}) != len(points):
        raise EvidenceError(
            "the sweep points do not form one curve",
            found=f"varying: {', '.join(varying) or 'none'}",
            allowed="one varying name, each value once",
            fix="one target for each curve of a sweep",
        )
    name = varying[0]
    unit = next((c.unit for c in answers[0].dataset.columns if c.name == name), None) or unit_of_name(name)
    return np.array([point[name] for point in points], dtype=float), unit


def _wavelength_um(answer: _Answer) -> float | None:
    for column in answer.dataset.columns:
        if column.quantity.lower() in ("wavelength", "frequency") and column.name != answer.column.name:
            try:
                return float(convert(answer.table.columns[column.name], column.unit, "um")[0])
            except (EvidenceError, KeyError, IndexError):
                return None
    return None
