"""The page on which a person mends a figure: the picture and what was read of it, in one HTML file without any network."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from PIL import Image

from schemas.documents.mended import FORM
from schemas.text.visible import one_visible_line
from tasks.digitise.axes import Axis
from tasks.digitise.curves import Drawn
from tasks.digitise.maps import Map
from tasks.digitise.overlay import shown_part
from tasks.digitise.panels import Panel
from tasks.digitise.reading import Reading, places_off

_HERE = Path(__file__).resolve().parent
_READ = re.compile(r'(<script type="application/json" id="read">)([^<]*)(?=</script>)')
_MOST_POINTS = 4000  # of a curve on the page


def crop_of(reading: Reading) -> tuple[bytes, float, tuple[float, float]]:
    """The picture that is mended as PNG, its pixels a point, and the page's place (x, y) of its upper left corner."""
    page = reading.page
    image = Image.open(io.BytesIO(page.picture), formats=("PNG",)).convert("RGB")
    s, (left, low) = page.scale, page.corner
    high = low + page.size[1]
    x0, y0, x1, y1 = shown_part(reading)
    box = (
        max(int((x0 - left) * s), 0),
        max(int((high - y1) * s), 0),
        min(int((x1 - left) * s), image.width),
        min(int((high - y0) * s), image.height),
    )
    out = io.BytesIO()
    image.crop(box).save(out, "PNG")
    return out.getvalue(), s, (left + box[0] / s, high - box[1] / s)


def digest_of(picture: bytes) -> str:
    """What ties saved JSON to the picture that it was mended on."""
    return hashlib.sha256(picture).hexdigest()


def _read_of(reading: Reading, picture: bytes, scale: float, corner: tuple[float, float]) -> dict[str, Any]:
    """What was read, in the form that the page saves; curves say besides that they are kept."""
    half = 0.0 if reading.page.strokes else 0.5  # places in a picture are those of pixels' middles

    def at(x: float, y: float) -> tuple[float, float]:
        return round((x - corner[0]) * scale - 0.5 + half, 2), round((corner[1] - y) * scale - 0.5 - half, 2)

    panels = [_panel(panel, at, scale) for panel in reading.panels]
    return {"form": FORM, "picture": digest_of(picture), "panels": panels}


def proposal_of(reading: Reading) -> dict[str, Any]:
    """What was read, as the page would save it: panels that were not refused, with two axes and at least a curve."""
    found = _read_of(reading, *crop_of(reading))
    panels = [
        panel for panel, offered in zip(found["panels"], _offered(reading, found), strict=True) if offered
    ]
    for panel in panels:
        panel["curves"] = [{k: v for k, v in curve.items() if k != "kept"} for curve in panel["curves"]]
    return {**found, "panels": panels}


def _offered(reading: Reading, found: dict[str, Any]) -> list[int]:
    """Which of the proposal's panels each panel of the page is, from 1; 0 where it is none."""
    offered: list[int] = []
    for panel, read in zip(found["panels"], reading.figures.panels, strict=True):
        full = panel["curves"] or panel["maps"]
        taken = not read.refused and full and min(len(panel[a]["marks"]) for a in "xy") > 1
        offered.append(1 + max(offered, default=0) if taken else 0)
    return offered


def seen_axes(reading: Reading) -> list[dict[str, Any]]:
    """The axes of each panel of the page, with their ticks, as `schemas.documents.mended.SeenAxis` has them."""
    picture, scale, corner = crop_of(reading)
    found = _read_of(reading, picture, scale, corner)
    half = 0.0 if reading.page.strokes else 0.5
    seen = []
    for number, (panel, shown, offered) in enumerate(
        zip(reading.panels, found["panels"], _offered(reading, found), strict=True), 1
    ):
        x0, y0, x1, y1 = shown["frame"]
        for which, side, ends in (("x", "bottom", (x0, x1)), ("y", "left", (y1, y0))):
            axis = panel.axes.get(side)  # type: ignore[call-overload]
            own = axis.side if axis is not None else side
            places = np.asarray(panel.frame.ticks.get(own, ()), float)  # type: ignore[arg-type]
            at = (
                (places - corner[0]) * scale - 0.5 + half
                if which == "x"
                else (corner[1] - places) * scale - 0.5 - half
            )
            read = axis is not None and axis.scale is not None
            seen.append({
                "panel": number, "offered": offered, "axis": which, "ends": ends,
                **{key: shown[which][key] for key in ("name", "unit", "marks")},
                "kind": shown[which]["kind"] if read else "",
                "refused": "" if read or axis is None else axis.refused[:300],
                "not_compared": axis.not_compared if read else "",
                "ticks": np.round(at[:200], 2).tolist(),
            })  # fmt: skip
    return seen


def with_axes_of(page: str, axes: list[dict[str, Any]], names: dict[tuple[int, int], str], note: str) -> str:
    """The page's HTML with other axes and names of curves. axes: as `seen_axes`; names: by panel and place in it, from 1; note: whose."""
    match = _READ.search(page)
    if match is None:
        return page
    state = json.loads(match[2])
    for axis in axes:
        shown = state["panels"][axis["panel"] - 1][axis["axis"]]
        shown |= {key: axis[key] for key in ("name", "unit", "kind", "marks") if axis[key]}
    for (panel, place), name in names.items():
        state["panels"][panel - 1]["curves"][place - 1]["name"] = name
    page = page[: match.start(2)] + json.dumps(state).replace("<", "\\u003c") + page[match.end(2) :]
    return page.replace("<h2>x axis</h2>", f'<p class="bad">{escape(note)}</p><h2>x axis</h2>', 1)


