"""The numerical error of a value or curve from its variants: resolution, absorber, padding, decay, time, sampling, fits."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from schemas.reproduce.simulations.numerics import Part, UncertaintyPart
from tasks.reproduce.evidence.convergence import (
    FEWEST_POINTS,
    FORMAL_ORDER,
    OF_A_CURVE,
    OF_A_NUMBER,
    SAFETY,
    Extrapolated,
    number_told,
    scalar_convergence,
)
from tasks.reproduce.evidence.moving_lines import extrapolated_curve
from tasks.reproduce.measuring import COUNT, Curve, Map, Measured, Scalar
from tasks.reproduce.measuring.splines import cubic

Array = NDArray[np.float64]
VARIED: Mapping[Part, str] = {
    "absorber": "absorber twice as thick",
    "padding": "free distances twice as long",
    "decay": "decay to a tenth",
    "run time": "1.5 times the time",
    "materials": "permittivity changed by its fit's error",
}
APART: tuple[Part, ...] = ("materials", "sampling")
_ENOUGH, _FURTHEST = (
    8,
    0.1,
)  # points of a spectrum whose place is compared; the largest shift, of the frequency
_SMOOTH = 1e-6  # of the scale: a difference that is rounding, no order


@dataclass
class Variants:
    """One quantity at every rung and, at the coarse rung, with one choice changed at a time.

    rungs: (resolution, value) ascending. base: the coarse value that `changed` is compared with. typical: relative step between
    the last two rungs of the quantities of its kind from the same fields, the median (of two the larger). formal: order of the
    grid's error, at most. unsettled: share of the fields that was still to come when the finest grid's runs ended. own: a function
    of the description's own makes the values, whose witnesses are of the finest grid alone: they are not extrapolated.
    """

    rungs: list[tuple[float, Measured]] = field(default_factory=list)
    changed: dict[Part, tuple[Measured, ...]] = field(default_factory=dict)
    base: Measured | None = None
    nothing: dict[Part, str] = field(default_factory=dict)  # what cannot be varied here, and why
    missing: dict[Part, str] = field(default_factory=dict)  # what gave no value when it was varied
    typical: float = 0.0
    formal: float = FORMAL_ORDER
    unsettled: float = 0.0
    steady: bool = False
    own: bool = False

    @property
    def finest(self) -> Measured:
        """The value at the finest grid."""
        return self.rungs[-1][1]

    @property
    def limit(self) -> Extrapolated | None:
        """A curve's points for a pixel of no size; None of a map, a number, one's own function, and of what is not regular."""
        if self.own or not isinstance(self.finest, Curve) or isinstance(self.finest, Map):
            return None
        return extrapolated_curve([r for r, _ in self.rungs], self.finest.x, _table(self.rungs), self.formal)

    def read(self, feature: Callable[[Measured], float]) -> Variants:
        """The same variants of a number read from the value (a position, a width, the number in another unit)."""

        def scalar(found: Measured) -> Scalar:
            return Scalar(feature(found))

        return Variants(
            [(r, scalar(v)) for r, v in self.rungs],
            {p: tuple(scalar(v) for v in values) for p, values in self.changed.items()},
            None if self.base is None else scalar(self.base),
            dict(self.nothing),
            dict(self.missing),
            typical=self.typical if isinstance(self.finest, Scalar) else 0.0,
            formal=self.formal,
            unsettled=self.unsettled,
            steady=isinstance(self.finest, Curve)
            and self.finest.x.size >= FEWEST_POINTS
            and self.limit is not None,
            own=self.own,
        )

    @property
    def step(self) -> float:
        """Relative step between the last two rungs; 0 where they cannot be compared."""
        found = difference(self.rungs[-1][1], self.rungs[-2][1]) / (scale_of(self.finest) or 1.0)
        return found if math.isfinite(found) else 0.0


def scale_of(found: Measured) -> float:
    """The size that relative numbers refer to: |value|, or the largest |y| of a curve."""
    return abs(found.value) if isinstance(found, Scalar) else float(np.max(np.abs(found.y)))


def difference(one: Measured, other: Measured) -> float:
    """|one - other|; of curves the largest over the abscissae they share. inf where they cannot be compared."""
    if isinstance(one, Scalar) and isinstance(other, Scalar):
        return abs(one.value - other.value)
    if isinstance(one, Curve) and isinstance(other, Curve):
        if one.y.size == other.y.size == 1:  # at one wavelength each, which may itself be what was moved
            return abs(float(one.y.flat[0] - other.y.flat[0]))
        gap = pointwise(one, other)
        return math.inf if not np.any(np.isfinite(gap)) else float(np.nanmax(gap))
    return math.inf


def typical_difference(one: Measured, other: Measured) -> float:
    """|one - other|; of curves the root mean square over the abscissae they share."""
    if isinstance(one, Curve) and isinstance(other, Curve):
        gap = pointwise(one, other)
        return float(np.sqrt(np.nanmean(gap**2))) if np.any(np.isfinite(gap)) else math.inf
    return difference(one, other)


def shifted(one: Measured, other: Measured) -> float | None:
    """By what share of itself the abscissa of `one` moves, at most a tenth, to lie best on `other`; None of no spectrum."""
    if (
        not isinstance(one, Curve)
        or not isinstance(other, Curve)
        or isinstance(one, Map)
        or isinstance(other, Map)
    ):
        return None
    if one.axis != "frequency" or min(len(one.x), len(other.x)) < _ENOUGH:
        return None
    apart, there = {}, _between(other)
    for share in np.linspace(-_FURTHEST, _FURTHEST, 81):
        gap = _gaps(one.x * (1 + share), one.y, other, there)
        if np.count_nonzero(np.isfinite(gap)) >= len(one.x) / 2:
            apart[float(share)] = float(np.sqrt(np.nanmean(gap**2)))
    return min(apart, key=lambda share: apart[share]) if apart else None


def pointwise(one: Curve, other: Curve) -> Array:
    """|one - other| at the points of `one`; NaN where `other` has none."""
    if isinstance(one, Map) and isinstance(other, Map):
        return np.abs(one.y - _there(other, one))
    if one.x.shape == other.x.shape and np.allclose(one.x, other.x, rtol=1e-9, atol=0):
        return np.abs(one.y - other.y)
    return _gaps(one.x, one.y, other, _between(other))


def _between(curve: Curve) -> Callable[[Array], Array]:
    """A curve's values between its points."""
    if len(curve.x) < 4:
        return lambda x: np.interp(x, curve.x, curve.y)
    return cubic(curve.x, curve.y)


