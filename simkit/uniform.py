"""A run in which nothing varies across the way of the light is solved one pixel wide: the light without layers, that others subtract.

Its fields at one place across are those at every other, but for the Bloch phase; simkit/solve/widening.py gives its raw data the
shape of the whole cell's, equal to rounding.
"""

from __future__ import annotations

import math
from dataclasses import replace

from simkit.runs import Monitor, Run, Source, Vector

SAME = 1e-9
WHOLE = 1e-6  # of a pixel
FEWEST = 4  # pixels across: below it nothing is gained


def narrowed(run: Run) -> Run | None:
    """The same run one pixel wide across the axis that its layers end; None where something may vary across it."""
    if run.bloch is None or run.dimensions not in ("2D", "3D") or run.geometry or run.stack or run.sheets:
        return None
    ends = {layer.axis for layer in run.layers}
    across = [axis for axis in {"2D": "xy", "3D": "xyz"}[run.dimensions] if axis not in ends]
    pixels = [run.cell["xyz".index(axis)] * run.resolution for axis in across]
    if len(ends) != 1 or run.subtract or not across or math.prod(pixels) < FEWEST:
        return None
    if any(
        abs(count - round(count)) > WHOLE for count in pixels
    ):  # Meep rounds the cell, and its planes end inside
        return None
    if any(run.bloch["xyz".index(axis)] for axis in ends):
        return None
    if not all(_spans(run, source.size, across) and _in_phase(run, source) for source in run.sources):
        return None
    if not all(_plane(run, monitor, across) for monitor in run.monitors.values()):
        return None

    def narrow(size: Vector) -> Vector:
        one = 1 / run.resolution
        x, y, z = (one if axis in across else side for axis, side in zip("xyz", size, strict=True))
        return x, y, z

    return replace(
        run,
        cell=narrow(run.cell),
        sources=tuple(replace(source, size=narrow(source.size)) for source in run.sources),
        monitors={name: replace(m, size=narrow(m.size)) for name, m in run.monitors.items()},
        mirrors=(),
    )


def _spans(run: Run, size: Vector, across: list[str]) -> bool:
    """Whether a plane covers the cell across."""
    return all(
        abs(size["xyz".index(a)] - run.cell["xyz".index(a)]) <= SAME * run.cell["xyz".index(a)]
        for a in across
    )


def _in_phase(run: Run, source: Source) -> bool:
    """Whether a current's phase along its plane is the cell's."""
    own, whole = source.wave_vector or (0.0, 0.0, 0.0), run.bloch or (0.0, 0.0, 0.0)
    return source.kind == "current" and all(
        abs(a - b) <= SAME * (1 + abs(b)) for a, b in zip(own, whole, strict=True)
    )


def _plane(run: Run, monitor: Monitor, across: list[str]) -> bool:
    return (
        monitor.kind in ("flux", "fields")
        and monitor.start is None
        and _spans(run, monitor.size, across)
        and all(side == 0 for axis, side in zip("xyz", monitor.size, strict=True) if axis not in across)
    )
