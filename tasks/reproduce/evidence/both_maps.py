"""Maps of both sides: the paper's table (long form or matrix), and what the simulations saved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from schemas.reproduce.planning.plan import Target
from tasks.reproduce.curves.maps import Map
from tasks.reproduce.evidence.not_computed import EvidenceError
from tasks.reproduce.evidence.units import convert, unit_of_name


def reference_map(target: Target, table: Any) -> Map:
    """The paper's map, in the target's units, cut to its ranges.

    table (pandas): columns x, y and value in long form when the reference names z_column; else a matrix whose first
    column is x and whose other columns are named by their y.

    Raises:
        ValueError: the table is no map, or holds fewer than two points on an axis of the range.
    """
    reference = target.reference
    names = [str(name) for name in table.columns]
    units = [
        unit_of_name(reference.x_column or ""),
        unit_of_name(reference.y_column or ""),
        unit_of_name(reference.z_column),
    ]
    if reference.z_column:
        asked = [reference.x_column or "", reference.y_column or "", reference.z_column]
        absent = [name for name in asked if name not in names]
        if absent:
            raise ValueError(f"it has no column {', '.join(absent)}; its columns are {', '.join(names[:20])}")
        found = Map.of_points(*(table[name].to_numpy() for name in asked))
    else:
        try:
            y = [float(name) for name in names[1:]]
        except ValueError:
            raise ValueError(
                "in a matrix every column but the first is named by its y; found "
                f"{', '.join(names[1:20])}; name z_column for a table of x, y and value"
            ) from None
        found = Map.of(table[names[0]].to_numpy(), y, table[names[1:]].to_numpy())
    found = in_units(found, units, (target.x_unit, target.y_unit, target.unit))
    return found.within(target.x_range or (), target.y_range)


def in_units(found: Map, units: Sequence[str | None], wanted: Sequence[str]) -> Map:
    """x, y and values converted where both units are known."""
    parts = [
        convert(values, unit, to) if unit and to else values
        for values, unit, to in zip((found.x, found.y, found.z), units, wanted, strict=True)
    ]
    return Map.of(*parts)


def map_of_array(columns: dict[str, np.ndarray], names: Sequence[str], answer: str) -> Map:
    """A saved two-dimensional array over the first two columns of its dataset; long form if it is one-dimensional."""
    if len(names) < 3 or answer not in names[2:]:
        raise EvidenceError(
            "the dataset is no map",
            found=f"columns {', '.join(names)}; the answer is {answer}",
            allowed="two axes, then values",
            fix="save the axes first: run.field, or run.spectrum with the columns x, y, value in long form",
        )
    x, y, values = (np.asarray(columns[name]) for name in (names[0], names[1], answer))
    if any(np.iscomplexobj(part) for part in (x, y, values)):
        raise EvidenceError(
            "the map is complex", found=answer, fix="save its magnitude, real or imaginary part"
        )
    return Map.of(x, y, values) if values.ndim == 2 else Map.of_points(x, y, values)


def map_of_curves(x: Sequence[np.ndarray], y: Sequence[float], values: Sequence[np.ndarray]) -> Map:
    """One curve for each y: every curve is interpolated on the first one's abscissa, inside what all of them cover."""
    low, high = max(float(part.min()) for part in x), min(float(part.max()) for part in x)
    axis = np.unique(x[0][(x[0] >= low) & (x[0] <= high)])
    order = [np.argsort(part) for part in x]
    rows = [np.interp(axis, part[o], value[o]) for part, value, o in zip(x, values, order, strict=True)]
    return Map.of(axis, y, np.stack(rows, axis=1))
