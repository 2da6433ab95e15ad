"""A figure read: curves as CSV with their errors, what was found and refused as JSON, an overlay to look at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from schemas.documents.digitised import ReadAxis, ReadCurve, ReadFigures, ReadMap, ReadPanel, ReadScale, Side
from schemas.errors import InputError
from tasks.digitise.axes import Axis
from tasks.digitise.curves import Drawn, hex_of
from tasks.digitise.maps import Map
from tasks.digitise.page import Page, read_page
from tasks.digitise.panels import Panel, panels_of
from tasks.digitise.raster.picture import is_picture
from tasks.digitise.raster.pixel_reading import read_page_of_pixels
from tasks.digitise.scale import Scale

_PLACED = 0.05  # points: how well a line's corners stand


@dataclass
class Reading:
    """What was read of a page. tables: file -> (n, 4) of x, y and their errors, NaN rows between parts; page: as drawn.

    panels: those of `figures` with their places, also what has no axis.
    """

    figures: ReadFigures
    page: Page
    tables: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    panels: tuple[Panel, ...] = ()


def read_figures(path: Path, page: int = 1, figure: str = "") -> Reading:
    """Read the drawn figures of a page of a PDF.

    page: from 1. figure: only what belongs to the caption with this number, such as 3 or S2; all by default.
    Raises InputError: no PDF, a raster picture, no such page or figure; damaged, encrypted or overfull.
    """
    if not path.is_file():
        raise InputError("no such file", found=path, allowed="a PDF")
    with path.open("rb") as stream:
        head = stream.read(1024)
    if is_picture(head):
        pixels, panels = read_page_of_pixels(path)
        return reading_of(pixels, panels, path.name)
    if b"%PDF-" not in head:
        raise InputError("this is no PDF and no picture", found=path.name, allowed="PDF, PNG or JPEG")
    drawn = read_page(path, page)
    return reading_of(drawn, panels_of(drawn), path.name, figure)


def reading_of(page: Page, panels: Sequence[Panel], source: str, figure: str = "") -> Reading:
    """Panels as a checked result with tables. figure: as in `read_figures`."""
    chosen = [(panel, _caption(page, panel)) for panel in panels]
    if figure:
        chosen = [
            (panel, caption)
            for panel, caption in chosen
            if _number(caption) == figure.lower().removeprefix("fig")
        ]
        if not chosen:
            known = sorted({number for panel in panels if (number := _number(_caption(page, panel)))})
            raise InputError(
                "no panel belongs to this figure",
                found=figure,
                allowed=", ".join(known) or "no caption with a panel was found on this page",
                fix="leave --figure out: all panels of the page are read",
            )
    tables: dict[str, NDArray[np.float64]] = {}
    found = []
    for place, (panel, caption) in enumerate(chosen, 1):
        found.append(_panel(place, panel, caption, tables))
    refused = (
        ""
        if found
        else "no frame with ticks was found" + (": the page is a picture" if page.pictures else "")
    )
    return Reading(
        ReadFigures(source=source, page=page.number, panels=tuple(found), refused=refused),
        page,
        tables,
        tuple(panel for panel, _ in chosen),
    )


def _caption(page: Page, panel: Panel) -> str:
    x0, y0, x1, y1 = panel.frame.box
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    return next(
        (words for words, box in page.figures if box and box[0] < x < box[2] and box[1] < y < box[3]), ""
    )


def _number(caption: str) -> str:
    match = re.match(
        r"\W*(?:supplementary\s+)?fig(?:ure|\.)?\s*(S?\d{1,3}(?:\.\d{1,2}(?=\s*[:.|(]))?[a-z]?)",
        caption,
        re.IGNORECASE,
    )
    return match[1].lower() if match else ""


def _panel(number: int, panel: Panel, caption: str, tables: dict[str, NDArray[np.float64]]) -> ReadPanel:
    axes = list(
        {id(axis): axis for axis in panel.axes.values() if axis.words or axis.scale is not None}.values()
    )
    refused = panel.refused or ("" if panel.curves or panel.map else "no curve was found in it")
    curves = []
    not_read = list(dict.fromkeys(panel.not_read))
    for place, curve in enumerate(() if panel.refused else panel.curves, 1):
        x, y = panel.axes["bottom"].scale, panel.axes[curve.y_axis].scale
        assert x is not None and y is not None
        table = _table(curve, x, y)
        if not np.isfinite(table[~np.isnan(table[:, 0]), :4]).all():
            not_read.append(f"{hex_of(curve.colour)}: values beyond what numbers can hold")
            continue
        name = f"panel-{number}-curve-{place}.csv"
        tables[name] = table
        curves.append(_curve(curve, name, table, x, y, panel.axes[curve.y_axis].side))
    maps = () if refused or panel.map is None else (_map(number, panel, panel.map, tables),)
    if not curves and not maps and not refused:
        refused = "no curve of it could be read"
    box = panel.frame.box
    return ReadPanel(
        panel=number,
        frame=(box[0], box[1], box[2], box[3]),
        figure=" ".join(caption.split())[:200],
        axes=tuple(_axis(axis, panel) for axis in axes),
        curves=tuple(curves),
        maps=maps,
        refused=refused[:1000],
        not_read=tuple(words[:300] for words in not_read[:60]),
    )


def _map(number: int, panel: Panel, found: Map, tables: dict[str, NDArray[np.float64]]) -> ReadMap:
    x, y = panel.axes["bottom"].scale, panel.axes["left"].scale
    assert x is not None and y is not None
    at_x, at_y = np.meshgrid(x.values(found.x), y.values(found.y))
    table = np.column_stack([a.ravel() for a in (at_x, at_y, found.values, found.errors)])
    name = f"panel-{number}-map.csv"
    tables[name] = table[np.isfinite(table).all(1)]
    off = [
        float((scale.per_point(places) * (found.off + scale.residual)).max())
        for scale, places in ((x, found.x), (y, found.y))
    ]
    return ReadMap(
        name=found.name[:400],
        kind=found.scale.kind,
        columns=len(found.x),
        rows=len(found.y),
        known=found.known,
        x_error=off[0],
        y_error=off[1],
        value_error=float(np.nanpercentile(found.errors, 95)),
        file=name,
    )


def _axis(axis: Axis, panel: Panel) -> ReadAxis:
    scale = axis.scale
    return ReadAxis(
        side=axis.side,
        title=axis.title,
        labels=tuple((text[:40], value, place) for text, value, place in axis.labels[:60]),
        scale=None if scale is None else ReadScale(**vars(scale)),
        reversed=scale is not None and scale.slope < 0,
        factor=axis.factor,
        refused=axis.refused[:600],
        not_compared=axis.not_compared if scale is not None else "",
    )


def _table(curve: Drawn, x: Scale, y: Scale) -> NDArray[np.float64]:
    """x, y and their errors: half the line's width (or the marker's error), the axis' residual, and how well lines are placed."""
    rows: list[NDArray[np.float64]] = []
    for place, part in enumerate(curve.parts):
        off = places_off(curve, place)
        if rows:
            rows.append(np.full((1, 4), np.nan))
        values = x.values(part[:, 0]), y.values(part[:, 1])
        errors = (
            (off[:, axis] + scale.residual) * scale.per_point(part[:, axis])
            for axis, scale in enumerate((x, y))
        )
        rows.append(np.column_stack([*values, *errors]))
    table = np.vstack(rows)
    if curve.bars is None:
        return table
    ends = (np.sort(scale.values(curve.bars[:, k : k + 2]), axis=1) for k, scale in ((0, x), (2, y)))
    return np.column_stack([table, *ends])


