"""A picture's figures read: frames and ticks, recognised labels, curves by colour, into the same panels as those of a drawing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from schemas.documents.digitised import Side
from tasks.digitise.axes import away
from tasks.digitise.curves import Drawn as Curve
from tasks.digitise.frames import Frame
from tasks.digitise.labels import Word
from tasks.digitise.maps import Bar, Map, map_in, with_axes
from tasks.digitise.page import Page
from tasks.digitise.page_axes import all_axes
from tasks.digitise.panels import Panel, settle, share
from tasks.digitise.raster.colours import Layer, Many, layers_of
from tasks.digitise.raster.picture import Picture, read_picture
from tasks.digitise.raster.pixel_labels import words_around
from tasks.digitise.raster.pixel_legend import Sample, beside_letters, without_legend
from tasks.digitise.raster.pixel_lines import Drawn, frame_with_ticks, frames_of
from tasks.digitise.raster.solid import solid_frames
from tasks.digitise.raster.tracing import NotTraced, traced
from tasks.digitise.work_clock import Clock

_SHARP, _SOFT = 6.0, 16.0  # distance of colours that are one
_OF_JPEG = 0.5  # pixels: 99 % of places move by less than 0.41 between a PNG and its JPEG, qualities 60 to 95
_PALE = 90.0  # distance of colours
_DARK = 110.0  # of 255: letters


def read_page_of_pixels(path: Path) -> tuple[Page, list[Panel]]:
    """A picture as a page of one panel or more. Raises InputError, PrerequisiteError without tesseract."""
    return panels_of_picture(read_picture(path))


def panels_of_picture(picture: Picture) -> tuple[Page, list[Panel]]:
    """As `read_page_of_pixels`. A point of the page is a pixel."""
    clock = Clock()
    drawn = frames_of(picture)[:20]
    filled, slim = solid_frames(picture)
    if slim:  # a map's frame is told from its lines no more
        drawn = [*(f for f in filled if not any(_inside(f, d) or _inside(d, f) for d in drawn)), *drawn][:20]
    page = Page(1, (float(picture.width), float(picture.height)), (0.0, 0.0), 1.0, [], [], [], picture.png)
    if not drawn:
        return page, []
    slim = [s for s in slim if not any(_inside(s, d) for d in drawn)]
    page.words = words_around(picture, [*drawn, *slim])
    clock.check()
    frames = [frame_with_ticks(frame, picture) for frame in (*drawn, *slim)]
    for ticked in frames:
        _corners(ticked, page.words)
    axes = all_axes(page, frames, clock)
    panels = [Panel(*one) for one in zip(frames[: len(drawn)], axes, strict=False)]
    bars = [Bar(frame, _is_upright(frame)) for frame in frames[len(drawn) :]]
    bars = with_axes(bars, axes[len(drawn) :], page)
    share(panels)
    samples: list[Sample] = []
    for frame, panel in zip(drawn, panels, strict=True):
        clock.check()
        inner = [other for other in drawn if other is not frame and _inside(other, frame)]
        samples += _curves(picture, frame, panel, inner)
        settle(panel)
        if (
            bars
            and not panel.refused
            and isinstance(
                found := map_in(panel.frame.box, bars, page, _SOFT if picture.soft else _SHARP), Map
            )
        ):
            panel.map, panel.curves, panel.not_read = found, [], [found.beyond] if found.beyond else []
    _names(picture, samples)
    order = sorted(panels, key=lambda panel: (-round(panel.frame.box[3] / 80), panel.frame.box[0]))
    labelled = [panel for panel in order if any(axis.words for axis in panel.axes.values())]
    return page, labelled or order[:1]


def _is_upright(frame: Frame) -> bool:
    x0, y0, x1, y1 = frame.box
    return y1 - y0 > x1 - x0


def _corners(frame: Frame, words: Sequence[Word]) -> None:
    """A tick at a corner is hidden by the frame's own line: it is there where a label stands."""
    x0, y0, x1, y1 = frame.box
    for side, ends in (("bottom", (x0, x1)), ("top", (x0, x1)), ("left", (y0, y1)), ("right", (y0, y1))):
        name: Side = side  # type: ignore[assignment]
        along = 0 if side in ("bottom", "top") else 1
        for end in ends:
            ticks = frame.ticks[name]
            if len(ticks) < 2 or np.abs(ticks - end).min() < 4:
                continue
            for word in words:
                box = word.box
                beside = -2 < away(frame, name, word) < frame.reach[name] + 2.5 * word.size
                if beside and abs((box[along] + box[along + 2]) / 2 - end) < 0.25 * word.size:
                    frame.ticks[name] = np.sort(np.append(frame.ticks[name], end))
                    frame.long[name] = np.sort(np.append(frame.long[name], end))
                    break


