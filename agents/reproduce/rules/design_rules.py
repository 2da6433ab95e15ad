"""What code can check of a design before any code is written: outputs, rungs, materials, resolution, cost."""

from __future__ import annotations

import math
import re
from itertools import pairwise

from schemas.reproduce.materials.prepared_material import MaterialRecord
from schemas.reproduce.planning.plan import Stage
from schemas.reproduce.simulations.design import Design
from schemas.talking.review import Issue

# Below ten pixels per wavelength in the densest medium FDTD's phase error exceeds about 1 % (Taflove, ch. 4).
MIN_PIXELS_PER_WAVELENGTH = 10
_FREE = frozenset({"air", "vacuum"})
_UNIT_UM = {
    "um": 1.0,
    "\u00b5m": 1.0,
    "\u03bcm": 1.0,
    "micrometer": 1.0,
    "micron": 1.0,
    "nm": 1e-3,
    "mm": 1e3,
}
_LENGTH = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?)\s*)?(?P<unit>um|\u00b5m|\u03bcm|micrometer|micron|nm|mm)\b"
)
# Cost grows with the pixels and, at a fixed Courant factor, once more with the time steps.
_COST_POWER = {"1D": 2, "2D": 3, "cylindrical": 3, "3D": 4, "bands": 2}


def rule(design: Design, stage: Stage, materials: tuple[MaterialRecord, ...]) -> tuple[Issue, ...]:
    """Everything code finds wrong with a design in words, each with its fix; a description is checked by running it."""
    if design.described:
        return ()
    return tuple(
        _output_issues(design, stage)
        + _rung_issues(design)
        + _material_issues(design, materials)
        + _resolution_issues(design, materials)
        + _cost_issues(design, stage)
    )


def length_unit_um(text: str) -> float | None:
    """One Meep length unit in um, or None for a unit that is no length (such as the lattice constant a)."""
    match = _LENGTH.match(text)
    return float(match["number"] or 1) * _UNIT_UM[match["unit"]] if match else None


def total_cpu_s(design: Design) -> float:
    """CPU seconds of all rungs and sweep points, scaled from the estimate for the finest run."""
    finest = max(design.convergence_scales)
    power = _COST_POWER[design.dimensions or "3D"]
    runs = sum((scale / finest) ** power for scale in design.convergence_scales if scale > 0)
    return design.estimated_cpu_s * runs * max(1, len(design.sweep_points))


def _output_issues(design: Design, stage: Stage) -> list[Issue]:
    issues: list[Issue] = []
    if design.stage_id != stage.stage_id:
        issues.append(
            _blocking(
                "stage_id",
                f"the design is for {design.stage_id!r}, the stage is {stage.stage_id!r}",
                f"set stage_id to {stage.stage_id!r}",
            )
        )
    wanted = [target.target_id for target in stage.targets]
    answered = {name for output in design.outputs for name in output.targets}
    issues += [
        _blocking("outputs", f"no output answers target {name!r}", "name it in the targets of an output")
        for name in wanted
        if name not in answered
    ]
    issues += [
        _blocking("outputs", f"{name!r} is no target of the stage", f"use {', '.join(wanted)}")
        for name in sorted(answered - set(wanted))
    ]
    ids = [output.dataset_id for output in design.outputs]
    issues += [
        _blocking("outputs", f"dataset_id {name!r} is used twice", "give each dataset its own id")
        for name in sorted({name for name in ids if ids.count(name) > 1})
    ]
    issues += [
        _blocking(
            f"output {output.dataset_id}",
            "a spectrum or band set needs an abscissa and a value column",
            "list at least two columns, the abscissa first",
        )
        for output in design.outputs
        if output.kind in ("spectrum", "bands") and len(output.columns) < 2
    ]
    return issues


def _rung_issues(design: Design) -> list[Issue]:
    scales = design.convergence_scales
    sound = all(math.isfinite(scale) and scale > 0 for scale in scales)
    if sound and len(scales) >= 2 and all(low < high for low, high in pairwise(scales)):
        return []
    return [
        _blocking(
            "convergence_scales",
            f"{scales} does not ascend to the result",
            "give at least two positive scales, each larger than the one before, e.g. (0.5, 1.0)",
        )
    ]


def _material_issues(design: Design, materials: tuple[MaterialRecord, ...]) -> list[Issue]:
    known = {record.name for record in materials}
    return [
        _blocking(
            "materials", f"material {name!r} is not prepared", f"use {', '.join(sorted(known | _FREE))}"
        )
        for name in sorted(set(design.materials) - known - _FREE)
    ]


def _resolution_issues(design: Design, materials: tuple[MaterialRecord, ...]) -> list[Issue]:
    unit = length_unit_um(design.length_unit)
    if unit is None or design.resolution is None:
        return []
    issues: list[Issue] = []
    coarsest, finest = (
        design.resolution * scale / unit
        for scale in (min(design.convergence_scales), max(design.convergence_scales))
    )
    for record in materials:
        if record.name not in design.materials:
            continue
        if record.index is not None:
            pixels = finest * record.band_um[0] / record.index
            if pixels < MIN_PIXELS_PER_WAVELENGTH:
                need = MIN_PIXELS_PER_WAVELENGTH * record.index / record.band_um[0]
                issues.append(
                    _blocking(
                        "resolution",
                        f"{pixels:.1f} pixels per wavelength in {record.name} (n = "
                        f"{record.index:g}) at {record.band_um[0]:g} um on the finest rung",
                        f"use at least {need:.0f} pixels per um there",
                    )
                )
        elif record.all_poles():
            issues += _stability(record, coarsest, design)
    return issues


def _stability(record: MaterialRecord, coarsest: float, design: Design) -> list[Issue]:
    need = record.min_stable_resolution
    if need is not None and coarsest >= need:
        return []
    # The bound holds for 3D; with fewer dimensions the Courant limit is wider, so there it is advice.
    blocking = design.dimensions == "3D" and need is not None
    return [
        Issue(
            severity="blocking" if blocking else "major",
            where="resolution",
            description=f"the fit of {record.name} is stable in 3D at Courant factor 0.5 "
            + (
                f"from {need:g} pixels per um; the coarsest rung has {coarsest:g}"
                if need is not None
                else "at no resolution"
            ),
            fix="raise the resolution of the coarsest rung, or lower the Courant factor",
        )
    ]


def _cost_issues(design: Design, stage: Stage) -> list[Issue]:
    total, budget = total_cpu_s(design), stage.runtime_budget_minutes * 60
    if total <= budget:
        return []
    return [
        _blocking(
            "estimated_cpu_s",
            f"all rungs and sweep points need {total:.0f} s, the stage may take {budget:.0f} s",
            "use symmetry, fewer dimensions, fewer points or a lower resolution",
        )
    ]


def _blocking(where: str, description: str, fix: str) -> Issue:
    return Issue(severity="blocking", where=where, description=description, fix=fix)
