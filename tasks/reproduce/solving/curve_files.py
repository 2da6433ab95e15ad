"""Curves and maps as CSV: the finest with the uncertainty of each point, and all variants beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tasks.files.store import atomic_write
from tasks.reproduce.measuring import Curve, Map, Measured
from tasks.reproduce.uncertainty.error_parts import Variants


def write_curve(folder: Path, name: str, curve: Curve, points: Any | None) -> Path:
    """<folder>/<name>.csv: the axis (of a map both) in base units, y, each point's uncertainty (empty where unknown)."""
    rows = [f"{','.join(curve.labels) if isinstance(curve, Map) else curve.axis},{name},uncertainty"]
    for i, place in enumerate(_places(curve)):
        doubt = "" if points is None else f"{points[i]:.4g}"
        rows.append(f"{place},{curve.y[i]:.12g},{doubt}")
    return atomic_write(folder / f"{name}.csv", "\n".join(rows) + "\n")


def write_variants(folder: Path, name: str, variants: Variants) -> Path:
    """<folder>/<name>_variants.csv: one row a point: variant, abscissa (of a map both), y."""
    finest = variants.finest
    rows = [f"variant,{','.join(finest.labels) if isinstance(finest, Map) else 'x'},{name}"]
    named: list[tuple[str, Measured]] = [(f"resolution {r:g}", value) for r, value in variants.rungs]
    named += [(part, value) for part, values in variants.changed.items() for value in values]
    for label, value in named:
        if isinstance(value, Curve):
            rows += [
                f"{label},{place},{y:.12g}"
                for place, y in zip(_places(value), np.asarray(value.y), strict=True)
            ]
    return atomic_write(folder / f"{name}_variants.csv", "\n".join(rows) + "\n")


def _places(curve: Curve) -> list[str]:
    if isinstance(curve, Map):
        return [f"{u:.12g},{v:.12g}" for u in curve.grid[0] for v in curve.grid[1]]
    return [f"{x:.12g}" for x in np.asarray(curve.x)]
