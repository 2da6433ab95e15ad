"""Pictures: the structure with PML, sources and monitors drawn in, spectra, field against time."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import Any

import numpy as np

from simkit.errors import DatasetError

MAX_CURVES = 6
MAX_POINTS = 2000


def _pyplot() -> Any:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


def picture_of(sim: Any, run: Any, caption: str, name: str | None = None) -> str:
    """PNG of epsilon over the whole cell with PML (grey), sources (red) and monitors (blue); returns the file name.

    1D cells as a line, 2D cells as a map, 3D cells as the z = 0 plane. Initialises the simulation if needed.
    """
    pyplot = _pyplot()
    from simkit.cell import interior

    if sim.fields is None:
        sim.init_sim()
    inner = interior(sim)
    figure, axes = pyplot.subplots(figsize=_figure_size(sim, list(inner)), constrained_layout=True)
    if len(inner) == 1:
        _draw_line(sim, axes, next(iter(inner)), inner)
    else:
        _draw_map(sim, figure, axes, inner)
    axes.set_title(caption[:90], fontsize=9)
    file = run.picture(figure, caption, name)
    pyplot.close(figure)
    return file


def _figure_size(sim: Any, names: list[str]) -> tuple[float, float]:
    if len(names) == 1:
        return 7.0, 3.5
    width, height = (getattr(sim.cell_size, n) for n in names[:2])
    shape = min(2.0, max(0.5, height / width))
    return 6.5 / max(1.0, shape) + 1.0, 6.5 * min(1.0, shape) + 0.6


def _marks(sim: Any) -> list[tuple[str, Any, Any]]:
    marks = [("red", s.center, s.size) for s in sim.sources]
    for monitor in sim.dft_objects:
        marks += [("blue", r.center, r.size) for r in getattr(monitor, "regions", None) or []]
    return marks


def _draw_line(sim: Any, axes: Any, axis: str, inner: dict[str, tuple[float, float]]) -> None:
    from simkit.cell import edges, epsilon, names_of

    low, high = edges(sim)[axis]
    values = epsilon(sim, _frequency(sim))
    axes.plot(np.linspace(low, high, values.size), values, "k-", lw=1, drawstyle="steps-mid")
    for start, end in ((low, inner[axis][0]), (inner[axis][1], high)):
        axes.axvspan(start, end, color="0.8")
    for colour, centre, _ in _marks(sim):
        axes.axvline(getattr(centre, axis), color=colour, lw=1)
    axes.set_xlabel(f"{names_of(sim)[axis]} (um)")
    axes.set_ylabel(f"Re eps at f = {_frequency(sim):.3g} c/um")


def _draw_map(sim: Any, figure: Any, axes: Any, inner: dict[str, tuple[float, float]]) -> None:
    from simkit.cell import edges, epsilon, names_of

    names, ends, called = list(inner)[:2], edges(sim), names_of(sim)
    extent = (*ends[names[0]], *ends[names[1]])
    data = epsilon(sim, _frequency(sim)).T
    image = axes.imshow(data, origin="lower", extent=extent, cmap="Greys", aspect="equal")
    figure.colorbar(image, ax=axes, label=f"Re eps at f = {_frequency(sim):.3g} c/um")
    (x0, x1), (y0, y1) = inner[names[0]], inner[names[1]]
    axes.plot(
        [x0, x1, x1, x0, x0], [y0, y0, y1, y1, y0], color="green", lw=1, ls="--", label="inner edge of PML"
    )
    for colour, place, extent_of in _marks(sim):
        a, b = getattr(place, names[0]), getattr(place, names[1])
        da, db = getattr(extent_of, names[0]) / 2, getattr(extent_of, names[1]) / 2
        axes.plot(
            [a - da, a + da, a + da, a - da, a - da],
            [b - db, b - db, b + db, b + db, b - db],
            color=colour,
            lw=1.2,
            marker="." if da == db == 0 else "",
        )
    axes.set(
        xlim=extent[:2], ylim=extent[2:], xlabel=f"{called[names[0]]} (um)", ylabel=f"{called[names[1]]} (um)"
    )


def _frequency(sim: Any) -> float:
    found = [float(getattr(s.src, "frequency", 0) or 0) for s in sim.sources]
    return next((f for f in found if f > 0), 1.0)


def plot_spectrum(run: Any, dataset: str, caption: str | None = None) -> str:
    """PNG of a saved CSV dataset: first column across, the others up; returns the file name."""
    from simkit.datasets import read_csv

    entry = run.saved(dataset)
    if not entry["file"].endswith(".csv"):
        raise DatasetError(
            f"{dataset} is {entry['file']}, not a CSV dataset; only spectra, scalars and bands are plotted."
        )
    said = caption or entry["description"] or dataset
    if not run.is_writer:  # the file may not be there yet: only one process of an MPI run writes and reads it
        return str(run.picture(None, said, f"plot_{dataset}"))
    table = read_csv(run.output / entry["file"])
    pyplot = _pyplot()
    figure, axes = pyplot.subplots(figsize=(6, 4), constrained_layout=True)
    first, *others = entry["columns"]
    for column in others:
        axes.plot(table[first["name"]], table[column["name"]], ".-", ms=3, lw=1, label=column["name"])
    axes.set_xlabel(f"{first['quantity']} ({first['unit']})")
    axes.set_ylabel(", ".join(sorted({f"{c['quantity']} ({c['unit']})" for c in others})))
    axes.legend(fontsize=8)
    file = run.picture(figure, said, f"plot_{dataset}")
    pyplot.close(figure)
    return file


def field_picture(
    run: Any, dataset: str, data: np.ndarray, extent: Sequence[float], label: str, caption: str
) -> None:
    """PNG of a real (nx, ny) map."""
    pyplot = _pyplot()
    figure, axes = pyplot.subplots(figsize=(6, 5), constrained_layout=True)
    bound = float(np.abs(data).max()) or 1.0
    signed = bool((data < 0).any())
    image = axes.imshow(
        data.T,
        origin="lower",
        extent=extent,
        cmap="RdBu" if signed else "magma",
        vmin=-bound if signed else 0,
        vmax=bound,
    )
    figure.colorbar(image, ax=axes, label=label)
    axes.set(xlabel="x (um)", ylabel="y (um)", title=caption[:80])
    run.picture(figure, caption, f"field_{dataset}")
    pyplot.close(figure)


def history_picture(run: Any, histories: Sequence[tuple[str, Sequence[tuple[float, float]]]]) -> None:
    """field_history.png and .csv: largest |E| in the cell against Meep time for the last runs."""
    histories = [h for h in histories if len(h[1]) > 1]
    if not histories:
        return
    pyplot = _pyplot()
    figure, axes = pyplot.subplots(figsize=(6, 4), constrained_layout=True)
    for label, samples in histories[-MAX_CURVES:]:
        time, value = np.array(samples).T
        axes.semilogy(
            time, np.clip(np.nan_to_num(value, nan=1e300, posinf=1e300), 1e-30, 1e300), lw=1, label=label[:40]
        )
    axes.set(xlabel="Meep time (um/c)", ylabel="largest |E| in the cell")
    axes.legend(fontsize=7)
    run.replace_picture(figure, "field_history", "largest |E| in the cell against time, last runs")
    pyplot.close(figure)
    if run.is_writer:
        with (run.output / "field_history.csv").open("w", newline="", encoding="utf-8") as stream:
            rows = csv.writer(stream, lineterminator="\n")
            rows.writerow(["run", "meep_time", "largest_E"])
            for label, samples in histories:
                step = max(1, len(samples) // MAX_POINTS)
                rows.writerows([label, f"{t:.6g}", f"{v:.6g}"] for t, v in samples[::step])
