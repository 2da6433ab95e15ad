"""Legends: short samples of a line or a marker with words beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tasks.digitise.labels import Word
from tasks.digitise.markers import Markers, centre
from tasks.digitise.page import Stroke

_LONGEST, _SHORTEST = 75.0, 5.0  # points: a sample
_AWAY = 3.0  # of the letters' size: from a sample to its words
_OTHER = 150.0  # points: the same words farther off are those of another legend
Box = tuple[float, float, float, float]


@dataclass
class Entry:
    """An entry of a legend: its words, the style of its line and the look of its marker (None without), and its place."""

    words: str
    style: tuple[object, ...] | None
    marker: Markers | None
    box: Box
    strokes: tuple[int, ...]  # orders of what its sample consists of
    used: bool = False


def phrase(words: Sequence[Word], first: Word, forward: bool = True) -> tuple[str, Word]:
    """The words on a line from one on, to the right (or to the left), as long as no wide space parts them; and the last one."""
    size = first.size
    same = [w for w in words if w.turned == first.turned and abs(_across(w) - _across(first)) < 0.45 * size]
    same = sorted(same, key=lambda w: w.letters[0].u0, reverse=not forward)
    taken, last = [first], first
    for word in same:
        gap = word.letters[0].u0 - _end(last) if forward else last.letters[0].u0 - _end(word)
        if word is not first and -0.2 * size < gap < 0.9 * size:
            taken.append(word)
            last = word
    ordered = taken if forward else taken[::-1]
    return " ".join(word.text for word in ordered), last


def _across(word: Word) -> float:
    return (
        (min(a.v0 for a in word.letters) + max(a.v1 for a in word.letters)) / 2
        if len(word.letters) == 1
        else word.base + 0.35 * word.size
    )


def _end(word: Word) -> float:
    return max(letter.u1 for letter in word.letters)


def beside(words: Sequence[Word], x0: float, x1: float, y: float, right: bool) -> tuple[str, float] | None:
    """The words next to a level stretch at y from x0 to x1, and how far away they begin."""
    best: tuple[float, Word] | None = None
    for word in words:
        if word.turned:
            continue
        box, size = word.box, word.size
        gap = box[0] - x1 if right else x0 - box[2]
        if (
            0 < gap < _AWAY * size
            and abs(word.base + 0.35 * size - y) < 0.5 * size
            and (best is None or gap < best[0])
        ):
            best = gap, word
    return (phrase(words, best[1], right)[0], best[0]) if best else None


def legend_of(
    samples: Sequence[tuple[Stroke, NDArray[np.float64]]], groups: Sequence[Markers], words: Sequence[Word]
) -> list[Entry]:
    """Entries of the legends among level lines (stroke and run) and markers. words: those of the page that label no axis."""
    found: list[Entry] = []
    taken: set[int] = set()
    markers = [(group, member, *centre(member)) for group in groups for member in group.members]
    places = np.array([(x, y) for _, _, x, y in markers]).reshape(-1, 2)
    lines = []
    for stroke, run in samples:
        (x0, y0), (x1, y1) = run.min(0).tolist(), run.max(0).tolist()
        if len(run) <= 3 and y1 - y0 < 0.05 and _SHORTEST <= x1 - x0 <= _LONGEST:
            lines.append((stroke, x0, x1, (y0 + y1) / 2))
    sides = {True: 0, False: 0}
    options = []
    for stroke, x0, x1, y in lines:
        both = {right: beside(words, x0, x1, y, right) for right in (True, False)}
        for right, text in both.items():
            sides[right] += text is not None
        options.append((stroke, x0, x1, y, both))
    right = sides[True] >= sides[False]
    for stroke, x0, x1, y, both in options:
        text = both[right] or both[not right]
        if text is None:
            continue
        near = (
            np.flatnonzero(
                (np.abs(places[:, 1] - y) < 0.6) & (places[:, 0] > x0 - 0.5) & (places[:, 0] < x1 + 0.5)
            )
            if len(places)
            else []
        )
        mine = [markers[k] for k in near]
        found.append(
            Entry(
                text[0],
                stroke.style,
                mine[0][0] if mine else None,
                (x0, y, x1, y),
                (stroke.order, *(m[1].order for m in mine)),
            )
        )
        taken |= {m[1].order for m in mine}
    named: set[int] = set()
    for side in (right, not right):  # words on the usual side first: they name one sample
        samples_of: dict[str, list[Box]] = {}
        for entry in found:
            samples_of.setdefault(entry.words, []).append(entry.box)
        for number, group in enumerate(groups):
            alone = [] if number in named else _alone(group, words, side, taken, samples_of)
            if len({entry.words for entry in alone}) == 1:  # others are data with words beside them
                found += alone
                named.add(number)
    return found


def _alone(
    group: Markers, words: Sequence[Word], side: bool, taken: set[int], samples_of: dict[str, list[Box]]
) -> list[Entry]:
    """Markers of a group that words stand beside, but for points near the words of another sample."""
    found = []
    for member in group.members:
        x, y = centre(member)
        half = group.side / 2
        text = None if member.order in taken else beside(words, x - half, x + half, y, side)
        if text is None:
            continue
        own = [
            box
            for said, boxes in samples_of.items()
            for box in boxes
            if text[0] in said
            and max(box[0] - x, x - box[2], abs(box[1] - y)) < _OTHER  # not of another panel's legend
        ]
        if not own or any(box[0] - 1 <= x <= box[2] + 1 for box in own):
            found.append(Entry(text[0], None, group, member.box, (member.order,)))
    return found
