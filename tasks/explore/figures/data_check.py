"""A drawing beside the data: each plotted number is a datum, belongs to what its label names, and stands on an honest axis."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from schemas.explore.science_data import Number, ScienceData
from tasks.explore.figures.drawn_numbers import AxesDrawn, AxisDrawn, Drawing
from tasks.explore.figures.tracing import Match, Tracer
from tasks.explore.paper.latex import micro
from tasks.explore.paper.markup import inlines
from tasks.explore.paper.typed_numerals import typed_numbers

_SAME = 1e-12


@dataclass
class Checked:
    """The drawing as it may be shown; faults: why not. names: the data in it."""

    drawing: Drawing
    faults: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class _Series:
    """Coordinates of one artist in both drawings. spoken: its label."""

    what: str
    x: tuple[Sequence[float], Sequence[float]]
    y: tuple[Sequence[float], Sequence[float]]
    spoken: str


def check_drawing(first: Drawing, second: Drawing, data: ScienceData) -> Checked:
    """first: drawn from the data; second: from data moved a little."""
    found = Checked(first)
    tracer, speaker = Tracer(data), _Speaker(data)
    if len(first.axes) != len(second.axes):
        found.faults.append("the plot has another form when the data move a little")
        return found
    if first.other:
        found.faults.append(f"only axes belong on the figure: {', '.join(sorted(set(first.other)))} may not")
    axes = []
    for number, (one, two) in enumerate(zip(first.axes, second.axes, strict=True), 1):
        where = f"plot {number}: " if len(first.axes) > 1 else ""
        check = _AxesCheck(one, two, tracer, speaker)
        found.faults += [where + fault for fault in check.faults]
        found.names |= check.names
        axes.append(
            one.model_copy(
                update={"x_categories": check.categories["x"], "y_categories": check.categories["y"]}
            )
        )
    if not found.names and not found.faults:
        found.faults.append("it plots no datum")
    found.faults = list(dict.fromkeys(found.faults))
    found.drawing = first.model_copy(update={"axes": tuple(axes)})
    return found


class _Speaker:
    """Which nodes a label names: an id of a node, best, baseline."""

    def __init__(self, data: ScienceData):
        self._ids = {found.node_id for found in data.configurations}
        self._words = {
            word: {number.node_id for name, number in data.numbers.items() if name.startswith(f"{word}.")}
            for word in ("best", "baseline")
        }

    def nodes(self, text: str) -> set[str]:
        words = re.findall(r"[A-Za-z0-9_.-]+", text)
        named = {word for word in words if word in self._ids}
        return named or set().union(
            *(self._words[word.lower()] for word in words if word.lower() in self._words)
        )

    def faults(self, text: str) -> list[str]:
        plain = re.sub(r"[A-Za-z0-9_.-]+", lambda found: "node" if found[0] in self._ids else found[0], text)
        return typed_numbers(inlines(plain.replace("%", "")))


class _AxesCheck:
    def __init__(self, one: AxesDrawn, two: AxesDrawn, tracer: Tracer, speaker: _Speaker):
        self.one, self.two, self.tracer, self.speaker = one, two, tracer, speaker
        self.faults: list[str] = []
        self.names: set[str] = set()
        self.categories = {"x": False, "y": False}
        self.units: dict[str, set[str]] = {"x": set(), "y": set()}
        if one.other:
            self.faults.append(
                f"only lines, points, bars and error bars are drawn: {', '.join(sorted(set(one.other)))} may "
                "not be"
            )
        shape = [[len(getattr(side, name)) for name in ("lines", "segments", "bars")] for side in (one, two)]
        if shape[0] != shape[1]:
            self.faults.append("it has another form when the data move a little")
            return
        self._words()
        kinds: dict[str, set[str]] = {"x": set(), "y": set()}
        for series in self._series():
            for which, kind in self._judge(series).items():
                kinds[which].add(kind)
        for which, axis in (("x", one.x_axis), ("y", one.y_axis)):
            self.categories[which] = "position" in kinds[which] and "datum" not in kinds[which]
            if {"position", "datum"} <= kinds[which]:
                self.faults.append(f"the {which} axis shows data and typed positions at once")
            missing = [
                unit
                for unit in sorted(self.units[which])
                if unit not in axis.label and micro(unit) not in axis.label
            ]
            if missing:
                self.faults.append(f"the label of the {which} axis lacks the unit {', '.join(missing)}")
            if "datum" in kinds[which] and axis.tick_labels:
                self.faults.append(f"the {which} axis shows data: its ticks are Matplotlib's own")

    def _words(self) -> None:
        one = self.one
        texts = [
            one.x_axis.label,
            one.y_axis.label,
            *one.x_axis.tick_labels,
            *one.y_axis.tick_labels,
            *(line.label for line in one.lines),
            *(bar.label for bar in one.bars),
        ]
        for text in texts:
            self.faults += [f"in a label: {fault}" for fault in self.speaker.faults(text)]
        if not (one.x_axis.label or one.x_axis.tick_labels) or not (
            one.y_axis.label or one.y_axis.tick_labels
        ):
            self.faults.append("each axis needs a label")

    def _series(self) -> Iterator[_Series]:
        for one, two in zip(self.one.lines, self.two.lines, strict=True):
            if one.kind != two.kind or len(one.x) != len(two.x) or len(one.y) != len(two.y):
                self.faults.append("a line has another form when the data move a little")
            elif one.kind == "across":
                self._whole_line("y", one.y[:1], two.y[:1])
            elif one.kind == "upright":
                self._whole_line("x", one.x[:1], two.x[:1])
            elif len(one.x):
                yield _Series("a line or its points", (one.x, two.x), (one.y, two.y), one.label)
        for first, second in zip(self.one.segments, self.two.segments, strict=True):
            if not first.whole or len(first.x0) != len(second.x0):
                self.faults.append("error bars are straight lines of two points each")
                continue
            for x, y in (("x0", "y0"), ("x1", "y1")):
                if len(first.x0):
                    yield _Series(
                        "an error bar",
                        (getattr(first, x), getattr(second, x)),
                        (getattr(first, y), getattr(second, y)),
                        "",
                    )
        yield from self._bars()

    def _bars(self) -> Iterator[_Series]:
        groups: list[list[int]] = []
        for at, bar in enumerate(self.one.bars):
            if bar.label or not groups:
                groups.append([])
            groups[-1].append(at)
        for group in groups:
            one, two = [self.one.bars[at] for at in group], [self.two.bars[at] for at in group]
            upright = any(not _same(a.height, b.height) for a, b in zip(one, two, strict=True))
            if any((bar.y if upright else bar.x) != 0 for bar in (*one, *two)):
                self.faults.append("bars begin at zero")
            middles = [
                [bar.x + bar.width / 2 if upright else bar.y + bar.height / 2 for bar in side]
                for side in (one, two)
            ]
            values = [[bar.height if upright else bar.width for bar in side] for side in (one, two)]
            pair_m, pair_v = (middles[0], middles[1]), (values[0], values[1])
            yield _Series("a bar", pair_m if upright else pair_v, pair_v if upright else pair_m, one[0].label)

    def _whole_line(self, which: str, one: Sequence[float], two: Sequence[float]) -> None:
        if list(one) in ([0.0], [1.0]) and list(one) == list(two):
            return
        match = self.tracer.match(one, two)
        if match is None:
            self.faults.append(
                f"a line over the whole plot stands at {which} = {one[0]:.6g}, which is no datum, 0 or 1"
            )
        else:
            self.names.add(_own(match.points[0]).name)

    def _judge(self, series: _Series) -> dict[str, str]:
        """Whether each coordinate is a datum or a position; faults are noted."""
        kinds: dict[str, str] = {}
        matches: dict[str, Match] = {}
        for which, (one, two) in (("x", series.x), ("y", series.y)):
            if all(_same(a, b) for a, b in zip(one, two, strict=True)):
                kinds[which] = "position"
            else:
                match = self.tracer.match(one, two)
                kinds[which] = "datum"
                if match is not None:
                    matches[which] = match
                    self.units[which] |= _units(match)
                else:
                    self.faults.append(
                        f"{series.what} has {which} values that are no data (such as {_shown(one)}): take "
                        "them from `data`, scaled as a whole series by one datum at most"
                    )
        if "datum" not in kinds.values():
            self.faults.append(
                f"{series.what} has typed coordinates only, such as ({_shown(series.x[0])}; "
                f"{_shown(series.y[0])})"
            )
        for which, kind in kinds.items():
            if kind == "position":
                self._position(which, series)
        self._belongs(series, kinds, matches)
        shown = [point for match in matches.values() for point in match.points]
        if shown and all(number.kind == "parameter" for point in shown for number in point):
            self.faults.append(
                f"{series.what} shows {shown[0][0].name}, which the node set itself and nobody measured: it may "
                "stand on one axis, with a measured value on the other"
            )
        for match in matches.values():
            self.names |= {_own(point).name for point in match.points}
        return kinds

    def _position(self, which: str, series: _Series) -> None:
        axis, values = self._axis(which), (series.x if which == "x" else series.y)[0]
        if axis.tick_labels or axis.label and _counts(values):
            return
        self.faults.append(
            f"{series.what} stands at typed {which} values on an axis of numbers: give the axis words, or "
            "take the values from `data`"
        )

    def _belongs(self, series: _Series, kinds: dict[str, str], matches: dict[str, Match]) -> None:
        """Each value is one of the node that its tick or its series names; two data of a point are of one node."""
        position = next((which for which, kind in kinds.items() if kind == "position"), None)
        named = self.speaker.nodes(series.spoken)
        if position is None:
            if len(matches) == 2:
                for a, b in zip(matches["x"].points, matches["y"].points, strict=True):
                    if not _nodes(a) & _nodes(b):
                        self.faults.append(
                            f"a point joins {a[0].name} and {b[0].name}, which are of two nodes"
                        )
            return
        axis, values = self._axis(position), (series.x if position == "x" else series.y)[0]
        for match in matches.values():
            for at, point in zip(values, match.points, strict=True):
                tick = _tick(axis, at)
                wanted = self.speaker.nodes(tick) or named
                if not wanted:
                    if series.what != "an error bar":
                        self.faults.append(
                            f"nothing says which node {point[0].name} is of: put the node's id, best or "
                            f"baseline in the tick {tick!r} or in the series' label"
                        )
                elif not _nodes(point) & wanted:
                    self.faults.append(
                        f"{point[0].name} stands at {tick or series.spoken!r}, which names "
                        f"{', '.join(sorted(wanted))}"
                    )

    def _axis(self, which: str) -> AxisDrawn:
        return self.one.x_axis if which == "x" else self.one.y_axis


def _units(match: Match) -> set[str]:
    if match.scaling:
        return {"%"} if match.scaling == "percent" else set()
    return {point[0].unit for point in match.points} - {"", "1"}


def _own(point: Sequence[Number]) -> Number:
    """Of several names of one number the node's own."""
    return next((number for number in point if number.name.startswith(f"{number.node_id}.")), point[0])


def _nodes(point: Iterable[Number]) -> set[str]:
    return {number.node_id for number in point}


def _tick(axis: AxisDrawn, at: float) -> str:
    near = [(abs(tick - at), label) for tick, label in zip(axis.ticks, axis.tick_labels, strict=False)]
    distance, label = min(near, default=(9.0, ""))
    return label if distance < 0.5 else ""


def _counts(values: Sequence[float]) -> bool:
    """0, 1, 2 ... or 1, 2, 3 ..."""
    return any(list(values) == [float(start + at) for at in range(len(values))] for start in (0, 1))


def _same(one: float, two: float) -> bool:
    return abs(one - two) <= _SAME * max(abs(one), abs(two))


def _shown(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.6g}" for value in values[:3])
