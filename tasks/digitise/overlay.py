"""The page with what was read drawn over it: axes' labels at their ticks, curves' points, refused panels crossed out."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from schemas.documents.digitised import ReadPanel
from tasks.digitise.maps import Map
from tasks.digitise.reading import Reading, place_of

_CURVES = ("#e6007e", "#00a0ff", "#00b050", "#ff8000", "#7030a0", "#00c0c0", "#a0a000", "#c00000")
_MARGIN, _SPARE = 60.0, 3.0  # points around the panels, and around words beside them
_TITLES = 8.0  # of its letters' size: how far from the labels a title or factor stands at most
_ZOOM = 2


def overlay_of(reading: Reading) -> bytes:
    """A PNG of the part of the page where panels are. Points are redrawn from the numbers, not from the drawing."""
    page = reading.page
    image = Image.open(io.BytesIO(page.picture), formats=("PNG",)).convert("RGB")
    image = Image.blend(image, Image.new("RGB", image.size, "white"), 0.55)
    left, low, right, top = shown_part(reading)
    s, corner = page.scale, page.corner
    box = (
        max(int((left - corner[0]) * s), 0),
        max(int((page.size[1] - (top - corner[1])) * s), 0),
        min(int((right - corner[0]) * s), image.width),
        min(int((page.size[1] - (low - corner[1])) * s), image.height),
    )
    if box[2] - box[0] > 2 and box[3] - box[1] > 2:
        image = image.crop(box)
    zoom = _ZOOM if max(image.size) < 1800 else 1
    image = image.resize((image.width * zoom, image.height * zoom))
    draw = ImageDraw.Draw(image)
    tall = max(5.5 * s * zoom, image.width / 90)
    font = ImageFont.load_default(size=tall)

    def at(x: float, y: float) -> tuple[float, float]:
        return ((x - corner[0]) * s - box[0]) * zoom, ((page.size[1] - (y - corner[1])) * s - box[1]) * zoom

    order = 0
    for panel in reading.figures.panels:
        x0, y0, x1, y1 = panel.frame
        a, b = at(x0, y1), at(x1, y0)
        draw.rectangle((*a, *b), outline="#c00000" if panel.refused else "#008000", width=2)
        draw.text(
            (a[0], a[1] - 4),
            f"panel {panel.panel}{': refused' if panel.refused else ''}",
            fill="#c00000",
            font=font,
            anchor="lb",
        )
        if panel.refused:
            draw.line((*a, *b), fill="#c00000", width=2)
        _labels(draw, panel, at, font)
        for found in (
            p.map for p in reading.panels[panel.panel - 1 : panel.panel] if p.map and not panel.refused
        ):
            _map(draw, found, at)
        named: list[tuple[int, str, list[tuple[float, float]]]] = []
        for number, curve in enumerate(panel.curves):
            scales = {axis.side: axis.scale for axis in panel.axes}
            x_scale = scales.get("bottom") or scales.get("top")
            y_scale = scales.get(curve.y_axis) or scales.get("left") or scales.get("right")
            if x_scale is None or y_scale is None:
                continue
            colour = _CURVES[number % len(_CURVES)]
            rows = reading.tables[curve.file].tolist()
            seen = [
                None if r[0] != r[0] else at(place_of(x_scale, r[0]), place_of(y_scale, r[1])) for r in rows
            ]
            for before, after in zip(seen, seen[1:], strict=False) if curve.kind == "line" else ():
                if before and after:
                    draw.line([before, after], fill=colour, width=zoom)
            if places := [place for place in seen if place]:
                named.append((order + number + 1, colour, places))
            for x, y, _, _, *bars in rows:
                for ends in ([(end, y) for end in bars[:2]], [(x, end) for end in bars[2:]]) if bars else ():
                    if all(value == value for end in ends for value in end):
                        draw.line(
                            [at(place_of(x_scale, a), place_of(y_scale, b)) for a, b in ends],
                            fill=colour,
                            width=zoom,
                        )
                if x == x:
                    px, py = at(place_of(x_scale, x), place_of(y_scale, y))
                    r = 1.5 * zoom
                    draw.ellipse((px - r, py - r, px + r, py + r), outline=colour)
        _numbers(draw, named, ImageFont.load_default(size=1.5 * tall))
        order += 0 if panel.refused else len(panel.curves) + len(panel.maps)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _numbers(draw, named, font) -> None:  # type: ignore[no-untyped-def]
    """Each curve's number among those of its figure, as the question names it, where the curve is farthest from the others.

    named: number, colour and places of each curve.
    """
    few = [np.array(places)[:: len(places) // 80 + 1] for _, _, places in named]
    for k, (number, colour, _) in enumerate(named):
        others = [points for j, points in enumerate(few) if j != k]
        away = np.full(len(few[k]), np.inf)
        for points in others:
            away = np.minimum(away, np.hypot(*(few[k][:, None] - points[None]).transpose(2, 0, 1)).min(1))
        x, y = few[k][int(np.argmax(away)) if others else len(few[k]) // 2]
        draw.text(
            (x + 5, y - 5),
            str(number),
            fill=colour,
            font=font,
            anchor="ls",
            stroke_width=4,
            stroke_fill="white",
        )


def _map(draw: ImageDraw.ImageDraw, found: Map, at) -> None:  # type: ignore[no-untyped-def]
    """A dot at each point of a map, in the colour that its value has on the colour bar: from the number, not from the map."""
    colours = found.colour_of(found.values)
    for y, row in zip(found.y.tolist(), colours, strict=True):
        for x, colour in zip(found.x.tolist(), row, strict=True):
            if colour is not None:
                px, py = at(x, y)
                draw.ellipse((px - 2, py - 2, px + 2, py + 2), fill=colour)


def _labels(draw: ImageDraw.ImageDraw, panel: ReadPanel, at, font) -> None:  # type: ignore[no-untyped-def]
    x0, y0, x1, y1 = panel.frame
    for axis in panel.axes:
        for _, value, place in axis.labels:
            x, y = {"bottom": (place, y0), "top": (place, y1), "left": (x0, place), "right": (x1, place)}[
                axis.side
            ]
            px, py = at(x, y)
            draw.ellipse((px - 3, py - 3, px + 3, py + 3), outline="#0000ff", width=2)
            draw.text((px + 4, py + 2), f"{value:g}", fill="#0000ff", font=font)


def shown_part(reading: Reading) -> tuple[float, float, float, float]:
    """The part that is shown: all of a picture; of a page the panels with their axes' labels, titles and factors."""
    page = reading.page
    x, y = page.corner
    if not page.strokes or not reading.panels:
        return (x, y, x + page.size[0], y + page.size[1])
    boxes = [(f[0] - _MARGIN, f[1] - _MARGIN, f[2] + _MARGIN, f[3] + _MARGIN) for f in _frames(reading)]
    for panel in reading.panels:
        reach = max(panel.frame.reach.values(), default=0.0)
        labels = [word for axis in panel.axes.values() for word in axis.words]
        wide = [word.box[2] - word.box[0] for word in labels]
        around = max([*wide, 0.0]) + reach
        x0, y0, x1, y1 = panel.frame.box
        for word in (*labels, *page.words):
            far = around + _TITLES * word.size
            a, b, c, d = word.box
            if a < x1 + far and c > x0 - far and b < y1 + far and d > y0 - far:
                boxes.append((a - _SPARE, b - _SPARE, c + _SPARE, d + _SPARE))
    return (
        min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes)
    )  # fmt: skip


def _frames(reading: Reading) -> list[tuple[float, float, float, float]]:
    return [panel.frame for panel in reading.figures.panels]
