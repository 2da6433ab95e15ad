"""What a debug run's files show: a resonance in a saved spectrum, structures, and whether sizes fit the design."""

from __future__ import annotations

import itertools
import math
import re
from pathlib import Path

from schemas.errors import ReproLabError
from schemas.reproduce.simulations.debugging import Cell, CellObject, GeometryCheck
from schemas.reproduce.simulations.design import Design
from schemas.reproduce.simulations.execution import Column, Dataset, Execution
from tasks.reproduce.collect import read_csv
from tasks.reproduce.curves.curve import Curve
from tasks.reproduce.curves.features import extrema, least_prominence
from tasks.reproduce.debugging.cells import Cells

_C_UM_THZ = 299.792458  # speed of light, um THz
_UNMATCHED = "none of the lengths is in the cell as built"
_NOT_LENGTH = re.compile(
    r"\b(?:n|k|index|eps\w*|epsilon)\s*(?:=|of|is)?\s*\d[\d.eE+-]*|\d[\d.]*\s*(?:deg\w*|%|px|pixels?)"
)
_NUMBER = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)\s*(nm|um|mm)?(?![\w.])")


def written_files(executions: tuple[Execution, ...]) -> tuple[str, ...]:
    """Data files and pictures of the executions, relative to the run's folder."""
    return tuple(f.path for e in executions for f in (*(d.file for d in e.datasets), *e.pictures))


def resonance(executions: tuple[Execution, ...], run_dir: Path) -> tuple[bool | None, float | None]:
    """Whether a saved spectrum or mode shows a resonance, and its vacuum wavelength in nm; (None, None): none could."""
    looked = False
    best: tuple[float, float] | None = None
    for execution in executions:
        for dataset in execution.datasets:
            path = run_dir / dataset.file.path
            mode = _mode(dataset, path)
            if mode is not None:
                return True, mode
            found = _spectral_extremum(dataset, path)
            looked = looked or found is not None
            if found is not None and found[1] is not None and (best is None or found[0] > best[0]):
                best = (found[0], found[1])
    if best is not None:
        return True, best[1]
    return (False, None) if looked else (None, None)


def wavelength_nm(column: Column, value: float) -> float | None:
    """Vacuum wavelength of a value of a spectral column; None for another quantity or unit."""
    quantity, unit = column.quantity.lower(), column.unit
    if quantity == "wavelength":
        scale = {"nm": 1.0, "um": 1e3, "m": 1e9}.get(unit)
        return value * scale if scale and value > 0 else None
    if quantity == "frequency" and value > 0:
        return {
            "c/um": 1e3 / value,
            "c/a": 1e3 / value,
            "THz": 1e3 * _C_UM_THZ / value,
            "Hz": 1e15 * _C_UM_THZ / value,
        }.get(unit)
    return None


def _mode(dataset: Dataset, path: Path) -> float | None:
    """The wavelength of a mode with a quality factor in a dataset of single numbers."""
    if dataset.kind != "scalar" or not any(c.quantity == "quality_factor" for c in dataset.columns):
        return None
    try:
        values = read_csv(path, [c.name for c in dataset.columns]).data
    except (ReproLabError, OSError, ValueError):
        return None
    quality = [
        float(values[c.name][0])
        for c in dataset.columns
        if c.quantity == "quality_factor" and len(values[c.name])
    ]
    if not any(math.isfinite(q) and q > 0 for q in quality):
        return None
    found = [wavelength_nm(c, float(values[c.name][0])) for c in dataset.columns if len(values[c.name])]
    return next((value for value in found if value is not None), None)