def _inside(inner: Drawn, outer: Drawn) -> bool:
    return (
        outer.left - 2 <= inner.left
        and inner.right <= outer.right + 2
        and outer.top - 2 <= inner.top
        and inner.bottom <= outer.bottom + 2
    )


def _curves(picture: Picture, frame: Drawn, panel: Panel, inner: list[Drawn]) -> list[Sample]:
    """Fill a panel with what can be traced of each colour, and say what cannot; what its legend shows."""
    edge = int(np.ceil(frame.width / 2 + 1.5))
    left, top = int(np.ceil(frame.left)) + edge, int(np.ceil(frame.top)) + edge
    right, bottom = int(frame.right) - edge + 1, int(frame.bottom) - edge + 1
    rgb = picture.rgb[top:bottom, left:right].copy()
    if min(rgb.shape[:2]) < 20:
        return []
    ground = _ground(rgb)
    for other in inner:
        reach = int(0.14 * (other.right - other.left)) + 12  # its labels too
        rgb[
            max(int(other.top) - 6 - top, 0) : max(int(other.bottom) + reach - top, 0),
            max(int(other.left) - reach - left, 0) : max(int(other.right) + 6 - left, 0),
        ] = ground
    if inner:
        panel.not_read.append("the part around an inset")
    _no_ticks(rgb, ground, panel)
    _no_grid(rgb, ground)
    try:
        layers = layers_of(rgb, ground, picture.soft)
    except Many as reason:
        panel.not_read.append(str(reason))
        return []
    ink = np.sqrt(((rgb - ground) ** 2).sum(2)) > 45
    dark = rgb.max(2) < _DARK if ground.mean() > 127 else rgb.min(2) > 255 - _DARK
    _unexplained(ink, layers, panel)
    layers, samples = without_legend(layers, ink, left, top)
    for layer, sample in zip(layers, samples, strict=True):
        words = "#" + "".join(f"{part:02x}" for part in layer.colour)
        if (
            np.ptp(layer.colour) < 14
            and float(np.sqrt(((np.array(layer.colour) - ground) ** 2).sum())) < _PALE
        ):
            panel.not_read.append(f"{words}: a pale grey, as grids have")
            continue
        try:
            found = traced(layer.cover, ink & (layer.cover <= 0.05))
        except NotTraced as reason:
            panel.not_read.append(f"{words}: {reason}")
            continue
        if found.level and sample is None:
            panel.not_read.append(
                f"{words}: a level line all across, which may mark a value or be a constant curve"
            )
            continue
        if found.points:
            lettered = beside_letters(found.parts[0], found.width, dark & (layer.cover <= 0.05))
            if lettered.any():
                panel.not_read.append(f"{words}: {lettered.sum()} marks beside letters: of the legend?")
                found.parts, found.errors = [found.parts[0][~lettered]], [found.errors[0][~lettered]]
            if len(found.parts[0]) < 3:
                continue
        if found.left_out:
            panel.not_read.append(
                f"{words}: {found.left_out} pixels in small pieces: letters, marks, or another line that is dashed?"
            )
        parts = [
            np.column_stack([part[:, 0] + left, picture.height - 1 - (part[:, 1] + top)])
            for part in found.parts
        ]
        if picture.soft:
            found.errors = [error + _OF_JPEG for error in found.errors]
        curve = Curve(
            "points" if found.points else "line", (*layer.colour, 255), found.width, (), parts, 0.0,
            marker="mark" if found.points else "", gaps=found.gaps, errors=found.errors,
        )  # fmt: skip
        panel.curves.append(curve)
        if sample is not None:
            sample.curve = curve
    return [sample for sample in samples if sample is not None and sample.curve is not None]


