"""Which data a plotted number is: the code draws twice, the second time from data that were moved a little.

A number that a model typed does not move with the data; one that it multiplied by a factor of its own is no datum any more.
So a coordinate counts only if it is a datum (value, one of its repeats, value plus or minus uncertainty) in both drawings, or
all of its series over one datum, or a share in percent.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from schemas.explore.science_data import Number, ScienceData

_NEAR = 1e-10
_MOVED = (1e-6, 1e-5)  # relative; so little that what is sorted by size stays in its order


def moved(data: ScienceData) -> dict[str, Number]:
    """The numbers, each multiplied by a factor of its own just above 1; equal ones move alike, so that ties stay ties.

    Nobody can tell which of two sets is the true one.
    """
    found = {}
    for number in data.all_numbers():
        values = tuple(value * _factor(value) for value in number.values)
        uncertainty = None if number.uncertainty is None else number.uncertainty * _factor(number.uncertainty)
        found[number.name] = number.model_copy(
            update={
                "value": number.value * _factor(number.value),
                "uncertainty": uncertainty,
                "values": values,
            }
        )
    return found


def _factor(value: float) -> float:
    share = int(hashlib.sha256(repr(float(value)).encode()).hexdigest()[:12], 16) / 16**12
    return 1 + _MOVED[0] + share * (_MOVED[1] - _MOVED[0])


@dataclass(frozen=True)
class Match:
    """What a series is: for each point the numbers it may be; how they were scaled, in words for a caption's check."""

    points: tuple[tuple[Number, ...], ...]
    scaling: str = ""


class Tracer:
    """Finds the data behind coordinates."""

    def __init__(self, data: ScienceData):
        self._true, self._moved, self._numbers = _entries(data)
        order = np.argsort(self._true, kind="stable")
        self._true, self._moved = self._true[order], self._moved[order]
        self._numbers = [self._numbers[at] for at in order]
        second = moved(data)
        self._units = [
            (number.value, second[number.name].value)
            for number in data.all_numbers()
            if number.kind == "measured" and number.value
        ]

    def match(self, first: Sequence[float], second: Sequence[float]) -> Match | None:
        """The data behind a series drawn from the true and from the moved data; None where one point is no datum."""
        one, two = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
        if len(one) != len(two) or not len(one):
            return None
        plain = self._points(one, two)
        if plain is not None:
            return Match(plain)
        percent = self._points(one / 100, two / 100)
        if percent is not None and all(number.unit in ("", "1") for point in percent for number in point):
            return Match(percent, "percent")
        for unit, unit_moved in self._units:
            for over in (
                self._points(one * unit, two * unit_moved),
                self._points(one * unit / 100, two * unit_moved / 100),
            ):
                if over is not None:
                    return Match(over, "over one datum")
        with np.errstate(divide="ignore", invalid="ignore"):
            for unit, unit_moved in self._units:
                under = self._points(unit / one, unit_moved / two)
                if under is not None:
                    return Match(under, "one datum over each")
        return None

    def _points(
        self, one: NDArray[np.float64], two: NDArray[np.float64]
    ) -> tuple[tuple[Number, ...], ...] | None:
        found = []
        for value, value_moved in zip(one, two, strict=True):
            near = _NEAR * abs(value)
            low, high = np.searchsorted(self._true, [value - near, value + near], side="left")
            hits = [
                self._numbers[at]
                for at in range(low, min(high + 1, len(self._true)))
                if abs(self._true[at] - value) <= near
                and abs(self._moved[at] - value_moved) <= _NEAR * abs(value_moved)
            ]
            if not hits:
                return None
            found.append(tuple({number.name: number for number in hits}.values()))
        return tuple(found)


def _entries(data: ScienceData) -> tuple[NDArray[np.float64], NDArray[np.float64], list[Number]]:
    true: list[float] = []
    second: list[float] = []
    numbers: list[Number] = []
    shifted = moved(data)
    for number in data.all_numbers():
        other = shifted[number.name]
        pairs = [(number.value, other.value), *zip(number.values, other.values, strict=True)]
        if number.uncertainty and other.uncertainty:
            pairs += [
                (number.value + number.uncertainty, other.value + other.uncertainty),
                (number.value - number.uncertainty, other.value - other.uncertainty),
            ]
        true += [pair[0] for pair in pairs]
        second += [pair[1] for pair in pairs]
        numbers += [number] * len(pairs)
    return np.array(true, dtype=float), np.array(second, dtype=float), numbers