def _gaps(x: Array, y: Array, other: Curve, there: Callable[[Array], Array]) -> Array:
    inside = (x >= other.x[0] * (1 - 1e-9)) & (x <= other.x[-1] * (1 + 1e-9))
    return np.where(inside, np.abs(y - there(x)), np.nan)


@dataclass(frozen=True)
class OnGrids:
    """What the grids of a quantity say: the value to tell (its finest grid's, or the extrapolated one where that is surer), what the
    grid leaves open of it (of each point of a curve; None with one grid), the observed order (of a curve the median), and how."""

    value: Measured
    left: Array | None
    order: float | None
    how: str


def on_grids(variants: Variants) -> OnGrids:
    """Three or more regular rungs: Richardson with the observed order; irregular: the spread; two: the error if the order were one.
    Two values may agree by chance: then no step counts as less than half the typical one."""
    rungs, finest = variants.rungs, variants.finest
    if len(rungs) < 2:
        return OnGrids(finest, None, None, "one resolution: no evidence of convergence")
    if isinstance(finest, Scalar):
        least, fewest = _least(rungs, variants.typical), OF_A_CURVE if variants.steady else OF_A_NUMBER
        fewest = 0 if variants.own else fewest
        values = [v.value for _, v in rungs if isinstance(v, Scalar)]
        value, left, order, how = _number([r for r, _ in rungs], values, least, variants.formal, fewest)
        return OnGrids(replace(finest, value=value), np.array([left]), order, how)
    errors, order = _at_the_finest(rungs, variants.typical, variants.formal)
    limit = variants.limit
    if limit is not None:
        left = np.maximum(_least(rungs, 0.0), limit.left)
        left = np.maximum(left, 0.5 * np.maximum(_near(left), float(np.sqrt(np.mean(left**2))) / 2))
        if np.mean(left**2) < np.mean(errors**2):
            how = limit.convergence(float(np.max(left)), len(rungs)).grid
            assert how is not None
            return OnGrids(replace(finest, y=limit.values), left, limit.order, how.words)
    return OnGrids(finest, errors, order, f"each point from {len(rungs)} resolutions")


