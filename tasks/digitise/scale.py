"""An axis from labelled ticks: values must lie on one line (or one line of logarithms) against places, else there is no axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.float64]
EXACT = 0.15  # points: how well ticks are placed
SHARE = 0.012  # of the distance between labels: what a label's last digit may leave open
ALIKE = 3.0  # times the looseness: a linear and a logarithmic axis that differ by so little may be either
CLEARLY = 8.0  # times: how much better one kind of scale must fit than the other
MIN_LABELS = 3


class NoScale(Exception):
    """Why labels and ticks make no axis, in words."""


@dataclass(frozen=True)
class Scale:
    """value, or its decimal logarithm, = slope * place + intercept. residual: largest misplacement of a label, points."""

    kind: Literal["linear", "logarithmic"]
    slope: float
    intercept: float
    residual: float

    def values(self, places: Places) -> Places:
        """Values at places (points)."""
        line = self.slope * np.asarray(places, float) + self.intercept
        with np.errstate(over="ignore"):
            return line if self.kind == "linear" else np.power(10.0, line)

    def per_point(self, places: Places) -> Places:
        """How much the value changes in a point, at places."""
        if self.kind == "linear":
            return np.full(np.shape(places), abs(self.slope))
        return np.abs(self.values(places)) * math.log(10) * abs(self.slope)

    def places(self, values: Places) -> Places:
        """Where values stand; NaN where a logarithmic axis has no place for them."""
        with np.errstate(all="ignore"):
            line = np.log10(values) if self.kind == "logarithmic" else np.asarray(values, float)
        return (line - self.intercept) / self.slope

    def scaled(self, factor: float, offset: float = 0.0) -> Scale:
        """With all values times a factor, plus an offset (linear axes)."""
        if self.kind == "linear":
            return Scale("linear", self.slope * factor, self.intercept * factor + offset, self.residual)
        if factor <= 0 or offset:
            raise NoScale("a logarithmic axis with an offset")
        return Scale(self.kind, self.slope, self.intercept + math.log10(factor), self.residual)


def scale_of(
    places: Sequence[float],
    values: Sequence[float],
    ticks: Sequence[float],
    ends: tuple[float, float],
    exact: float = EXACT,
) -> Scale:
    """The scale on which all labels lie. Raises NoScale.

    places, values: of the labelled ticks (points; numbers). ticks: all ticks of the axis, with and without labels. ends: of the axis.
    exact: how well ticks are placed, points (or pixels, if all are).
    Three labels are needed. Fewer are enough where ticks without labels say the rest: one or two on a logarithmic axis whose other
    ticks stand at 2, 3, ... 9 times powers of ten, two on an even axis where a tick's step comes out as 1, 2, 2.5 or 5 times one.
    """
    p, v = np.asarray(places, float), np.asarray(values, float)
    if len(p) == 1 and (alone := _from_one_decade(float(p[0]), float(v[0]), np.asarray(ticks, float), exact)):
        return alone
    if len(p) < 2 or len(np.unique(np.round(p, 3))) < len(p):
        raise NoScale(f"{len(p)} labelled ticks; {MIN_LABELS} are needed")
    if not np.isfinite(v).all() or len(np.unique(v)) < len(v):
        raise NoScale("a label occurs twice")
    spacing = float(np.min(np.diff(np.sort(p))))
    loose = exact + SHARE * spacing
    found = [scale for kind in ("linear", "logarithmic") if (scale := _line(kind, p, v, loose)) is not None]
    found = [scale for scale in found if not _denied(scale, p, np.asarray(ticks, float), loose)]
    if len(p) < MIN_LABELS:
        found = [s for s in found if _told_by_ticks(s, np.asarray(ticks, float), p, loose)]
        if not found:
            raise NoScale(f"{len(p)} labelled ticks; {MIN_LABELS} are needed")
    if not found:
        raise NoScale("the labels' values lie on no line and on no line of logarithms against their ticks")
    if len(found) == 2:
        grid = np.linspace(*ends, 50)
        apart = np.abs(found[1].places(found[0].values(grid)) - grid)
        found.sort(key=lambda scale: scale.residual)
        clear = found[1].residual > max(exact / 3, CLEARLY * found[0].residual)
        if not clear and _even_and_narrow(v) and found[0].kind == "linear":
            return found[0]
        if not clear and not (np.isfinite(apart).all() and apart.max() <= ALIKE * loose):
            raise NoScale("the labels fit a linear and a logarithmic axis, which differ")
        if not clear:  # what they differ by is part of the error
            best = found[0]
            found[0] = Scale(best.kind, best.slope, best.intercept, best.residual + float(apart.max()))
    return found[0]


def _even_and_narrow(values: Places) -> bool:
    """Whether labels are even steps within a factor of two: on a logarithmic axis they would stand unevenly, and be seen to."""
    steps = np.diff(np.sort(values))
    return bool(np.ptp(steps) < 1e-6 * steps.max() and values.min() > 0.5 * values.max() > 0)


def _line(kind: str, p: Places, v: Places, loose: float) -> Scale | None:
    if kind == "logarithmic" and (v <= 0).any():
        return None
    w = np.log10(v) if kind == "logarithmic" else v
    size = float(np.max(np.abs(w))) or 1.0
    slope, intercept = np.polyfit(p, w / size, 1) * size
    if not (np.isfinite(slope) and np.isfinite(intercept)) or slope == 0:
        return None
    off = float(np.max(np.abs((w - intercept) / slope - p)))
    return Scale(kind, float(slope), float(intercept), off) if off <= loose else None  # type: ignore[arg-type]


def _denied(scale: Scale, labelled: Places, ticks: Places, loose: float) -> bool:
    """Whether the ticks without labels stand where such a scale would have none."""
    low, high = labelled.min() - loose, labelled.max() + loose
    bare = np.array(
        [t for t in np.unique(np.round(ticks, 2)) if low < t < high and np.min(np.abs(labelled - t)) > loose]
    )
    if len(bare) < 3:
        return False
    if scale.kind == "logarithmic":
        place, off = _nearest_multiple(scale, bare)
        if np.mean(off <= loose) > 0.9:
            return False
    spaces = np.diff(np.unique(np.concatenate([bare, labelled])))
    spaces = spaces[spaces > 0.3]
    shortest = float(np.min(spaces)) if len(spaces) else 1.0
    even = np.abs(spaces / shortest - np.round(spaces / shortest)) * shortest
    regular = bool(np.mean(even <= 2 * loose) > 0.9) and shortest > 4 * loose
    if shortest <= 4 * loose:  # too dense to tell by places: by their evenness
        regular = float(np.std(spaces)) < 0.25 * float(np.mean(spaces))
    return not regular if scale.kind == "linear" else True


def _told_by_ticks(scale: Scale, ticks: Places, labelled: Places, loose: float) -> bool:
    """Whether two labels are enough, because the ticks without labels fit the scale, and hardly another one."""
    if scale.kind == "logarithmic" and _decades(scale, ticks, labelled, loose):
        return True
    all_ticks = np.unique(np.round(ticks, 2))
    steps = np.diff(all_ticks)
    between = (all_ticks > labelled.min() + loose) & (all_ticks < labelled.max() - loose)
    if len(all_ticks) < 4 or not between.any() or np.ptp(steps) > loose + 0.02 * float(steps.mean()):
        return False
    step = abs(scale.slope) * float(steps.mean())
    if scale.kind == "logarithmic":
        return abs(step - 1) < 0.02
    mantissa = step / 10 ** math.floor(math.log10(step) + 1e-6)
    return bool(min(abs(mantissa - r) for r in (1, 2, 2.5, 5)) < 0.01 * mantissa)


def _from_one_decade(place: float, value: float, ticks: Places, exact: float) -> Scale | None:
    """The logarithmic scale of a single labelled power of ten whose neighbours stand at 2, 3, ... 9 times powers of ten."""
    power = math.log10(value) if value > 0 else 0.5
    bare = np.unique(np.round(ticks[np.abs(ticks - place) > exact], 2))
    if abs(power - round(power)) > 1e-9 or len(bare) < 6:
        return None
    fits: list[Scale] = []
    for tick in bare[np.argsort(np.abs(bare - place))][:2]:
        for ratio in (2.0, 0.9):
            slope = math.log10(ratio) / float(tick - place)
            scale = Scale("logarithmic", slope, power - slope * place, 0.0)
            if not _decades(scale, ticks, np.array([place]), exact):
                continue
            w = np.round(10 ** (slope * (bare - place)) * 10 ** -np.floor(slope * (bare - place) + 1e-6))
            logs = np.log10(w) + np.floor(slope * (bare - place) + 1e-6)
            slope = float(logs @ (bare - place) / ((bare - place) @ (bare - place)))
            off = float(np.max(np.abs(logs / slope - (bare - place))))
            if off <= exact and not any(abs(s.slope - slope) < 0.02 * abs(slope) for s in fits):
                fits.append(Scale("logarithmic", slope, power - slope * place, off))
    return fits[0] if len(fits) == 1 else None


def _nearest_multiple(scale: Scale, places: Places) -> tuple[Places, Places]:
    """Of the values k * 10^n nearest to places: where they stand, and how far away."""
    line = scale.slope * places + scale.intercept
    decade = np.floor(line + 1e-9)
    options = np.log10(np.arange(1, 11))[None, :] + decade[:, None]
    nearest = options[np.arange(len(line)), np.argmin(np.abs(options - line[:, None]), axis=1)]
    place = (nearest - scale.intercept) / scale.slope
    return place, np.abs(place - places)


def _decades(scale: Scale, ticks: Places, labelled: Places, loose: float) -> bool:
    """Whether at least six ticks without labels stand at multiples of powers of ten, and hardly one elsewhere."""
    bare = np.array([t for t in np.unique(np.round(ticks, 2)) if np.min(np.abs(labelled - t)) > loose])
    if len(bare) < 6:
        return False
    _, off = _nearest_multiple(scale, bare)
    decade = 1 / abs(scale.slope)
    return bool(np.mean(off <= loose) > 0.95) and decade * math.log10(10 / 9) > 3 * loose
