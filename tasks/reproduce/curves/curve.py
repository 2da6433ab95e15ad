"""A sampled curve, its noise, and the grid on which two curves are compared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]

# A reference that varies by less than this fraction of its largest magnitude has no shape to compare.
FLAT_FRACTION = 0.1
ALL_ALONG = 0.9  # share of all its ups and downs that a curve moves one way
# Below this many samples a curve is compared at its own points: interpolating it would invent the rest.
SPARSE_POINTS = 25
LARGEST = 1e100  # squares of differences stay finite
GRID_POINTS = (400, 4000)


@dataclass(frozen=True, eq=False)
class Curve:
    """y against strictly ascending x; both finite, shape (points,), at least two. Make it with `of`."""

    x: FloatArray
    y: FloatArray

    @classmethod
    def of(cls, x: ArrayLike, y: ArrayLike) -> Curve:
        """Sorted by x; samples at the same x are averaged.

        Raises:
            ValueError: lengths differ, fewer than two different x, a value not finite or above 1e100.
        """
        xs, ys = np.asarray(x, dtype=float).ravel(), np.asarray(y, dtype=float).ravel()
        if xs.size != ys.size:
            raise ValueError(f"x has {xs.size} values and y has {ys.size}; they must be equally long")
        bad = int(np.count_nonzero(~(np.isfinite(xs) & np.isfinite(ys))))
        if bad:
            raise ValueError(f"{bad} of {xs.size} samples are NaN or infinite; all must be finite")
        if np.abs(ys).max(initial=0.0) > LARGEST or np.abs(xs).max(initial=0.0) > LARGEST:
            raise ValueError(f"a sample exceeds {LARGEST:g}: no quantity is that large in a sensible unit")
        unique, place = np.unique(xs, return_inverse=True)
        if unique.size < 2:
            raise ValueError(f"a curve needs at least two different x; found {unique.size}")
        return cls(unique, np.bincount(place, weights=ys) / np.bincount(place))

    def at(self, x: FloatArray) -> FloatArray:
        """Linear interpolation; NaN outside the curve."""
        return np.interp(x, self.x, self.y, left=np.nan, right=np.nan)

    def within(self, low: float, high: float) -> Curve | None:
        """The part between low and high (in any order), ends interpolated; None if there is no such part."""
        low, high = min(low, high), max(low, high)
        low, high = max(low, float(self.x[0])), min(high, float(self.x[-1]))
        if not low < high:
            return None
        inside = self.x[(self.x > low) & (self.x < high)]
        x = np.concatenate([[low], inside, [high]])
        return Curve(x, self.at(x))

    def count(self, low: float, high: float) -> int:
        """Number of samples between low and high, ends included."""
        return int(np.count_nonzero((self.x >= low) & (self.x <= high)))

    def range(self) -> float:
        """Largest minus smallest y."""
        return float(np.ptp(self.y))

    def noise(self) -> float:
        """Standard deviation of sample-to-sample noise from second differences (robust: median)."""
        if self.x.size < 5:
            return 0.0
        # Var(y[i-1] - 2 y[i] + y[i+1]) = 6 sigma^2; 1.4826 turns a median deviation into a sigma.
        return float(1.4826 * np.median(np.abs(np.diff(self.y, 2))) / np.sqrt(6))


def is_flat(reference: Curve) -> bool:
    """Whether the curve is constant to within 10 % of its largest magnitude."""
    return reference.range() < FLAT_FRACTION * float(np.abs(reference.y).max()) or not np.any(reference.y)


def rise(y: FloatArray) -> float:
    """Last minus first of values that rise, or fall, all along; 0 of others."""
    moved = float(np.abs(np.diff(y)).sum())
    total = float(y[-1] - y[0])
    return total if abs(total) >= ALL_ALONG * moved else 0.0


def normaliser(reference: Curve) -> float:
    """What differences are divided by: the range; for a flat curve, which has none, its largest magnitude."""
    return (float(np.abs(reference.y).max()) if is_flat(reference) else reference.range()) or 1.0


def grid(simulated: Curve, reference: Curve) -> FloatArray:
    """Abscissas of comparison over the reference's range: uniform, or the points of a sparse curve."""
    low, high = float(reference.x[0]), float(reference.x[-1])
    counts = simulated.count(low, high), reference.count(low, high)
    if min(counts) < SPARSE_POINTS:
        sparse = simulated if counts[0] <= counts[1] else reference
        points = sparse.x[(sparse.x >= low) & (sparse.x <= high)]
        if points.size >= 3:
            return points
    return np.linspace(low, high, int(np.clip(4 * max(counts), *GRID_POINTS)))


FEW, SOME = 12, 40


def reach_of(curve: Curve) -> tuple[float, float]:
    """First and last abscissa."""
    return float(curve.x[0]), float(curve.x[-1])


def few_points(curve: Curve) -> tuple[float, ...]:
    """The values of a curve that is a table of at most FEW points, each of which a text may state; of one of at most SOME, a sweep
    rather than a spectrum, the first and the last; none of a longer one, where almost any number can be found."""
    told = curve.y if curve.y.size <= FEW else curve.y[[0, -1]] if curve.y.size <= SOME else ()
    return tuple(float(value) for value in told)