def _at_the_finest(
    rungs: Sequence[tuple[float, Measured]], typical: float, formal: float
) -> tuple[Array, float | None]:
    """The grid's error at each point of the finest curve, and the median observed order.

    A point whose own sequence is regular has its own error; neighbours may differ in order where curves cross, so no
    point is called better than half the median of its five neighbours, and with two grids, or of a map, none better than the
    root mean square of all, nor than half of it where the error is of first order.
    """
    finest = rungs[-1][1]
    assert isinstance(finest, Curve)
    resolutions, table = [r for r, _ in rungs], _table(rungs)
    least = _least(rungs, typical)
    found = [_number(resolutions, [float(v) for v in points], least, formal, 0) for points in table.T]
    errors = np.array([error for _, error, _, _ in found])
    near = _near(errors)
    if len(rungs) == 2 or isinstance(
        finest, Map
    ):  # curves cross somewhere, maps along lines: no difference says nothing there
        near = np.maximum(near, 2 * float(np.sqrt(np.mean(errors**2))))
        if finest.axis == "parameter" and np.all(
            finest.y != 0
        ):  # of a sweep, whose values can differ much, relative as well
            near = np.maximum(near, 2 * np.abs(finest.y) * float(np.sqrt(np.mean((errors / finest.y) ** 2))))
    elif formal < FORMAL_ORDER:  # terms of two orders cancel at some points of any curve
        near = np.maximum(near, float(np.sqrt(np.mean(errors**2))))
    orders = [order for _, _, order, _ in found if order is not None]
    return np.maximum(errors, 0.5 * near), float(np.median(orders)) if orders else None


def _near(errors: Array) -> Array:
    """The median of each point's error and of its four neighbours'."""
    return np.array([np.median(errors[max(0, i - 2) : i + 3]) for i in range(errors.size)])


def _table(rungs: Sequence[tuple[float, Measured]]) -> Array:
    """The curves of all rungs at the points of the finest, shape (rungs, points)."""
    finest = rungs[-1][1]
    assert isinstance(finest, Curve)
    return np.array([_at(curve, finest) for _, curve in rungs if isinstance(curve, Curve)])


def parts_of(variants: Variants) -> tuple[tuple[UncertaintyPart, ...], float | None, Array | None]:
    """All parts, the observed order, and the error of each point of a curve (None for a number).

    Of a curve a part's value is that of its worst point; the parts of a point are added as `total` does, without sampling,
    which concerns what lies between the points.
    """
    grid = on_grids(variants)
    parts, finest, order = [_grid_part(grid)], grid.value, grid.order
    points = np.zeros(finest.x.size) if isinstance(finest, Curve) else None
    fits = 0.0 if points is None else np.zeros_like(points)
    if points is not None and grid.left is not None:
        points = points + grid.left
    for part, words in VARIED.items():
        base = variants.base
        if part in variants.changed and base is not None:
            values = [difference(base, other) for other in variants.changed[part]]
            parts.append(UncertaintyPart(part=part, value=math.hypot(*values), how=words))
            if points is not None and isinstance(base, Curve) and isinstance(finest, Curve):
                for other in variants.changed[part]:
                    if isinstance(other, Curve):
                        gap = _onto(finest, base, other)
                        if part in APART:
                            fits = fits + gap**2
                        else:
                            points = points + gap
        elif part in variants.nothing:
            parts.append(
                UncertaintyPart(part=part, value=0.0, state="nothing to vary", how=variants.nothing[part])
            )
        else:
            why = variants.missing.get(part, "not varied")
            parts.append(UncertaintyPart(part=part, state="not computed", how=f"{words}: {why}"))
    if variants.unsettled:
        left = _still_to_come(variants)
        how = f"{100 * variants.unsettled:.2g} % of the fields were still to come when the run ended"
        parts = [
            part
            if part.part != "run time"
            else part.model_copy(
                update={"state": "computed", "value": max(part.value or 0.0, left), "how": how}
            )
            for part in parts
        ]
        points = None if points is None else points + left
    if "sampling" in variants.changed and variants.base is not None:
        base, others = variants.base, variants.changed["sampling"]
        value = math.hypot(*(difference(base, other) for other in others))
        how = "every other sample of what it is made of, a quarter"
        if isinstance(finest, Curve) and isinstance(base, Curve):
            for other in others:
                fits = fits + _onto(finest, base, other) ** 2
            if finest.axis != COUNT:
                value, how = math.hypot(value, sampling_error(finest)), f"{how}; and between its own points"
        parts.append(UncertaintyPart(part="sampling", value=value, how=how))
    elif "sampling" in variants.missing:
        parts.append(UncertaintyPart(part="sampling", state="not computed", how=variants.missing["sampling"]))
    elif isinstance(finest, Curve) and finest.axis == COUNT:
        parts.append(
            UncertaintyPart(
                part="sampling", value=0.0, state="nothing to vary", how="nothing lies between whole numbers"
            )
        )
    elif isinstance(finest, Curve):
        parts.append(
            UncertaintyPart(
                part="sampling",
                value=sampling_error(finest),
                how="the curve between its samples, from every other sample",
            )
        )
    return tuple(parts), order, None if points is None else np.sqrt(points**2 + fits)