def places_off(curve: Drawn, part: int) -> NDArray[np.float64]:
    """How far the places of a part may be off along x and y: half the line's width, or a marker's error, and how lines are placed."""
    own = curve.errors[part] if curve.errors is not None else np.zeros_like(curve.parts[part])
    return np.asarray(own + curve.across + _PLACED)


def _curve(curve: Drawn, file: str, table: NDArray[np.float64], x: Scale, y: Scale, side: Side) -> ReadCurve:
    rows = table[~np.isnan(table[:, 0])]
    errors = {}
    for axis, (name, scale) in enumerate((("x_error", x), ("y_error", y))):
        if scale.kind == "linear":
            errors[name] = float(rows[:, 2 + axis].max())
        else:
            errors[name + "_percent"] = float(100 * (rows[:, 2 + axis] / np.abs(rows[:, axis])).max())
    return ReadCurve(
        name=curve.name,
        kind="line" if curve.kind == "line" else "points",
        colour=hex_of(curve.colour),
        width=round(curve.width, 3),
        dash=curve.dash,
        marker=curve.marker,
        y_axis=side,
        points=len(rows),
        gaps=curve.gaps,
        bars=""
        if curve.bars is None
        else "".join(a for a, k in (("x", 0), ("y", 2)) if np.isfinite(curve.bars[:, k]).any()),
        file=file,
        **errors,
    )


def place_of(scale: ReadScale, value: float) -> float:
    """Where a value stands on an axis, in the unit of its frame; NaN or infinite where a logarithmic axis has no place for it."""
    with np.errstate(all="ignore"):
        line = np.log10(value) if scale.kind == "logarithmic" else value
    return float((line - scale.intercept) / scale.slope)