def _spectral_extremum(dataset: Dataset, path: Path) -> tuple[float, float | None] | None:
    """(relative prominence, wavelength or None) of the clearest peak or dip inside a spectrum; None: no spectrum."""
    if dataset.kind != "spectrum" or len(dataset.columns) < 2:
        return None
    first, *others = dataset.columns
    if wavelength_nm(first, 1.0) is None:
        return None
    try:
        values = read_csv(path, [c.name for c in dataset.columns]).data
        curves = [Curve.of(values[first.name], values[c.name]) for c in others]
    except (ReproLabError, OSError, ValueError, KeyError):
        return None
    best: tuple[float, float | None] = (0.0, None)
    for curve in curves:
        reach = curve.range()
        if reach <= 0:
            continue
        for extremum in extrema(curve, least_prominence([curve], reach)):
            if extremum.prominence / reach > best[0]:
                best = (extremum.prominence / reach, wavelength_nm(first, extremum.x))
    return best


def geometry_check(cells: Cells, design: Design | None) -> GeometryCheck:
    """What the fullest cell of a run holds, and whether each line of the design's geometry has a length that is there."""
    cell = cells.fullest()
    if cell is None:
        return GeometryCheck(notes=(cells.fault,))
    notes = [
        f"{o.kind} of {o.material or 'unknown material'}: {_extent(o, cell.unit)}" for o in cell.objects[:12]
    ]
    built = _lengths(cell)
    tolerance = 0.5 / cell.resolution if cell.resolution else 0.0

    def there(length: float) -> bool:
        return any(
            abs(length - b) <= max(tolerance if b > 4 * tolerance else 0.05 * b, 0.01 * length) for b in built
        )

    if design is not None and design.described:  # every length of a body
        lines = [(name, [n for n in numbers if not there(n)]) for name, numbers in cell.designed]
        strange = [
            f"{name}, {', '.join(f'{n:.4g}' for n in missing)} {cell.unit}"
            for name, missing in lines
            if missing
        ]
    else:  # one length of a line in words
        lines = [
            (line, numbers) for line in (design.geometry if design else ()) if (numbers := _stated(line))
        ]
        strange = [line for line, numbers in lines if not any(map(there, numbers))]
    notes += [f"{_UNMATCHED}: {line[:160]}" for line in strange[:6]]
    if not lines:
        notes.append("the design states no length that could be compared")
    return GeometryCheck(
        structures_created=cell.object_count,
        structure_types=tuple(sorted({o.kind for o in cell.objects})),
        dimensions_match_design=not strange if lines else None,
        notes=tuple(notes),
    )


def _lengths(cell: Cell) -> list[float]:
    """Every length of the cell as built: sizes, radii, edges of objects and from one edge to the next (films are drawn over
    each other), the cell, the edges of its absorbers."""
    found = [
        *cell.size,
        *(side / 2 for side in cell.size),
        *(abs(edge) for pair in cell.interior.values() for edge in pair),
    ]
    for item in cell.objects:
        found += [abs(v) for v in (*item.low, *item.high) if v is not None]
        found += [
            high - low
            for low, high in zip(item.low, item.high, strict=True)
            if low is not None and high is not None
        ]
        found += [v for v in (item.radius, item.height) if v is not None]
        found += [2 * item.radius] if item.radius else []
    for axis in range(3):
        edges = sorted(
            {v for item in cell.objects for v in (item.low[axis], item.high[axis]) if v is not None}
        )
        found += [b - a for a, b in itertools.pairwise(edges)]
    return sorted({v for v in found if 0 < v < 1e6})


def _stated(line: str) -> list[float]:
    """Lengths in a line of a design's geometry, um; refractive indices and angles left out."""
    text = _NOT_LENGTH.sub(" ", line)
    return [
        float(number) * {"nm": 1e-3, "mm": 1e3}.get(unit, 1.0)
        for number, unit in _NUMBER.findall(text)
        if float(number) > 0
    ]


def _extent(item: CellObject, unit: str) -> str:
    if item.radius is not None:
        return f"radius {item.radius:.4g} {unit}"
    sides = []
    for axis, low, high in zip("xyz", item.low, item.high, strict=True):
        if low is None and high is None:
            continue
        start = "-inf" if low is None else f"{low:.4g}"
        end = "inf" if high is None else f"{high:.4g}"
        sides.append(f"{axis} {start} to {end}")
    return f"{', '.join(sides)} {unit}" if sides else "unbounded"