def mending_page(reading: Reading, title: str, command: str, file: str) -> str:
    """The HTML. command: what to type afterwards. file: what the page saves under."""
    picture, scale, corner = crop_of(reading)
    script = (_HERE / "page.js").read_text(encoding="utf-8")
    read = {**_read_of(reading, picture, scale, corner), "file": file}
    notes = [
        one_visible_line(f"panel {panel.panel}: {words}", 200)
        for panel in reading.figures.panels
        for words in ((panel.refused, *panel.not_read) if panel.refused else panel.not_read)
    ]
    notes += [
        f"panel {panel.panel}: its map is saved as it was read"
        for panel in reading.figures.panels
        if panel.maps
    ]
    if reading.figures.refused:
        notes.append(one_visible_line(reading.figures.refused, 200))
    environment = Environment(loader=FileSystemLoader(_HERE), autoescape=True, undefined=StrictUndefined)
    return environment.get_template("page.html.j2").render(
        title=one_visible_line(title, 120),
        command=command,
        hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        script=Markup(script),  # noqa: S704  ours
        picture=base64.b64encode(picture).decode(),
        read=Markup(json.dumps(read).replace("<", "\\u003c")),  # noqa: S704  no tag can begin in it
        notes=notes,
    )


def _panel(panel: Panel, at: Any, scale: float) -> dict[str, Any]:
    """Frame, axes and curves in places, also of a panel without a scale: then a person says what stands at the marks."""
    x0, y1 = at(panel.frame.box[0], panel.frame.box[1])
    x1, y0 = at(panel.frame.box[2], panel.frame.box[3])
    sides = {side for curve in panel.curves for side in [curve.y_axis]} or {"left"}
    upright = panel.axes[sides.pop()] if len(sides) == 1 else None
    return {
        "frame": [x0, y0, x1, y1],
        "x": _axis(panel.axes["bottom"], lambda place: at(place, 0.0)[0]),
        "y": _axis(upright, lambda place: at(0.0, place)[1]),
        "curves": [
            {
                "name": curve.name,
                "kind": "line" if curve.kind == "line" else "points",
                "kept": True,
                "parts": _parts(curve, at, scale),
                "bars": _bars(curve, at),
            }
            for curve in panel.curves
        ],
        "maps": [] if panel.map is None else [_map(panel.map, at, scale)],
    }


def _bars(curve: Drawn, at: Any) -> list[list[float]]:
    """Where the error bars of each point end; its own place where it has none."""
    if curve.bars is None or len(curve.bars) > _MOST_POINTS:
        return []
    ends = []
    for (x, y), (left, right, low, high) in zip(curve.parts[0].tolist(), curve.bars.tolist(), strict=True):
        (a, top), (b, bottom) = at(_or(left, x), _or(high, y)), at(_or(right, x), _or(low, y))
        ends.append([a, b, top, bottom])
    return ends


def _or(value: float, otherwise: float) -> float:
    return value if value == value else otherwise


def _map(found: Map, at: Any, scale: float) -> dict[str, Any]:
    name, unit = _named(found.name)
    points = [
        [*at(x, y), float(f"{value:.7g}"), float(f"{error:.3g}")]
        for y, values, errors in zip(
            found.y.tolist(), found.values.tolist(), found.errors.tolist(), strict=True
        )
        for x, value, error in zip(found.x.tolist(), values, errors, strict=True)
        if value == value and error == error
    ]
    return {"name": name, "unit": unit, "off": round(found.off * scale, 2), "points": points}


def _named(title: str) -> tuple[str, str]:
    """Name and unit of an axis' title."""
    match = re.fullmatch(r"(.{1,50}?)[\s,/]*[(\[]([^()\[\]]{1,18})[)\]]", title.strip())
    return (match[1], match[2]) if match else (title[:50], "")


def _axis(axis: Axis | None, at: Any) -> dict[str, Any]:
    """Its outermost labels as marks, and one between; without a scale, what was read at its ticks."""
    if axis is None:
        return {"kind": "linear", "name": "", "unit": "", "marks": []}
    labels = axis.labels if axis.scale is not None else [("", value, place) for value, place in axis.found]
    labels = sorted(labels, key=lambda label: label[2])
    chosen = labels if len(labels) < 4 else [labels[0], labels[len(labels) // 2], labels[-1]]
    name, unit = _named(axis.title)
    kind = "linear" if axis.scale is None else axis.scale.kind
    return {
        "kind": kind,
        "name": name,
        "unit": unit,
        "marks": [[at(place), value] for _, value, place in chosen],
    }


def _parts(curve: Drawn, at: Any, scale: float) -> list[list[list[float]]]:
    step = max(1, sum(map(len, curve.parts)) // _MOST_POINTS)
    parts = []
    for number, part in enumerate(curve.parts):
        off = places_off(curve, number) * scale
        points = [
            [*at(x, y), round(dx, 2), round(dy, 2)]
            for (x, y), (dx, dy) in zip(part.tolist(), off.tolist(), strict=True)
        ]
        parts.append(points if len(points) <= 4 else [*points[:-1:step], points[-1]])
    return parts