def _unexplained(ink: NDArray[np.bool_], layers: list[Layer], panel: Panel) -> None:
    """Say that there is ink which belongs to no colour that was found, where it may be a curve."""
    seen = np.max([layer.cover for layer in layers], axis=0) > 0.05 if layers else np.zeros_like(ink)
    rest = ink & ~ndimage.binary_dilation(seen, iterations=2)
    marked, count = ndimage.label(rest, structure=np.ones((3, 3)))
    wide = [box[1].stop - box[1].start for box in ndimage.find_objects(marked)]
    if count and (max(wide) > 0.05 * ink.shape[1] or rest.sum() > 0.0006 * ink.size):
        panel.not_read.append(
            f"ink whose colour is not clear, {int(rest.sum())} pixels: a thin or pale line?"
        )


def _ground(rgb: NDArray[np.float32]) -> NDArray[np.float32]:
    codes = (rgb // 8).astype(np.int64) @ np.array([1024, 32, 1])
    most = np.bincount(codes.ravel()).argmax()
    return np.asarray(np.median(rgb[codes == most], axis=0), dtype=np.float32)


def _no_ticks(rgb: NDArray[np.float32], ground: NDArray[np.float32], panel: Panel) -> None:
    """Take what ticks leave at the edges of a panel away where it stands at a tick's place."""
    depth = max(4, int(0.03 * min(rgb.shape[:2])))
    ink = np.sqrt(((rgb - ground) ** 2).sum(2)) > 45
    marked, count = ndimage.label(ink)
    for number, box in enumerate(ndimage.find_objects(marked), 1):
        tall, wide = box[0].stop - box[0].start, box[1].stop - box[1].start
        upright = wide <= 4 and tall <= depth and (box[0].start == 0 or box[0].stop == rgb.shape[0])
        level = tall <= 4 and wide <= depth and (box[1].start == 0 or box[1].stop == rgb.shape[1])
        if upright or level:
            part = rgb[box]
            part[marked[box] == number] = ground
    del panel, count


def _no_grid(rgb: NDArray[np.float32], ground: NDArray[np.float32]) -> None:
    """Take level and upright lines of one light colour away that run across the whole panel."""
    ink = np.sqrt(((rgb - ground) ** 2).sum(2)) > 12
    grey = np.ptp(rgb, axis=2) < 14
    for axis in (0, 1):
        share = (ink & grey).mean(axis)
        for place in np.flatnonzero(share > 0.8):
            line = rgb[:, place] if axis == 0 else rgb[place]
            colour = np.median(line, axis=0)
            if np.sqrt(((colour - ground) ** 2).sum()) > 200:
                continue  # black: it may be a curve
            same = np.sqrt(((line - colour) ** 2).sum(1)) < 30
            line[same] = ground


def _names(picture: Picture, samples: list[Sample]) -> None:
    """Give curves the words beside their samples; none where they are not sure."""
    from tasks.digitise.raster.recognised import recognised

    crops = [sample.words(picture) for sample in samples]
    keep = [(sample, crop) for sample, crop in zip(samples, crops, strict=True) if crop is not None]
    texts = recognised([crop for _, crop in keep], [0.6 * crop.shape[0] for _, crop in keep])
    for (sample, _), text in zip(keep, texts, strict=False):
        if sample.curve is not None and len(text) > 0:
            sample.curve.name = text[:200]
