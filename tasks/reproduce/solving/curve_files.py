"""Curves as CSV: the finest with the uncertainty of each point, and all variants beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tasks.core.store import atomic_write
from tasks.reproduce.measuring import Curve, Measured
from tasks.reproduce.solving.uncertainty import Variants


def write_curve(folder: Path, name: str, curve: Curve, points: Any | None) -> Path:
    """<folder>/<name>.csv: the axis in base units, y, and the uncertainty of each point (empty where unknown)."""
    rows = [f"{curve.axis},{name},uncertainty"]
    for i in range(curve.x.size):
        doubt = "" if points is None else f"{points[i]:.4g}"
        rows.append(f"{curve.x[i]:.12g},{curve.y[i]:.12g},{doubt}")
    return atomic_write(folder / f"{name}.csv", "\n".join(rows) + "\n")


def write_variants(folder: Path, name: str, variants: Variants) -> Path:
    """<folder>/<name>_variants.csv: one row a point: variant, abscissa, y."""
    rows = [f"variant,x,{name}"]
    named: list[tuple[str, Measured]] = [(f"resolution {r:g}", value) for r, value in variants.rungs]
    named += [(part, value) for part, values in variants.changed.items() for value in values]
    for label, value in named:
        if isinstance(value, Curve):
            rows += [f"{label},{x:.12g},{y:.12g}" for x, y in zip(np.asarray(value.x), np.asarray(value.y), strict=True)]
    return atomic_write(folder / f"{name}_variants.csv", "\n".join(rows) + "\n")