def _grid_part(grid: OnGrids) -> UncertaintyPart:
    """The grid's part, of a curve its worst point's."""
    if grid.left is None:
        return UncertaintyPart(part="resolution", state="not computed", how=grid.how)
    worst, how = int(np.nanargmax(grid.left)), grid.how
    if isinstance(grid.value, Curve):
        how = f"{how}; the worst point at x = {grid.value.x[worst]:.6g}"
    return UncertaintyPart(part="resolution", value=float(grid.left[worst]), how=how)


def _onto(finest: Curve, base: Curve, other: Measured) -> Array:
    """|base - other| at the points of the finest curve; where they share no abscissa their largest difference."""
    assert isinstance(other, Curve)
    gap = np.nan_to_num(pointwise(base, other), nan=difference(base, other))
    return gap if base.x.shape == finest.x.shape else np.interp(finest.x, base.x, gap)


def _still_to_come(variants: Variants) -> float:
    """What fields that were still to come may change: of a share of the light at most twice theirs."""
    finest = variants.finest
    return 2 * variants.unsettled * (max(1.0, scale_of(finest)) if finest.power == 0 else scale_of(finest))


def sampling_error(curve: Curve) -> float:
    """What lies between the samples: the largest miss of a spline through every other sample, a quarter of it.

    Halving the spacing divides a spline's error by four or more where the curve is resolved at all.
    """
    if isinstance(curve, Map):
        return max(axis_errors(curve))
    if curve.x.size < 7:
        return float(np.ptp(curve.y)) if curve.x.size > 1 else 0.0
    rest = cubic(curve.x[::2], curve.y[::2])(curve.x[1:-1:2])
    return float(np.max(np.abs(rest - curve.y[1:-1:2]))) / 4


def axis_errors(found: Map) -> tuple[float, float]:
    """The same of a map as it is read, linear between its points: along its first axis, and along its second."""
    out = []
    for table, axis in ((found.table, found.grid[0]), (found.table.T, found.grid[1])):
        if axis.size < 5:
            out.append(float(np.max(np.ptp(table, axis=0))))
            continue
        rest = np.array([np.interp(axis[1:-1:2], axis[::2], column[::2]) for column in table.T])
        out.append(float(np.max(np.abs(rest - table.T[:, 1:-1:2]))) / 4)
    return out[0], out[1]


def _there(found: Map, like: Map) -> Array:
    """A map's values at the places of another; NaN where it has none."""
    if all(
        a.shape == b.shape and np.allclose(a, b, rtol=1e-9, atol=0)
        for a, b in zip(found.grid, like.grid, strict=True)
    ):
        return found.y
    return found.on(like.grid)


def total(parts: Sequence[UncertaintyPart]) -> float | None:
    """All parts together; None without the grid's.

    What grid, absorber, padding, decay and time leave has a sign each, and it may be the same (all of them shift a resonance):
    these are added as they are. Fits and sampling have nothing to do with them, and are added in quadrature.
    """
    if any(part.part == "resolution" and part.value is None for part in parts):
        return None
    known = [(part.part in APART, part.value) for part in parts if part.value is not None]
    return math.hypot(
        sum(value for apart, value in known if not apart), *(value for apart, value in known if apart)
    )


def _least(rungs: Sequence[tuple[float, Measured]], typical: float) -> float:
    """The smallest step between rungs that says something."""
    return max(_SMOOTH, 0.5 * typical if len(rungs) == 2 else 0.0) * scale_of(rungs[-1][1])


def _number(
    resolutions: Sequence[float], values: Sequence[float], least: float, formal: float, fewest: int
) -> tuple[float, float, float | None, str]:
    """The value to tell, what the grid leaves open of it, the observed order, and how."""
    if len(values) > 2 and np.ptp(values) <= least:
        return values[-1], float(least), None, "no change beyond rounding"
    if (
        len(values) == 2
    ):  # first order with the factor of a regular ladder is not wide: a study's grids lie close
        step = max(abs(values[1] - values[0]), least)
        found = scalar_convergence(resolutions, (0.0, step), formal)
        assert found.uncertainty is not None
        first = SAFETY * step / (resolutions[1] / resolutions[0] - 1)
        return values[-1], max(found.uncertainty, first), None, found.method
    value, found = number_told(resolutions, values, fewest, formal)
    assert found.uncertainty is not None
    return value, max(found.uncertainty, least), found.observed_order, found.method


def _at(curve: Curve, finest: Curve) -> Array:
    x = finest.x
    if isinstance(curve, Map) and isinstance(finest, Map):
        return _there(curve, finest)
    if curve.x.shape == x.shape and np.allclose(curve.x, x, rtol=1e-9, atol=0):
        return curve.y
    return cubic(curve.x, curve.y)(x) if curve.x.size > 3 else np.interp(x, curve.x, curve.y)
