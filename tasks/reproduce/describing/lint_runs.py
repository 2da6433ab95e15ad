"""Remarks about arranged runs: the harness looks at its own work before it pays for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from schemas.reproduce.simulations.numerics import Finding
from simkit.arrange import Needs
from simkit.runs import AnyRun, Run
from tasks.reproduce.solving.run_cost import foresee
from tasks.reproduce.uncertainty.ladder import fitting, furthest, misfits

_OFF_PX, _ROUNDED = 0.02, 1e-3
_LONG_S, _LARGE_MB = 1800.0, 4000.0


def run_findings(scene: str, need: Needs, runs: Mapping[str, AnyRun]) -> Iterator[Finding]:
    """Edges off the grid, sources and monitors in absorbers, bodies that wrap round, odd cells, cost and memory."""
    resolution = fitting(need)
    off = [
        f"{length:.6g} by {miss:.2g}"
        for length, miss in zip(need.whole, misfits(need.whole, resolution), strict=True)
        if miss > _OFF_PX
    ]
    if off:
        yield Finding(
            level="note",
            where=scene,
            text=f"no grid of {need.resolution:.4g} to {furthest(need) * need.resolution:.4g} pixels per unit has whole pixels for all "
            f"lengths; at {resolution:.4g} these miss: {', '.join(off[:6])} pixels; irregular convergence",
            source="pitfalls 13 to 15",
        )
    yield from _rounded(scene, runs)
    for name, run in runs.items():
        where = f"{scene}, run {name}"
        if isinstance(run, Run):
            yield from _places(where, run)
        foreseen = foresee(run)
        if foreseen.cpu_s > _LONG_S or foreseen.memory_mb > _LARGE_MB:
            yield Finding(
                level="warning",
                where=where,
                text=f"about {foreseen.cpu_s:.0f} s of CPU time and {foreseen.memory_mb:.0f} MB at "
                "the coarsest grid",
                source="estimate",
            )


def _rounded(scene: str, runs: Mapping[str, AnyRun]) -> Iterator[Finding]:
    """One line for all runs: how far Meep's whole pixels change a period, where that is more than one part in a thousand."""
    most = 0.0
    for run in (run for run in runs.values() if isinstance(run, Run)):
        open_axes = {layer.axis for layer in run.layers}
        periods = [
            size for axis, size in zip("xyz", run.cell, strict=True) if size > 0 and axis not in open_axes
        ]
        most = max(
            [most, *(abs(round(size * run.resolution) / (size * run.resolution) - 1) for size in periods)]
        )
    if most > _ROUNDED:
        yield Finding(
            level="note",
            where=scene,
            source="pitfalls 14",
            text=f"Meep rounds the period to whole pixels, by up to {100 * most:.2g} % on the coarsest grid",
        )


def _places(where: str, run: Run) -> Iterator[Finding]:
    inner = {axis: size / 2 for axis, size in zip("xyz", run.cell, strict=True)}
    low, high = {axis: -half for axis, half in inner.items()}, dict(inner)
    if run.dimensions == "cylindrical":  # x is the radius
        low["x"], high["x"] = -run.cell[0], run.cell[0]
    for layer in run.layers:
        if layer.side in ("both", "high"):
            high[layer.axis] -= layer.thickness
        if layer.side in ("both", "low"):
            low[layer.axis] += layer.thickness
    things: list[tuple[str, Any]] = [
        *((f"source {i}", s) for i, s in enumerate(run.sources)),
        *run.monitors.items(),
    ]
    for name, thing in things:
        for axis, centre, size, length in zip("xyz", thing.center, thing.size, run.cell, strict=True):
            absorbed = any(layer.axis == axis for layer in run.layers)
            if (
                length > 0
                and absorbed
                and size < length - 1e-9
                and not low[axis] - 1e-9 <= centre <= high[axis] + 1e-9
            ):
                yield Finding(
                    level="error",
                    where=where,
                    text=f"{name} lies in the absorber along {axis}",
                    source="declared prototype",
                )
