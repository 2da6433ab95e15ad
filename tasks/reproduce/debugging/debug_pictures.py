"""The four pictures of a debug run. Drawn from what the simulation noted about its cell, and from the fits."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from schemas.reproduce.materials.prepared_material import MaterialRecord
from schemas.reproduce.simulations.debugging import Cell, CellObject, DebugPicture
from tasks.files.store import atomic_write
from tasks.reproduce.debugging.cells import Cells

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GEOMETRY, MATERIALS, SOURCE, MONITORS = (
    "geometry_check.png",
    "material_check.png",
    "source_spectrum.png",
    "monitor_positions.png",
)
_WIDTH = 1400
_MAX_MATERIALS = 12


class _Missing(Exception):
    """Why a picture cannot be had."""


def draw_pictures(
    folder: Path, *, cells: Cells, materials: tuple[MaterialRecord, ...], run_dir: Path
) -> tuple[DebugPicture, ...]:
    """Write the pictures into `folder`; each says whether it was made, and if not why."""
    jobs: tuple[tuple[str, Callable[[], bytes]], ...] = (
        (GEOMETRY, lambda: _geometry(cells)),
        (MATERIALS, lambda: _materials(materials, run_dir)),
        (SOURCE, lambda: _source(_cell(cells))),
        (MONITORS, lambda: _monitors(_cell(cells))),
    )
    found = []
    for name, draw in jobs:
        try:
            atomic_write(folder / name, draw())
            found.append(DebugPicture(name=name, made=True))
        except (_Missing, OSError, ValueError) as reason:
            (folder / name).unlink(missing_ok=True)
            found.append(DebugPicture(name=name, made=False, why_not=" ".join(str(reason).split())[:300]))
    return tuple(found)


def _cell(cells: Cells) -> Cell:
    cell = cells.fullest()
    if cell is None:
        raise _Missing(cells.fault or "no cell was noted")
    return cell


def _geometry(cells: Cells) -> bytes:
    """Epsilon over the cell as Meep holds it, drawn where it ran; re-encoded here."""
    path = cells.picture()
    if path is None:
        raise _Missing(cells.fault or "the simulation drew no picture of its cell")
    with Image.open(path, formats=("PNG",)) as image:
        return _png(image)


def _materials(records: tuple[MaterialRecord, ...], run_dir: Path) -> bytes:
    """Table and fit of every material, one below the other."""
    pages = []
    shown = [
        one
        for record in records
        for one in (record.axes if record.axes and record.plot is None else (record,))
    ]
    for record in [one for one in shown if one.plot is not None or one.index is not None][:_MAX_MATERIALS]:
        source = run_dir / record.plot.path if record.plot is not None else io.BytesIO(_constant(record))
        with Image.open(source, formats=("PNG",)) as image:
            image.thumbnail((_WIDTH, 4 * _WIDTH))
            pages.append(image.convert("RGB"))
    if not pages:
        raise _Missing(
            "no material was prepared" if not records else "no material has a plot or a constant index"
        )
    whole = Image.new("RGB", (max(p.width for p in pages), sum(p.height for p in pages)), "white")
    top = 0
    for page in pages:
        whole.paste(page, (0, top))
        top += page.height
    return _png(whole)


def _constant(record: MaterialRecord) -> bytes:
    """A material without a table: its constant index over the band."""
    figure, axes = _figure()
    axes.plot(record.band_um, [record.index or 1.0] * 2, lw=1.5, label=f"n = {record.index or 1.0:g}, k = 0")
    axes.set(
        xlabel="vacuum wavelength (um)",
        ylabel="refractive index",
        title=f"{record.name}: constant index"[:90],
    )
    axes.legend()
    return _saved(figure)


def _source(cell: Cell) -> bytes:
    sources = [s for s in cell.sources if len(s.spectrum) > 1]
    if not sources:
        kinds = ", ".join(sorted({s.kind for s in cell.sources})) or "no source"
        raise _Missing(f"the cell has {kinds}: nothing with a spectrum (a continuous source is one line)")
    figure, axes = _figure()
    for number, source in enumerate(sources[:8]):
        frequency, power = zip(*source.spectrum, strict=True)
        axes.plot(frequency, power, lw=1.3, label=f"source {number}: {source.kind} {source.component}")
    bands = {m.band for m in cell.monitors if len(m.band) == 2}
    for low, high in sorted(bands)[:4]:
        axes.axvspan(
            low, high, color="tab:blue", alpha=0.12, label=f"monitors: {low:.4g} to {high:.4g} c/{cell.unit}"
        )
    axes.set(
        xlabel=f"frequency (c/{cell.unit})",
        ylabel="|current|^2, relative",
        title=f"source spectrum: {cell.label}"[:90],
        ylim=(0, 1.08),
    )
    axes.legend(fontsize=7)
    return _saved(figure)


def _monitors(cell: Cell) -> bytes:
    """Cell, absorbers, objects, sources and monitors in the plane of the two widest axes, with positions."""
    from matplotlib.patches import Rectangle

    if not cell.monitors and not cell.sources:
        raise _Missing("the cell has neither monitors nor sources")
    axes_used = [n for n in range(3) if cell.size[n] > 0] or [0]
    across = axes_used[0]
    up = axes_used[1] if len(axes_used) > 1 else None
    figure, axes = _figure()
    low, high = _edges(cell, across)
    bottom, top = _edges(cell, up) if up is not None else (-0.5, 0.5)
    axes.add_patch(Rectangle((low, bottom), high - low, top - bottom, fc="0.85", ec="k", label="absorber"))
    (a, b), (c, d) = _inside(cell, across, (low, high)), _inside(cell, up, (bottom, top))
    axes.add_patch(
        Rectangle((a, c), b - a, d - c, fc="white", ec="green", ls="--", label="inside the absorbers")
    )
    for item in cell.objects[:40]:
        _outline(axes, item, across, up, (low, high), (bottom, top))
    for kind, colour, places in (
        ("source", "red", [(s.component, s.center, s.size) for s in cell.sources]),
        ("monitor", "blue", [(m.name, m.center, m.size) for m in cell.monitors]),
    ):
        for number, (name, center, size) in enumerate(places[:30]):
            x, dx = center[across], size[across] / 2
            y, dy = (center[up], size[up] / 2) if up is not None else (0.0, 0.45)
            axes.plot(
                [x - dx, x + dx, x + dx, x - dx, x - dx],
                [y - dy, y - dy, y + dy, y + dy, y - dy],
                color=colour,
                lw=1.4,
                marker="o" if dx == dy == 0 else "",
                label=kind if number == 0 else None,
            )
            where = f"{name} {number} ({x:.3g}" + (f", {y:.3g})" if up is not None else ")")
            above = y + dy if up is not None else 0.4 - 0.06 * number - (0.4 if colour == "blue" else 0.0)
            axes.annotate(where, (x + dx, above), fontsize=6, color=colour)
    names = "xyz" if not cell.cylindrical else ("r", "phi", "z")
    axes.set(
        xlim=(low, high),
        ylim=(bottom, top),
        xlabel=f"{names[across]} ({cell.unit})",
        ylabel=f"{names[up]} ({cell.unit})" if up is not None else "",
        title=f"sources and monitors: {cell.label}"[:90],
    )
    if up is None:
        axes.set_yticks([])
    axes.legend(fontsize=6, loc="lower right")
    return _saved(figure)


def _edges(cell: Cell, axis: int) -> tuple[float, float]:
    size = cell.size[axis]
    return (0.0, size) if cell.cylindrical and axis == 0 else (-size / 2, size / 2)


def _inside(cell: Cell, axis: int | None, whole: tuple[float, float]) -> tuple[float, float]:
    return whole if axis is None else cell.interior.get("xyz"[axis], whole)


def _outline(
    axes: Axes, item: CellObject, across: int, up: int | None, x: tuple[float, float], y: tuple[float, float]
) -> None:
    from matplotlib.patches import Rectangle

    def ends(axis: int | None, whole: tuple[float, float]) -> tuple[float, float]:
        low, high = (None, None) if axis is None else (item.low[axis], item.high[axis])
        return (
            max(whole[0], low) if low is not None else whole[0],
            min(whole[1], high) if high is not None else whole[1],
        )

    (a, b), (c, d) = ends(across, x), ends(up, y)
    if b > a and d > c:
        axes.add_patch(Rectangle((a, c), b - a, d - c, fc="tab:orange", alpha=0.25, ec="tab:orange"))
        axes.annotate(
            f"{item.kind} {item.material}"[:40], ((a + b) / 2, (c + d) / 2), fontsize=6, ha="center"
        )


def _figure() -> tuple[Figure, Axes]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.5), constrained_layout=True)
    FigureCanvasAgg(figure)
    return figure, figure.subplots()


def _saved(figure: Figure) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=130)
    return buffer.getvalue()


def _png(image: Image.Image) -> bytes:
    buffer = io.BytesIO()
    image.convert("RGB").save(buffer, "PNG", optimize=True)
    return buffer.getvalue()
