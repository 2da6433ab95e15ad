"""Guided modes of plane films of metals and absorbing media: all complex roots of the dispersion relation in a region, counted.

How many roots a box holds is how often the relation turns around zero along its edge (argument principle); boxes are cut until
each holds one, which Newton's method then meets. Sources: P. Yeh, "Optical Waves in Layered Media" (Wiley 1988), chapter 11;
L. M. Delves and J. N. Lyness, Math. Comp. 21, 543 (1967).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Complex = NDArray[np.complex128]
Layer = tuple[complex, float]
Box = tuple[float, float, float, float]  # real parts, imaginary parts
Relation = Callable[[Complex], tuple[Complex, NDArray[np.float64]]]
TURN = 0.6  # radian between two places along an edge, at most
_NEAR = np.geomspace(1e-7, 0.1, 40)
_START = np.unique(
    np.concatenate([[0.0, 1.0], _NEAR, 1 - _NEAR, np.linspace(0.1, 0.9, 33)])
)  # roots crowd where a region begins
FINEST = 1e-13  # of an edge's length
_MOST = 100_000  # places that an edge is begun with
CUTS = (0.5, 0.4471, 0.5633, 0.3819, 0.6180)  # of a box, should a root lie on the cut
SMALL, SMALLEST = (
    0.3,
    1e-9,
)  # of the region: a box from whose middle Newton's method begins; one in which roots are not told apart
AT, STEPS = 1e-13, 60  # relative, of a root
BESIDE, ROOT = 1e-6, 1e-2  # beside a root the relation is more than a hundred times what it is there
OPPOSITE, NARROW = (
    1.5,
    6.0,
)  # times the highest index of one face alone; k0 n d at which a film's two faces know of each other


class NotCounted(ArithmeticError):
    """Roots could not be told apart, or lie on the edge of the region."""


def damped_indices(layers: Sequence[Layer], wavelength: float, across: bool) -> list[complex]:
    """Complex effective indices of all bound modes whose loss over a wavelength is less than their phase, highest real part first.

    layers: (epsilon, thickness) from below to above, half-spaces first and last; across: H along z, else E. The region: real part
    above that of both half-spaces' indices up to where no film's faces know of each other, |imaginary| below the real part.
    Raises NotCounted.
    """
    k0 = 2 * math.pi / wavelength
    low = max(np.sqrt(complex(layers[i][0])).real for i in (0, -1))
    high = _highest(layers, k0, across)
    if high <= low:
        return []

    def relation(n: Complex) -> tuple[Complex, NDArray[np.float64]]:
        return mismatch(n, layers, k0, across)

    rate = k0 * sum(thickness for _, thickness in layers[1:-1])
    edge = (max(low, 1e-6 * high) * (1 + 1e-9), high, -0.0173 * high, high)
    found = [
        root
        for root in _roots(relation, edge, _turns(relation, edge, rate), SMALL * high, rate)
        if -1e-9 * abs(root) <= root.imag < root.real
    ]
    return sorted(found, key=lambda n: -n.real)


def followed(index: complex, layers: Sequence[Layer], wavelength: float, across: bool) -> complex:
    """The root near `index`. Raises NotCounted."""
    found = _newton(lambda n: mismatch(n, layers, 2 * math.pi / wavelength, across), index)
    if found is None:
        raise NotCounted(f"no root near {index:.6g}")
    return found


def mismatch(
    n: Complex, layers: Sequence[Layer], k0: float, across: bool
) -> tuple[Complex, NDArray[np.float64]]:
    """Zero where fields that decay on both sides meet, and the natural logarithm of a positive factor: together analytic in n."""

    def inverse(epsilon: complex) -> complex:
        return 1 / epsilon if across else 1.0

    n = np.asarray(n, complex)
    first, last = layers[0][0], layers[-1][0]
    field, slope, grown = np.ones_like(n), np.sqrt(n**2 - first) * inverse(first), np.zeros(n.shape)
    for epsilon, thickness in layers[1:-1]:
        q = np.sqrt(n**2 - epsilon)
        q = np.where(np.abs(q) < 1e-12, 1e-12, q)
        turn = q * k0 * thickness
        most = np.abs(turn.real)
        rise, fall = np.exp(turn - most), np.exp(-turn - most)
        c, s, weight = (rise + fall) / 2, (rise - fall) / (2 * q), inverse(epsilon)
        field, slope = c * field + s / weight * slope, weight * q**2 * s * field + c * slope
        size = np.hypot(np.abs(field), np.abs(slope))
        field, slope, grown = field / size, slope / size, grown + most + np.log(size)
    return np.asarray(slope + np.sqrt(n**2 - last) * inverse(last) * field), grown


def _highest(layers: Sequence[Layer], k0: float, across: bool) -> float:
    """A real part beyond which there is no root."""
    found = [abs(np.sqrt(complex(epsilon)).real) for epsilon, _ in layers]
    if across:
        faces = [(one[0], other[0]) for one, other in zip(layers, layers[1:], strict=False)]
        found += [OPPOSITE * abs(np.sqrt(a * b / (a + b))) for a, b in faces if a != b]
        found += [NARROW / (k0 * d) for _, d in layers[1:-1]] if any(e.real < 0 for e, _ in layers) else []
    return float(max(found)) * (1 + 1e-6)


def _roots(relation: Relation, box: Box, count: int, small: float, rate: float) -> list[complex]:
    """The roots of a box that holds so many. rate: radian by which the films turn the relation over a unit of the index."""
    low, high, bottom, top = box
    if count == 0:
        return []
    if count == 1 and max(high - low, top - bottom) < small:
        root = _newton(relation, complex((low + high) / 2, (bottom + top) / 2))
        if root is not None and low <= root.real <= high and bottom <= root.imag <= top:
            return [root]
    for share in CUTS:
        try:
            halves = [(half, _turns(relation, half, rate)) for half in _cut(box, share)]
        except NotCounted:
            continue
        if sum(inside for _, inside in halves) == count:
            return [root for half, inside in halves for root in _roots(relation, half, inside, small, rate)]
    size, middle = max(high - low, top - bottom), complex((low + high) / 2, (bottom + top) / 2)
    if size < SMALLEST * abs(middle):  # modes of two faces that hardly know of each other
        root = _newton(relation, middle)
        return [middle if root is None or abs(root - middle) > size else root] * count
    raise NotCounted(f"{count} roots between {complex(low, bottom):.6g} and {complex(high, top):.6g}")


def _cut(box: Box, share: float) -> tuple[Box, Box]:
    """A box in two, across its longer side."""
    low, high, bottom, top = box
    if high - low > top - bottom:
        middle = low + share * (high - low)
        return (low, middle, bottom, top), (middle, high, bottom, top)
    middle = bottom + share * (top - bottom)
    return (low, high, bottom, middle), (low, high, middle, top)


def _turns(relation: Relation, box: Box, rate: float) -> int:
    """How many roots a box holds."""
    low, high, bottom, top = box
    corners = [complex(low, bottom), complex(high, bottom), complex(high, top), complex(low, top)]
    total = sum(
        _turned(relation, a, b, rate) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)
    )
    count = round(total / (2 * math.pi))
    if abs(total / (2 * math.pi) - count) > 1e-3 or count < 0:
        raise NotCounted(f"{total / (2 * math.pi):.3g} roots")
    return count


def _turned(relation: Relation, start: complex, end: complex, rate: float) -> float:
    """By how much the relation turns along an edge: between no two places by much, nor by more than by way of the place between them.

    It is begun so finely that the films alone turn it by less than that: equal steps of whole turns would be none.
    """
    least = min(math.ceil(2 * abs(end - start) * rate / TURN) + 1, _MOST)
    places = np.union1d(_START, np.linspace(0.0, 1.0, least))
    places = places[np.append(True, np.diff(places) > 1e-9)]  # what rounding parts is one place
    values = relation(start + (end - start) * places)[0]
    unsure = np.ones(places.size - 1, bool)
    while unsure.any():
        at = np.flatnonzero(unsure)
        if np.min(places[at + 1] - places[at]) < FINEST:
            raise NotCounted("a root on an edge")
        between = (places[at] + places[at + 1]) / 2
        there = relation(start + (end - start) * between)[0]
        first, second = np.angle(there / values[at]), np.angle(values[at + 1] / there)
        sure = (np.abs(first) < TURN) & (np.abs(second) < TURN)
        sure &= np.abs(first + second - np.angle(values[at + 1] / values[at])) < TURN
        places, values = np.insert(places, at + 1, between), np.insert(values, at + 1, there)
        halves = at + np.arange(at.size)  # where the first half of each now is
        unsure = np.zeros(places.size - 1, bool)
        unsure[halves], unsure[halves + 1] = ~sure, ~sure
    return float(np.angle(values[1:] / values[:-1]).sum())


def _newton(relation: Relation, start: complex) -> complex | None:
    """A root from a start, by the secant method: where that stands still because it was thrown far away and came back, there is none."""
    reference = float(relation(np.array([start]))[1][0])

    def at(n: complex) -> complex:
        value, grown = relation(np.array([n]))
        return complex(value[0]) * math.exp(min(max(float(grown[0]) - reference, -600.0), 600.0))

    a, b = start, start * (1 + 1e-5)
    at_a, at_b = at(a), at(b)
    for _ in range(STEPS):
        if at_b == at_a:
            break
        a, at_a, b = b, at_b, b - at_b * (b - a) / (at_b - at_a)
        if not np.isfinite(b):
            return None
        at_b = at(b)
        if abs(b - a) < AT * abs(b):
            break
    stands = abs(b - a) < 1e-9 * abs(b)
    return b if stands and abs(at_b) < ROOT * abs(at(b * (1 + BESIDE))) else None
