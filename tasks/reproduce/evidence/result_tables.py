"""Result tables for people: the data behind each plot, and a line for each target, as CSV beside them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.planning.plan import Target
from tasks.files.tables import write_table
from tasks.reproduce.curves.curve import Curve
from tasks.reproduce.curves.maps import Map
from tasks.reproduce.evidence.rung import Value
from tasks.reproduce.references.paper_value import ReferenceValue

_SHOWN = (
    "target_id",
    "simulated",
    "reference",
    "reference_upper",
    "unit",
    "error",
    "measure",
    "uncertainty",
    "acceptable",
    "investigate",
    "ran",
    "computed",
    "converged",
    "physical",
    "matches",
    "classification",
    "file",
    "column",
    "execution_id",
)


def write_values(
    target: Target,
    rungs: Sequence[tuple[float, Value]],
    reference: ReferenceValue | None,
    origin: str,
    folder: Path,
) -> Path | None:
    """Write folder/<target_id>.csv: the compared curves joined on x, or both maps on the reference's grid; None for numbers.

    The reference's column is called by its origin, as `origin_words` has it.

    Cells are empty where a curve has no sample; nothing is interpolated between samples of curves.
    """
    import pandas as pd  # slow to import

    paper = reference.value if reference is not None else None
    curves = [(f"simulation_{_scale(scale)}", value) for scale, value in rungs if isinstance(value, Curve)]
    curves += [(origin, paper)] if isinstance(paper, Curve) else []
    if curves:
        joined = pd.DataFrame({"x": []}, dtype=float)
        for name, curve in curves:
            joined = joined.merge(pd.DataFrame({"x": curve.x, name: curve.y}), on="x", how="outer", sort=True)
        return write_table(folder / f"{target.target_id}.csv", joined)
    maps = [value for _, value in rungs if isinstance(value, Map)]
    grid = paper if isinstance(paper, Map) else maps[-1] if maps else None
    if grid is None:
        return None
    x, y = np.meshgrid(grid.x, grid.y, indexing="ij")
    table = pd.DataFrame({"x": x.ravel(), "y": y.ravel()})
    if isinstance(paper, Map):
        table[origin] = paper.z.ravel()
    if maps:
        table["simulation"] = maps[-1].at(grid.x, grid.y).ravel()
    return write_table(folder / f"{target.target_id}.csv", table)


def _scale(scale: float) -> str:
    return "extrapolated" if math.isinf(scale) else f"x{scale:g}"


def write_targets(found: Sequence[TargetEvidence], path: Path) -> Path:
    """Write one row for each target: values, error, uncertainty, thresholds, the four findings, class, and its data file."""
    import pandas as pd  # slow to import

    rows = [entry.model_dump(include=set(_SHOWN)) for entry in found]
    return write_table(path, pd.DataFrame(rows, columns=list(_SHOWN)))
