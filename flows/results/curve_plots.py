"""Curves of two runs drawn over each other, from the tables that stand beside their plots."""

from __future__ import annotations

import csv
import math
from bisect import bisect_left
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from flows.results.kept_runs import shown_text

WIDTH, HEIGHT, STRIP = 560, 230, 70
_LEFT, _EDGE = 64, 10
_MOST_BYTES, _MOST_ROWS, _MOST_DRAWN = 5_000_000, 100_000, 1500
_MOST_SIZE = 1e150  # of what can be drawn: differences of larger numbers are infinite
_REFERENCE = "reference"
Curve = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class CurvesOver:
    """lines: (whose: reference, first, second; points of an SVG polyline). apart: the second minus the first, below.

    x, y, difference: lowest and highest of each axis in words; largest: of the difference, '' where nothing is in common.
    """

    target: str
    lines: tuple[tuple[str, str], ...]
    apart: str
    x: tuple[str, str]
    y: tuple[str, str]
    difference: tuple[str, str]
    largest: str


def curves_over(target: str, folders: tuple[Path, Path], pictures: tuple[str, str]) -> CurvesOver | None:
    """The curves of both runs that answer a target; None where one has none, such as of a number or a map.

    pictures: each side's plot, beside which its table stands.
    """
    tables = [_table(folder, name) if name else {} for folder, name in zip(folders, pictures, strict=True)]
    first, second = (table.get("simulation", ()) for table in tables)
    if len(first) < 2 or len(second) < 2:
        return None
    reference = tables[0].get(_REFERENCE) or tables[1].get(_REFERENCE, ())
    known = {"reference": reference, "first": first, "second": second}  # the broad below the thin
    every = [point for curve in known.values() for point in curve]
    across, up = _range([x for x, _ in every]), _range([y for _, y in every])
    apart = _apart(first, second)
    most = max((abs(step) for _, step in apart), default=0.0)
    size = max(abs(y) for _, y in first)
    share = f" ({100 * most / size:.2g} % of the first's largest value)" if size else ""
    strip = (-most, most) if most else (-1.0, 1.0)
    return CurvesOver(
        target=target,
        lines=tuple((whose, _points(curve, across, up, HEIGHT)) for whose, curve in known.items() if curve),
        apart=_points(apart, across, strip, STRIP),
        x=_words(across),
        y=_words(up),
        difference=_words((-most, most)) if most else ("", ""),
        largest=f"{most:.3g}{share}" if apart else "",
    )


def _table(folder: Path, picture: str) -> dict[str, Curve]:
    """The finest simulated curve and the reference, by name; empty of a file that holds no curves."""
    rows = csv.reader(shown_text(folder, picture.rpartition(".")[0] + ".csv", _MOST_BYTES).splitlines())
    try:
        head, *body = islice(rows, _MOST_ROWS)
    except (ValueError, csv.Error):
        return {}
    simulated = [place for place, name in enumerate(head) if name.startswith("simulation")]
    if not simulated or head[0] != "x" or "y" in head:
        return {}
    found = {"simulation": _curve(body, simulated[-1])}
    # The reference's column is called by where it comes from.
    others = [place for place, name in enumerate(head) if place and place not in simulated]
    return found | ({_REFERENCE: _curve(body, others[0])} if others else {})


def _curve(rows: list[list[str]], place: int) -> Curve:
    found = []
    for row in rows:
        try:
            point = float(row[0]), float(row[place])
        except (ValueError, IndexError):
            continue  # no sample of this curve there
        if all(abs(number) < _MOST_SIZE for number in point):
            found.append(point)
    return tuple(sorted(found))


def _apart(first: Curve, second: Curve) -> Curve:
    """The second minus the first where the first has samples and the second reaches, along straight lines between samples."""
    places, found = [x for x, _ in second], []
    for x, y in first:
        after = bisect_left(places, x)
        if after == len(places) or x < places[0]:
            continue
        (x1, y1) = second[after]
        (x0, y0) = second[max(0, after - 1)]
        found.append((x, (y1 if x1 == x or x1 == x0 else y0 + (y1 - y0) * (x - x0) / (x1 - x0)) - y))
    return tuple(found)


def _range(numbers: list[float]) -> tuple[float, float]:
    low, high = min(numbers), max(numbers)
    pad = max(1.0, abs(low))
    return (low, high) if high > low else (low - pad, high + pad)


def _points(curve: Curve, across: tuple[float, float], up: tuple[float, float], height: int) -> str:
    """At most so many of its samples, evenly taken, in pixels."""
    thinned = curve[:: max(1, math.ceil(len(curve) / _MOST_DRAWN))]
    wide, tall = across[1] - across[0], up[1] - up[0]
    return " ".join(
        f"{_LEFT + (x - across[0]) / wide * (WIDTH - _LEFT - _EDGE):.1f},"
        f"{height - _EDGE - (y - up[0]) / tall * (height - 2 * _EDGE):.1f}"
        for x, y in thinned
    )


def _words(ends: tuple[float, float]) -> tuple[str, str]:
    return f"{ends[0]:.4g}", f"{ends[1]:.4g}"
