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
_IN_LINE = (1.0, 0.3)  # points: how alike a legend's samples lie to their words, along and across
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
    off: tuple[float, float]  # of its middle from its words along, and from their baseline across
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


def beside(
    words: Sequence[Word], x0: float, x1: float, y: float, right: bool
) -> tuple[str, float, float] | None:
    """The words next to a level stretch at y from x0 to x1, how far its middle is from them along, and from their baseline across."""
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
    return (phrase(words, best[1], right)[0], best[0] + (x1 - x0) / 2, y - best[1].base) if best else None


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
            else np.array([], dtype=int)
        )
        mirrored = x0 + x1 - places[near, 0] if len(places) else []
        mine = [
            markers[k]
            for k, mirror in zip(near, mirrored, strict=True)
            if np.abs(places[near, 0] - mirror).min() < 0.6
        ]  # others are data that the sample lies over
        found.append(
            Entry(
                text[0],
                stroke.style,
                mine[0][0] if mine else None,
                (x0, y, x1, y),
                (stroke.order, *(m[1].order for m in mine)),
                text[1:],
            )
        )
        taken |= {m[1].order for m in mine}
    return found + _alone_named(found, groups, words, taken, right if any(sides.values()) else None)


def _alone_named(
    found: Sequence[Entry],
    groups: Sequence[Markers],
    words: Sequence[Word],
    taken: set[int],
    usual: bool | None,
) -> list[Entry]:
    """Samples that are a marker alone. usual: the side on which words stand beside lines, None where no line tells.

    Points of the data may have a legend's words beside them too: a sample stands in line with the others, and no words name two.
    """
    samples_of: dict[str, list[Box]] = {}
    for entry in found:
        samples_of.setdefault(entry.words, []).append(entry.box)
    options = [
        (number, side, entry)
        for number, group in enumerate(groups)
        for side in (True, False)
        for entry in _alone(group, words, side, taken, samples_of)
    ]
    places = [(-1, usual, entry) for entry in found] + options
    offs = np.array([entry.off for _, _, entry in places]).reshape(-1, 2)
    ranked: dict[int, list[tuple[tuple[int, int, bool], bool, Entry]]] = {}
    for number, side, entry in options:
        near = np.flatnonzero((np.abs(offs - entry.off) < _IN_LINE).all(1))
        others = {
            (places[k][0], places[k][2].words)
            for k in near
            if places[k][0] != number and places[k][1] in (side, None) and places[k][2].words != entry.words
        }
        ends = entry.strokes[0] in (groups[number].members[0].order, groups[number].members[-1].order)
        rank = (len(others), int(side)) if usual is None else (int(side == usual), len(others))
        ranked.setdefault(number, []).append(((*rank, ends), side, entry))
    chosen = []
    for mine in ranked.values():
        best = max(rank[:2] for rank, _, _ in mine)
        keys = {(side, entry.words) for rank, side, entry in mine if rank[:2] == best}
        if len(keys) == 1:  # others are data with words beside them
            chosen.append((best, [(rank, e) for rank, side, e in mine if (side, e.words) in keys]))
    kept = []
    for best, own in chosen:
        rivals = [
            rival for other, theirs in chosen for _, rival in theirs
            if theirs is not own and other >= best and rival.words == own[0][1].words
        ]  # fmt: skip
        for place, entry in own:
            here = [other for other, e in own if _distance(e, entry) < _OTHER]
            if place == max(here) and not any(1 < _distance(rival, entry) < _OTHER for rival in rivals):
                kept.append(entry)
    return kept


def _distance(a: Entry, b: Entry) -> float:
    return max(abs(p - q) for p, q in zip(a.box, b.box, strict=True))


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
            found.append(Entry(text[0], None, group, member.box, (member.order,), text[1:]))
    return found
