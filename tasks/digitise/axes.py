"""The axes of a frame: rows of numbers beside its sides, voted onto ticks, and the scale that they make."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from schemas.documents.digitised import Side
from tasks.digitise.frames import Frame, inside
from tasks.digitise.labels import Word, factor_of, may_hold_factor, number, plain
from tasks.digitise.scale import NoScale, Scale, scale_of

_BESIDE = 3.2  # of the letters' size: how far from its ticks a label stands at most


@dataclass
class Axis:
    """An axis of a frame: labels as (words, value, place), its scale or why it has none.

    silent: no number stands beside it, so that nothing says that it is an axis of its own.
    found: numbers at ticks of an axis that has no scale, as (value, place). not_compared: why its labels were not held against the
    rendered page.
    """

    side: Side
    labels: list[tuple[str, float, float]] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    scale: Scale | None = None
    refused: str = ""
    factor: float = 1.0
    title: str = ""
    silent: bool = False
    found: list[tuple[float, float]] = field(default_factory=list)
    not_compared: str = ""

    @property
    def colour(self) -> tuple[int, int, int]:
        """The colour of its labels."""
        return self.words[0].colour if self.words else (0, 0, 0)


def axis_of(
    frame: Frame, side: Side, words: Sequence[Word], comma: bool | None, others: Sequence[Frame] = ()
) -> Axis:
    """The axis of a frame's side. comma: whether the page writes decimal commas; None if unknown. others: the page's frames."""
    axis = Axis(side)
    apart = [o for o in others if o is not frame and not inside(frame.box, o.box)]
    row = _row(frame, side, [word for word in words if not any(_within(word, o) for o in apart)])
    row = [word for word in row if not _next_panels(frame, side, word)]
    numbers = [
        word for word in row if number(word.text, False) is not None or number(word.text, True) is not None
    ]
    axis.words = numbers
    if len(numbers) < 2 and not _at_own_ticks(frame, side, row, 1 if numbers else 2):
        axis.words, axis.silent = [], True
        axis.refused = "no numbers stand at its ticks"
        return axis
    if not numbers:
        axis.refused = f"its labels are no numbers: {_some(row)}"
        return axis
    try:
        places = _voted(frame, side, numbers, row)
        values = [number(word.text, bool(comma)) for word in numbers]
        axis.found = [(v, float(p)) for v, p in zip(values, places, strict=True) if v is not None]
        axis.scale, known = _scale(frame, side, numbers, places, comma)
        axis.labels = [
            (plain(word.text), value, float(place))
            for word, value, place in zip(numbers, known, places, strict=True)
        ]
    except NoScale as reason:
        axis.scale = None
        axis.refused = f"{reason} ({_some(numbers)})"
    return axis


def _some(words: Sequence[Word]) -> str:
    shown = ", ".join(plain(word.text)[:20] for word in words[:8])
    return shown + (", ..." if len(words) > 8 else "")


def _along(side: Side) -> int:
    return 0 if side in ("bottom", "top") else 1


def _middle(word: Word, axis: int) -> float:
    box = word.box
    return (box[axis] + box[axis + 2]) / 2


def _row(frame: Frame, side: Side, words: Sequence[Word]) -> list[Word]:
    """The words that stand where the labels of a side do: the row, or column, nearest to it that holds a number."""
    x0, y0, x1, y1 = frame.box
    along = _along(side)
    low, high = (x0, x1) if along == 0 else (y0, y1)
    reach = frame.reach[side]
    near = []
    for word in words:
        size = word.size
        gap = away(frame, side, word)
        if (
            -0.35 * size < gap < reach + _BESIDE * size
            and low - 0.55 * size < _middle(word, along) < high + 0.55 * size
        ):
            near.append((gap, word))
    best: list[Word] = []
    for turned in (False, True):
        mine = sorted((pair for pair in near if pair[1].turned == turned), key=lambda pair: pair[0])
        rows: list[list[Word]] = []
        for _, word in mine:
            for row in rows:
                if _same_row(row[0], word, side, turned):
                    row.append(word)
                    break
            else:
                rows.append([word])
        for row in rows[:3]:
            count = sum(
                number(word.text, False) is not None or number(word.text, True) is not None for word in row
            )
            if count >= 2 and count > len(best):
                best = row
                break
    best = best or (
        [word for _, word in sorted(near, key=lambda pair: pair[0])][:1] if near and near[0][1].size else []
    )
    return sorted(best, key=lambda word: _middle(word, along))


def _next_panels(frame: Frame, side: Side, word: Word) -> bool:
    """Whether a word stands beyond an end of a side, away from every tick: the panel that adjoins there has it."""
    along, ticks = _along(side), frame.ticks[side]
    place = _middle(word, along)
    beyond = max(frame.box[along] - place, place - frame.box[along + 2]) > 0
    return beyond and bool(len(ticks)) and float(np.abs(ticks - place).min()) > 0.15 * word.size


def _within(word: Word, frame: Frame) -> bool:
    x0, y0, x1, y1 = frame.box
    return x0 < _middle(word, 0) < x1 and y0 < _middle(word, 1) < y1


def _at_own_ticks(frame: Frame, side: Side, row: Sequence[Word], least: int) -> bool:
    """Whether words stand at ticks that this side itself has."""
    ticks, along = frame.own[side], _along(side)
    hits = [
        word for word in row if len(ticks) and np.abs(ticks - _middle(word, along)).min() < 0.5 * word.size
    ]
    return len(hits) >= least


def away(frame: Frame, side: Side, word: Word) -> float:
    """How far a word stands outside a side of a frame, points."""
    box, (x0, y0, x1, y1) = word.box, frame.box
    return {"bottom": y0 - box[3], "top": box[1] - y1, "left": x0 - box[2], "right": box[0] - x1}[side]


def _same_row(first: Word, word: Word, side: Side, turned: bool) -> bool:
    """Words across: the same baseline below or above a frame; beside it, a column whose edges lie near each other."""
    if (side in ("bottom", "top")) != turned:
        return abs(first.base - word.base) < 0.3 * first.size
    axis = 1 if side in ("bottom", "top") else 0
    a, b = first.box, word.box
    ends = (
        abs(a[axis] - b[axis]),
        abs(a[axis + 2] - b[axis + 2]),
        abs(_middle(first, axis) - _middle(word, axis)),
    )
    return min(ends) < 0.8 * first.size


def _voted(frame: Frame, side: Side, numbers: list[Word], row: list[Word]) -> NDArray[np.float64]:
    """The tick of every number, by one distance that all labels share. Raises NoScale."""
    along = _along(side)
    labels = np.array([_middle(word, along) for word in numbers])
    size = float(np.median([word.size for word in numbers]))
    reasons = []
    for ticks in (frame.long[side], frame.ticks[side]):
        if len(ticks) < 2:
            reasons.append("it has no ticks")
            continue
        apart = (ticks[None, :] - labels[:, None]).ravel()
        offsets = np.unique(np.round(apart[np.abs(apart) < 0.5 * size], 1))
        options = []
        for offset in offsets[:400]:
            distance = np.abs(ticks[None, :] - (labels + offset)[:, None])
            nearest = distance.argmin(1)
            if (distance.min(1) < 0.35 * size).all() and len(set(nearest.tolist())) == len(labels):
                options.append((float(distance.min(1).sum()), abs(float(offset)), tuple(nearest.tolist())))
        if not options:
            reasons.append("not every number has a tick of its own")
            continue
        places = ticks[list(min(options, key=lambda option: option[1] + option[0] / len(labels))[2])]
        other = [
            w for w in row if w not in numbers and np.min(np.abs(ticks - _middle(w, along))) < 0.3 * size
        ]
        other = [
            w for w in other if factor_of(w.text) is None and places.min() < _middle(w, along) < places.max()
        ]
        if other:
            raise NoScale(f"some labels are no numbers: {_some(other)}")
        return places
    raise NoScale(reasons[-1])


def _scale(
    frame: Frame, side: Side, numbers: list[Word], places: NDArray[np.float64], comma: bool | None
) -> tuple[Scale, list[float]]:
    """The scale under the one reading of commas and points that gives one. Raises NoScale."""
    along = _along(side)
    ends = (frame.box[along], frame.box[along + 2])
    found: list[tuple[Scale, list[float]]] = []
    failed = NoScale("the labels are no numbers")
    texts = [word.text for word in numbers]
    for how in (False, True):
        values = [number(text, how) for text in texts]
        if any(value is None for value in values):
            continue
        known = [value for value in values if value is not None]
        if found and found[0][1] == known:
            continue
        if how and comma is None and not any("," in text for text in texts):
            continue  # points part thousands only where commas are seen as decimal signs
        try:
            found.append(
                (scale_of(places.tolist(), known, frame.ticks[side].tolist(), ends, frame.exact), known)
            )
        except NoScale as reason:
            failed = reason
    if not found and failed.args == ("the labels are no numbers",) and any("." in text for text in texts):
        values = [number(text, True) for text in texts]
        if all(value is not None for value in values):
            known = [value for value in values if value is not None]
            return scale_of(places.tolist(), known, frame.ticks[side].tolist(), ends, frame.exact), known
    if not found:
        raise failed
    thousands = [plain(text) for text in texts if "." in text]
    if (
        comma is None
        and thousands
        and all(re.fullmatch(r"[+-]?[1-9]\d{0,2}\.\d{3}", text) for text in thousands)
    ):
        raise NoScale("a point may be a decimal sign or part thousands")
    if len(found) == 2:
        if comma is None:
            raise NoScale("a comma may be a decimal sign or part thousands")
        return found[int(comma)]
    return found[0]


def with_factor(
    axis: Axis,
    frame: Frame,
    words: Sequence[Word],
    others: Sequence[tuple[Frame, dict[Side, Axis]]],
    pixels: bool = False,
) -> None:
    """The factor or offset printed at the axis' end, such as x10^-3 above it; where it is not clear whose it is, there is no scale.

    words: those of the page that are no axis' labels. others: the page's frames with their axes. pixels: words were recognised,
    so that a number at an axis' end may be a factor that lost its sign or its letter.
    """
    if axis.scale is None:
        return
    try:
        _apply(axis, axis.scale, frame, words, others, pixels)
    except NoScale as reason:
        axis.scale, axis.refused = None, str(reason)


def _apply(
    axis: Axis,
    scale: Scale,
    frame: Frame,
    words: Sequence[Word],
    others: Sequence[tuple[Frame, dict[Side, Axis]]],
    pixels: bool,
) -> None:
    found = []
    for word in words:
        what = factor_of(word.text)
        garbled = "\ufffd" in word.text or pixels and number(word.text, False) is not None
        if word.turned or what is None and not may_hold_factor(word.text) and not garbled:
            continue
        if _at_end(frame, axis.side, word):
            found.append((what, word))
    if not found:
        return
    what, word = found[0]
    if len(found) > 1 or any(_near_end(other, axes, word) for other, axes in others if other is not frame):
        raise NoScale(f"whose factor is {_some([word for _, word in found])}?")
    factor, offset = what or (0.0, 0.0)
    if (
        not re.search(r"x|e|^[+-]", plain(word.text).lower())
        or not np.isfinite([factor, offset]).all()
        or factor <= 0
    ):
        raise NoScale(f"is {_some([word])} a factor of its numbers?")
    axis.scale = scale.scaled(factor, offset)
    axis.factor = factor
    axis.labels = [(text, value * factor + offset, place) for text, value, place in axis.labels]


def _at_end(frame: Frame, side: Side, word: Word) -> bool:
    """Whether a word stands at the end of a side where its factor does: above an upright axis, below or behind a level one."""
    x0, y0, x1, y1 = frame.box
    box, size = word.box, word.size
    far = frame.reach[side] + 2.6 * size
    x, y = _middle(word, 0), _middle(word, 1)
    if side in ("left", "right"):
        edge = x0 if side == "left" else x1
        return -0.3 * size < box[1] - y1 < far and abs(x - edge) < min(0.3 * (x1 - x0), 6 * size)
    line = y0 if side == "bottom" else y1
    gap = y0 - box[3] if side == "bottom" else box[1] - y1
    below = -0.3 * size < gap < far + size and abs(x - x1) < min(0.3 * (x1 - x0), 6 * size)
    return below or (abs(y - line) < far and 0 < box[0] - x1 < 3 * size)


def _near_end(frame: Frame, axes: dict[Side, Axis], word: Word) -> bool:
    """Whether words stand at the end of another frame's axis as its factor would."""
    x0, y0, x1, y1 = frame.box
    x, y, size = _middle(word, 0), _middle(word, 1), word.size
    ends: list[tuple[Side, float, float]] = [
        ("left", x0, y1),
        ("right", x1, y1),
        ("top", x1, y1),
        ("bottom", x1, y0),
    ]
    return any(
        axes[side].words and (abs(x - a) < 4 * size and abs(y - b) < 2.5 * size or _at_end(frame, side, word))
        for side, a, b in ends
    )
