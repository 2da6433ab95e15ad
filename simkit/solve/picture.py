"""The cell as the solver sees it, as a picture and in numbers: permittivity, absorbing layers, sources, monitors."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import meep as mp
import numpy as np

from simkit.diagnosis import MAX_ITEMS, cell_entry, finite
from simkit.runs import AnyRun, BandsRun, Run
from simkit.solve.media import words_of
from simkit.solve.monitors import axes_of
from simkit.solve.progress import write_json
from simkit.solve.shapes import box_of, plain

SOURCE, MONITOR, ABSORBER = "tab:red", "tab:blue", {"pml": "tab:green", "absorber": "tab:olive"}
METAL_EPSILON = -1e3  # what an ideal metal is drawn as


PICTURE, CELL = "picture.png", "cell.json"


def draw(run: AnyRun, folder: Path) -> None:
    """Write picture.png (a line for one axis, a map for two, three sections through the middle for three) and cell.json."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, cell = _of_bands(run, pyplot) if isinstance(run, BandsRun) else _of_cell(run, pyplot)
    if mp.am_master():
        figure.savefig(
            folder / PICTURE, dpi=110, format="png", bbox_inches="tight", metadata={"Software": None}
        )
        write_json(folder / CELL, {**cell, "unit": run.unit, "picture": PICTURE})
    pyplot.close(figure)


def edges_of(run: Run) -> dict[str, tuple[float, float]]:
    """(low, high) of the cell along each of its axes."""
    size = dict(zip("xyz", run.cell, strict=True))
    return {
        axis: (0.0, size[axis])
        if run.dimensions == "cylindrical" and axis == "x"
        else (-size[axis] / 2, size[axis] / 2)
        for axis in axes_of(run)
        if size[axis] > 0
    }


def _of_cell(run: Run, pyplot: Any) -> tuple[Any, dict[str, Any]]:
    from simkit.solve.fdtd import build

    built = build(run)
    sim = built.sim
    sim.init_sim()
    edges = edges_of(run)
    if len(edges) == 1:
        figure, panel = pyplot.subplots(figsize=(7.5, 3.6), constrained_layout=True)
        _line(run, sim, panel, *next(iter(edges.items())))
    else:
        planes = list(itertools.combinations(edges, 2))
        width, height = (edges[a][1] - edges[a][0] for a in planes[0])
        tall = min(2.5, max(0.4, height / width))
        figure, panels = pyplot.subplots(
            1,
            len(planes),
            figsize=(4.6 * len(planes) + 0.6, min(9.0, 4.2 * tall + 0.8)),
            constrained_layout=True,
            squeeze=False,
        )
        for panel, plane in zip(panels[0], planes, strict=True):
            image = _map(run, sim, panel, plane, edges)
        figure.colorbar(
            image, ax=list(panels[0]), label=f"Re eps at f = {_frequency(run):.4g} c/{run.unit}", shrink=0.8
        )
    _legend(run, figure)
    monitors = [
        {
            "name": name,
            "center": m.center,
            "size": m.size,
            "frequencies": len(m.frequencies),
            "band": [min(m.frequencies), max(m.frequencies)] if m.frequencies else [],
        }
        for name, m in run.monitors.items()
    ]
    return figure, {**cell_entry(sim, "time domain", built.media.name_of), "monitors": monitors[:MAX_ITEMS]}


def _frequency(run: Run) -> float:
    return next((source.frequency for source in run.sources), 0.0)


def _epsilon(run: Run, sim: Any, axes: Sequence[str], edges: dict[str, tuple[float, float]]) -> np.ndarray:
    center, size = mp.Vector3(), mp.Vector3()
    for axis, (low, high) in edges.items():
        setattr(center, axis, (low + high) / 2)
        if axis in axes:
            setattr(size, axis, high - low)
    if len(edges) == 2 and run.dimensions == "cylindrical" and "x" not in axes:
        center.x = 0.0
    values = np.real(
        sim.get_array(component=mp.Dielectric, center=center, size=size, frequency=_frequency(run))
    )
    return np.clip(
        np.nan_to_num(values, nan=METAL_EPSILON, posinf=1e3, neginf=METAL_EPSILON), METAL_EPSILON, 1e3
    )


def _line(run: Run, sim: Any, panel: Any, axis: str, ends: tuple[float, float]) -> None:
    values = _epsilon(run, sim, axis, {axis: ends}).ravel()
    panel.plot(np.linspace(*ends, values.size), values, "k-", lw=1, drawstyle="steps-mid")
    for colour, low, high in _absorbing(run, {axis: ends}):
        panel.axvspan(low[axis], high[axis], color=colour, alpha=0.25, lw=0)
    for colour, low, high in _marks(run):
        for place in {low[axis], high[axis]}:
            panel.axvline(place, color=colour, lw=1.2)
    panel.set(
        xlim=ends, xlabel=f"{axis} ({run.unit})", ylabel=f"Re eps at f = {_frequency(run):.4g} c/{run.unit}"
    )


