"""The axes of all frames of a page: numbers between two panels belong to one of them; factors and titles."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemas.documents.digitised import Side
from tasks.digitise.axes import Axis, away, axis_of, with_factor
from tasks.digitise.frames import Frame
from tasks.digitise.labels import factor_of, may_hold_factor, plain
from tasks.digitise.legend import phrase
from tasks.digitise.page import Page
from tasks.digitise.signs import lost_signs
from tasks.digitise.work_clock import Clock

SIDES: tuple[Side, ...] = ("bottom", "top", "left", "right")


def all_axes(page: Page, frames: list[Frame], clock: Clock) -> list[dict[Side, Axis]]:
    """The axes of each frame by side, with factors and titles; numbers between two panels belong to one of them."""
    first = [{side: axis_of(frame, side, page.words, None, frames) for side in SIDES} for frame in frames]
    clock.check()
    texts = [plain(word.text) for axes in first for axis in axes.values() for word in axis.words]
    commas = sum(bool(re.search(r"\d,\d{1,2}$|\d,\d{4,}$|^-?0,\d|\d\.\d{3}\.\d{3}", text)) for text in texts)
    points = sum(bool(re.search(r"\d\.\d{1,2}$|\d\.\d{4,}$|^-?0\.\d|\d,\d{3},\d{3}", text)) for text in texts)
    comma = None if bool(commas) == bool(points) else bool(commas)
    if comma is not None:
        first = [
            {side: axis_of(frame, side, page.words, comma, frames) for side in SIDES} for frame in frames
        ]
    _one_owner(frames, first)
    labels = {id(word) for axes in first for axis in axes.values() for word in axis.words}
    sure = {id(word) for axes in first for axis in axes.values() if axis.scale for word in axis.words}
    rest = [word for word in page.words if id(word) not in labels]
    factors = rest + [  # what stands among the labels of an axis without a scale may be another's factor
        w for w in page.words if id(w) in labels - sure and (factor_of(w.text) or may_hold_factor(w.text))
    ]
    pixels = not page.strokes
    for frame, axes in zip(frames, first, strict=True):
        for axis in axes.values():
            if why := lost_signs(axis, pixels):
                axis.scale, axis.refused = None, why
            with_factor(axis, frame, factors, list(zip(frames, first, strict=True)), pixels)
            _title(axis, frame, rest)
    return first


def _one_owner(frames: list[Frame], found: list[dict[Side, Axis]]) -> None:
    """Leave numbers between two panels to one: the axis that they give a scale, else the nearer; the other has none there."""
    claims: dict[int, list[tuple[bool, float, int, Side]]] = {}
    for number, axes in enumerate(found):
        for side, axis in axes.items():
            for word in axis.words:
                claims.setdefault(id(word), []).append(
                    (axis.scale is None, away(frames[number], side, word), number, side)
                )
    for several in claims.values():
        for _, _, number, side in sorted(several)[1:]:
            found[number][side] = Axis(side, refused="no numbers stand at its ticks", silent=True)


def _title(axis: Axis, frame: Frame, words: Sequence[object]) -> None:
    """The words beside the labels, along the axis."""
    x0, y0, x1, y1 = frame.box
    best: tuple[float, object] | None = None
    level = axis.side in ("bottom", "top")
    for word in words:
        bx0, by0, bx1, by1 = word.box  # type: ignore[attr-defined]
        size, turned = word.size, word.turned  # type: ignore[attr-defined]
        if turned == level and level:
            continue
        gap = {"bottom": y0 - by1, "top": by0 - y1, "left": x0 - bx1, "right": bx0 - x1}[axis.side]
        middle = (bx0 + bx1) / 2 if level else (by0 + by1) / 2
        low, high = (x0, x1) if level else (y0, y1)
        if (
            (level or turned)
            and 0 < gap < frame.reach[axis.side] + 7 * size
            and low < middle < high
            and (best is None or gap < best[0])
        ):
            best = gap, word
    if best is not None:
        mine = [word for word in words if word.turned == best[1].turned]  # type: ignore[attr-defined]
        back, start = phrase(mine, best[1], False)  # type: ignore[arg-type]
        axis.title = phrase(mine, start)[0][:400]  # type: ignore[arg-type]
