"""Maps side by side: the reference, the simulation on the same grid, and their difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from schemas.reproduce.planning.plan import Target
from tasks.reproduce.curves.maps import Map

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import QuadMesh
    from matplotlib.figure import Figure


def draw_maps(
    figure: Figure, target: Target, simulated: Map | None, reference: Map | None, origin: str, factor: float
) -> None:
    """Fill the figure with three panels; one that is missing says so. The first two share their colours.

    origin: where the reference comes from. factor: what the simulation is multiplied with where the plan leaves the amplitude free.
    """
    axes = figure.subplots(1, 3, sharex=True, sharey=True)
    grid = reference or simulated
    if grid is None:
        for one, name in zip(axes, ("reference", "simulation", "difference"), strict=True):
            _panel(one, name, None, None)
        return
    on_grid = None if simulated is None else Map(grid.x, grid.y, factor * simulated.at(grid.x, grid.y))
    shown = [one.z[np.isfinite(one.z)] for one in (reference, on_grid) if one is not None]
    values = np.concatenate([part for part in shown if part.size] or [np.zeros(1)])
    limits = float(values.min()), float(values.max())
    difference = None
    if reference is not None and on_grid is not None:
        difference = Map(grid.x, grid.y, on_grid.z - reference.z)
    _panel(axes[0], origin if reference is not None else "reference", reference, limits)
    mesh = _panel(axes[1], "simulation" + (f" x {factor:.3g}" if factor != 1 else ""), on_grid, limits)
    bound = (
        float(np.nanmax(np.abs(difference.z)))
        if difference is not None and np.isfinite(difference.z).any()
        else 1.0
    )
    other = _panel(axes[2], "difference", difference, (-bound or -1.0, bound or 1.0), "RdBu_r")
    for mappable, places in ((mesh, axes[:2]), (other, axes[2:])):
        if mappable is not None:
            figure.colorbar(
                mappable, ax=list(places), shrink=0.85, label="" if target.unit in ("", "1") else target.unit
            )
    axes[0].set_ylabel(_name(target.reference.y_column or "y", target.y_unit))
    for one in axes:
        one.set_xlabel(_name(target.reference.x_column or "x", target.x_unit))


def _panel(
    axes: Axes, title: str, shown: Map | None, limits: tuple[float, float] | None, colours: str = "viridis"
) -> QuadMesh | None:
    axes.set_title(title, fontsize=10)
    if shown is None or limits is None:
        axes.text(0.5, 0.5, f"no {title}", transform=axes.transAxes, ha="center", color="#b42318")
        return None
    return axes.pcolormesh(
        shown.x, shown.y, shown.z.T, cmap=colours, vmin=limits[0], vmax=limits[1], shading="nearest"
    )


def _name(column: str, unit: str) -> str:
    text = column.replace("$", "").replace("_", " ")
    return text if unit in ("", "1") or text.endswith(f" {unit}") else f"{text} ({unit})"