def _map(
    run: Run, sim: Any, panel: Any, plane: tuple[str, str], edges: dict[str, tuple[float, float]]
) -> Any:
    (across, up), extent = plane, (*edges[plane[0]], *edges[plane[1]])
    values = _epsilon(run, sim, plane, edges)
    image = panel.imshow(
        values.reshape(values.shape[0], -1).T, origin="lower", extent=extent, cmap="Greys", aspect="auto"
    )
    if 0.2 <= (extent[3] - extent[2]) / (extent[1] - extent[0]) <= 5:
        panel.set_aspect("equal")
    for colour, low, high in _absorbing(run, {axis: edges[axis] for axis in plane}):
        panel.fill_between([low[across], high[across]], low[up], high[up], color=colour, alpha=0.25, lw=0)
    for colour, low, high in _marks(run):
        x, y = (low[across], high[across]), (low[up], high[up])
        panel.plot(
            [x[0], x[1], x[1], x[0], x[0]],
            [y[0], y[0], y[1], y[1], y[0]],
            color=colour,
            lw=1.3,
            marker="." if x[0] == x[1] and y[0] == y[1] else "",
        )
    panel.set(xlim=extent[:2], ylim=extent[2:], xlabel=f"{across} ({run.unit})", ylabel=f"{up} ({run.unit})")
    return image


Corner = dict[str, float]


def _marks(run: Run) -> list[tuple[str, Corner, Corner]]:
    """(colour, low corner, high corner) of every source and monitor."""
    places = [(SOURCE, s.center, s.size) for s in run.sources] + [
        (MONITOR, m.center, m.size) for m in run.monitors.values()
    ]
    return [
        (
            colour,
            {a: c - s / 2 for a, c, s in zip("xyz", center, size, strict=True)},
            {a: c + s / 2 for a, c, s in zip("xyz", center, size, strict=True)},
        )
        for colour, center, size in places
    ]


def _absorbing(run: Run, edges: dict[str, tuple[float, float]]) -> list[tuple[str, Corner, Corner]]:
    found = []
    for layer in run.layers:
        if layer.axis not in edges:
            continue
        bottom, top = edges[layer.axis]
        radial = run.dimensions == "cylindrical" and layer.axis == "x"
        spans = [(bottom, bottom + layer.thickness)] if layer.side in ("both", "low") and not radial else []
        spans += [(top - layer.thickness, top)] if layer.side in ("both", "high") else []
        for span in spans:
            ends = {**edges, layer.axis: span}
            found.append(
                (ABSORBER[layer.kind], {a: e[0] for a, e in ends.items()}, {a: e[1] for a, e in ends.items()})
            )
    return found


def _legend(run: Run, figure: Any) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    items: list[Any] = [Line2D([], [], color=SOURCE, label="source")] if run.sources else []
    items += [Line2D([], [], color=MONITOR, label="monitor")] if run.monitors else []
    items += [
        Patch(color=ABSORBER[kind], alpha=0.25, label="PML" if kind == "pml" else "absorber")
        for kind in sorted({layer.kind for layer in run.layers})
    ]
    figure.legend(
        handles=items,
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        ncols=len(items) or 1,
        fontsize=8,
        frameon=False,
    )


def _of_bands(run: BandsRun, pyplot: Any) -> tuple[Any, dict[str, Any]]:
    from simkit.solve.bands import parity_of, solver_of

    bodies = [(body["type"], box_of(body), body) for body in plain(run.geometry)]
    sides = [size * math.hypot(*row) for size, row in zip(run.size, run.lattice, strict=True)]
    cell = {
        "label": "band structure",
        "size": sides,
        "resolution": run.resolution,
        "object_count": len(bodies),
        "objects": [
            {
                "kind": kind,
                "low": [finite(v) for v in low],
                "high": [finite(v) for v in high],
                "radius": body.get("radius"),
                "material": words_of(body["medium"]),
            }
            for kind, (low, high), body in bodies[:MAX_ITEMS]
        ],
    }

    solver = solver_of(run, (run.find_k_at or (None,))[0])
    solver.init_params(parity_of(run), True)
    values = np.squeeze(np.real(solver.get_epsilon()))
    figure, panel = pyplot.subplots(figsize=(5, 4.2), constrained_layout=True)
    if values.ndim <= 1:
        panel.plot(np.atleast_1d(values), "k-", drawstyle="steps-mid")
        panel.set(xlabel="pixel", ylabel="epsilon")
        return figure, cell
    if values.ndim == 3:
        values = values[:, :, values.shape[2] // 2]
    image = panel.imshow(values.T, origin="lower", cmap="Greys")
    panel.set(xlabel="pixel along the first lattice vector", ylabel="pixel along the second")
    figure.colorbar(image, ax=panel, label="epsilon")
    return figure, cell
