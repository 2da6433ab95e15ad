"""Legend and curves tied to each other, and what is drawn twice counted once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tasks.digitise.curves import Drawn
from tasks.digitise.legend import Entry


def name_curves(curves: Sequence[Drawn], entries: Sequence[Entry]) -> None:
    """Tie legend and curves by colour, width, dash and marker; where several fit, no name is given."""
    for curve in curves:
        if curve.kind == "line":
            fits = [e for e in entries if e.style == curve.style]
            if curve.group is not None:
                marked = [e for e in fits if e.marker is not None and e.marker.look == curve.group.look]
                fits = marked or fits
            elif len({e.words for e in fits}) > 1:
                fits = [e for e in fits if e.marker is None] or fits
        else:
            fits = [
                e
                for e in entries
                if e.marker is not None and curve.group is not None and e.marker.look == curve.group.look
            ]
            fits = [e for e in fits if e.style is None] or fits
        for entry in fits:
            entry.used = True
        if len({entry.words for entry in fits}) == 1:
            curve.name = fits[0].words[:200]
    double = {c.name for c in curves if c.name and sum(o.name == c.name for o in curves) > 1}
    for curve in curves:
        if curve.name in double and not _pieces_of_one([c for c in curves if c.name == curve.name]):
            curve.name = ""


def own_series(entries: Sequence[Entry], curves: Sequence[Drawn]) -> set[tuple[object, ...]]:
    """Looks of markers that the legend calls a series of their own, so that they mark no line even where they lie on one.

    Their sample has no line; or it has one, as error bars look, and another entry claims the only line of that style.
    """
    found = set()
    for entry in entries:
        if entry.marker is None:
            continue
        rivals = {e.words for e in entries if e.style == entry.style and e.marker is None} - {entry.words}
        lines = sum(curve.kind == "line" and curve.style == entry.style for curve in curves)
        if entry.style is None or rivals and lines <= len(rivals):
            found.add(entry.marker.look)
    return found


def once(curves: Sequence[Drawn]) -> list[Drawn]:
    """Leave one of two rows of markers in the same places: a face and an edge that are drawn apart."""
    kept: list[Drawn] = []
    for curve in curves:
        places = np.sort(curve.parts[0], axis=0)
        same = next(
            (
                k for k, other in enumerate(kept)
                if curve.kind == other.kind == "points" and other.parts[0].shape == places.shape
                and np.abs(np.sort(other.parts[0], axis=0) - places).max() < 0.3
            ),
            None,
        )  # fmt: skip
        if same is None:
            kept.append(curve)
        else:
            bars = kept[same].bars if curve.bars is None else curve.bars
            if curve.name and not kept[same].name:
                kept[same] = curve
            kept[same].bars = bars
    return kept


def whole(curves: Sequence[Drawn]) -> list[Drawn]:
    """Lines of one name and look that follow each other as one curve with gaps: it leaves the frame between them."""
    kept: list[Drawn] = []
    for curve in curves:
        first = next(
            (
                c
                for c in kept
                if curve.name and (c.name, c.style, c.kind) == (curve.name, curve.style, "line")
            ),
            None,
        )
        if (
            first is None
            or first.errors is not None
            or curve.errors is not None
            or not _pieces_of_one([first, curve])
        ):
            kept.append(curve)
            continue
        first.parts = sorted((*first.parts, *curve.parts), key=lambda part: float(part[:, 0].min()))
        first.gaps += curve.gaps + 1
    return kept


def _pieces_of_one(curves: Sequence[Drawn]) -> bool:
    spans = sorted((min(p[:, 0].min() for p in c.parts), max(p[:, 0].max() for p in c.parts)) for c in curves)
    return all(b[0] >= a[1] - 0.3 for a, b in zip(spans, spans[1:], strict=False))
