"""Every number of a finished reproduction, each with its stated uncertainty, from its state and the files it wrote."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from schemas.base import FileRef, file_sha256
from schemas.errors import InputError
from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.judging.regression import Quantity
from schemas.reproduce.materials.prepared_material import MaterialRecord
from schemas.reproduce.simulations.execution import StageOutputs
from schemas.reproduce.simulations.numerics import QuantityResult, StudyResult
from schemas.reproduce.state import ReproState

_SAMPLES = 9  # places of a curve that are kept; its mean square tells of all others
_PERCENT = {"relative_percent": "%", "absolute_percentage_points": "pp"}


def quantities(
    state: ReproState, verdict: str, studies: Mapping[str, StudyResult], run_dir: Path
) -> tuple[Quantity, ...]:
    """All numbers and words of a run. studies: by stage.

    Raises InputError where a curve's file is gone or not as it was written.
    """
    found = [Quantity(kind="verdict", of="run", name="verdict", word=verdict)]
    found += [
        Quantity(kind="stage", of=entry.stage_id, name="status", word=entry.status)
        for entry in state.progress
    ]
    for record in state.materials:
        found += _material(record)
    for comparison in state.figure_comparisons:
        found += _target(comparison.evidence, str(comparison.classification))
    found += [
        Quantity(kind="target", of=entry.target_id, name="looks", word=str(entry.classification))
        for entry in state.visual_comparisons
    ]
    for stage_id, study in studies.items():
        for result in study.quantities:
            found += _studied(stage_id, result, run_dir / stage_id / "study")
    return _distinct(found)


def _distinct(found: list[Quantity]) -> tuple[Quantity, ...]:
    """Each under a key of its own: none may hide behind another."""
    times: Counter[str] = Counter()
    distinct = []
    for entry in found:
        times[entry.key] += 1
        again = times[entry.key]
        distinct.append(entry.model_copy(update={"name": f"{entry.name} ({again})"}) if again > 1 else entry)
    return tuple(distinct)


def studies_of(outputs: Mapping[str, StageOutputs]) -> dict[str, StudyResult]:
    """The study of each described stage."""
    return {name: found.study for name, found in outputs.items() if found.study is not None}


def _numbers(kind: str, of: str, *entries: tuple[str, float | None, float | None, str]) -> Iterator[Quantity]:
    for name, value, uncertainty, unit in entries:
        if value is not None and math.isfinite(value):
            known = uncertainty if uncertainty is not None and math.isfinite(uncertainty) else None
            yield Quantity(kind=kind, of=of, name=name, value=value, uncertainty=known, unit=unit)
        elif value is not None:
            yield Quantity(kind=kind, of=of, name=name, word=str(value))


def _material(record: MaterialRecord) -> list[Quantity]:
    def of(name: str, part: MaterialRecord) -> Iterator[Quantity]:
        poles = [number for pole in part.poles for number in (pole.f0, pole.gamma, pole.sigma)]
        yield from _numbers(
            "material",
            name,
            ("fit error, rms", part.rms_relative_error, None, "1"),
            ("fit error, largest", part.max_relative_error, None, "1"),
            ("index", part.index, None, "1"),
            ("eps_inf", part.eps_inf, None, "1"),
            *(
                (f"pole {n // 3 + 1} {'f0 gamma sigma'.split()[n % 3]}", number, None, "1")
                for n, number in enumerate(poles)
            ),
            *((f"chi2 {n}", number, None, "um/V") for n, number in enumerate(part.chi2)),
            *((f"chi3 {n}", number, None, "um2/V2") for n, number in enumerate(part.chi3)),
            ("stable from", part.min_stable_resolution, None, "px/um"),
        )
        for axis, inner in zip("xyz", part.axes, strict=False):
            yield from of(f"{name}.{axis}", inner)

    found = [
        Quantity(kind="material", of=record.name, name="what it is", word=record.words()),
        *of(record.name, record),
    ]
    if record.check is not None:
        found.append(Quantity(kind="material", of=record.name, name="check", word=record.check.status))
        found += _numbers(
            "material",
            record.name,
            ("bare surface, difference", record.check.difference, record.check.grid_part, "1"),
            ("bare surface, fit", record.check.fit_part, None, "1"),
            ("bare surface, grid", record.check.grid_part, None, "1"),
        )
    return found


def _target(e: TargetEvidence, classification: str) -> list[Quantity]:
    unit = _PERCENT.get(e.measure, e.unit)
    own = e.uncertainty
    if own is not None and e.measure == "relative_percent" and e.simulated is not None:
        own = own / 100 * abs(e.simulated if e.reference is None else e.reference)
    findings = {
        "ran": e.ran,
        "computed": e.computed,
        "converged": e.converged,
        "physical": e.physical,
        "matches": e.matches,
    }
    found = [
        Quantity(kind="target", of=e.target_id, name="class", word=classification),
        Quantity(
            kind="target",
            of=e.target_id,
            name="findings",
            word=", ".join(name for name, holds in findings.items() if holds) or "none",
        ),
    ]
    found += _numbers(
        "target",
        e.target_id,
        ("value", e.simulated, own, e.unit),
        ("error", e.error, e.uncertainty, unit),
        ("paper's value", e.reference, None, e.unit),
        ("paper's upper value", e.reference_upper, None, e.unit),
        ("uncertainty", e.uncertainty, None, unit),
        ("acceptable", e.acceptable, None, unit),
        ("normalised RMS", e.nrms_percent, e.uncertainty, "%"),
        ("after best shift", e.nrms_aligned_percent, e.uncertainty, "%"),
        ("correlation", e.pearson, None, "1"),
        ("best shift", e.shift, None, ""),
        ("factor", e.scale, None, "1"),
        ("overlap", e.overlap, None, "1"),
    )
    for number, feature in enumerate(e.features, 1):
        found += _numbers(
            "target",
            e.target_id,
            (f"{feature.kind} {number}, position", feature.x_simulated, None, ""),
            (f"{feature.kind} {number}, width ratio", feature.fwhm_ratio, None, "1"),
            (f"{feature.kind} {number}, height off", feature.height_difference, None, ""),
        )
    return found


def _studied(stage_id: str, result: QuantityResult, folder: Path) -> list[Quantity]:
    of = f"{stage_id}/{result.id}"
    found = [
        Quantity(kind="study", of=of, name="status", word=result.status),
        Quantity(kind="study", of=of, name="from fields", word=str(result.from_fields).lower()),
    ]
    found += _numbers(
        "study",
        of,
        ("value", result.value, result.uncertainty, ""),
        ("uncertainty", result.uncertainty, None, ""),
        ("finest resolution", result.rungs[-1].resolution if result.rungs else None, None, "px/um"),
        *((f"part {part.part}", part.value, None, "") for part in result.parts),
        *((f"sensitivity to {entry.parameter}", entry.relative, None, "1") for entry in result.sensitivities),
    )
    if result.oracle is not None:
        found += _numbers(
            "study",
            of,
            ("off theory", result.oracle.difference, result.uncertainty, ""),
            ("theory", result.oracle.value, None, ""),
        )
        found.append(
            Quantity(kind="study", of=of, name="theory within", word=str(result.oracle.within).lower())
        )
    if result.curve is not None:
        found += _curve(of, result.curve, folder)
    return found


def _curve(of: str, reference: FileRef, folder: Path) -> Iterator[Quantity]:
    """Number of points, root mean square, and places spread evenly, each with the uncertainty of its point."""
    path = folder / reference.path
    if not path.is_file() or file_sha256(path) != reference.sha256:
        raise InputError(
            f"the curve of {of} is not as it was written",
            found=str(path),
            allowed=f"the file with sha256 {reference.sha256[:12]}...",
            fix="run it again",
        )
    with path.open(encoding="utf-8", newline="") as stream:
        rows = [[float(cell) for cell in row] for row in list(csv.reader(stream))[1:] if row]
    yield Quantity(kind="study", of=of, name="points", word=str(len(rows)))
    if not rows:
        return
    doubts = [row[2] for row in rows if len(row) > 2 and math.isfinite(row[2])]
    mean_square = sum(row[1] ** 2 for row in rows) / len(rows)
    yield from _numbers(
        "study", of, ("curve, root mean square", math.sqrt(mean_square), max(doubts, default=None), "")
    )
    for place in sorted({round(step * (len(rows) - 1) / (_SAMPLES - 1)) for step in range(_SAMPLES)}):
        x, y, *doubt = rows[place]
        yield from _numbers(
            "study",
            of,
            (f"curve, x of point {place + 1}", x, None, ""),
            (f"curve, point {place + 1}", y, doubt[0] if doubt else None, ""),
        )
