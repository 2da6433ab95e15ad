"""How well a quantity must be known: what each of its targets' verdicts needs, and no more.

An aim is made of demands. Each is of the value itself, of a number that is read from it, or of the difference or ratio of two such
numbers, and says how large an uncertainty is good enough for what was simulated. The paper's value is in none of them: when a
ladder ends, it ends alike for what agrees and for what does not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tasks.reproduce.measuring import Curve, Measured, Scalar
from tasks.reproduce.uncertainty.error_parts import (
    Variants,
    parts_of,
    sampling_error,
    scale_of,
    total,
    typical_difference,
)

_TINY = 1e-4  # relative change of a number, for what a pair's number does with it
BY_CHANCE = 1 / 3  # of what is good enough: what a number on two grids must agree to
MORE = 1.05  # of what is good enough: the least that calls for another grid
Read = Callable[[Measured], tuple[float, float | None]]
"""The number that a target takes of a value, and what the spacing of the samples leaves open of it (None: unknown). Raises
ValueError where the value does not show it."""


NO_TARGET = "no target"  # what a demand follows from that nobody asks for


@dataclass(frozen=True)
class Pair:
    """That a target is made of two numbers: their names, the number made of them, and the uncertainty of it that is good enough."""

    first: str
    second: str
    made: Callable[[Measured, Measured], float]
    allowed: Callable[[float], float]

    def variants(self, found: Mapping[str, Variants]) -> Variants | None:
        """Of the number made of the two, on the grids that both were solved on together; None where one is not there."""
        one, other = (found.get(name) for name in (self.first, self.second))
        if one is None or other is None or one is other:
            return None
        try:
            return _together(one, other, self.made)
        except ValueError:  # the two make no number: evidence says why
            return None

    def share(self, one: Measured, other: Measured, name: str) -> float | None:
        """The relative uncertainty of one of the two numbers that leaves half of what is good enough to the other; None where the
        other makes all the difference."""
        try:
            made = self.made(one, other)
            moved = self.made(*((_moved(one), other) if name == self.first else (one, _moved(other))))
        except ValueError:
            return None
        each = abs(moved - made) / _TINY
        return self.allowed(made) / 2 / each if each else None


def _together(one: Variants, other: Variants, made: Callable[[Measured, Measured], float]) -> Variants | None:
    """The variants of a number that is made of two from the same runs; None where they do not end on the same grid, or what was varied
    of one was not of the other."""
    there = dict(other.rungs)
    rungs: list[tuple[float, Measured]] = [(r, Scalar(made(v, there[r]))) for r, v in one.rungs if r in there]
    if not rungs or rungs[-1][0] != one.rungs[-1][0] or one.changed.keys() != other.changed.keys():
        return None
    return Variants(
        rungs,
        {
            part: tuple(Scalar(made(*pair)) for pair in zip(values, other.changed[part], strict=True))
            for part, values in one.changed.items()
        },
        None if one.base is None or other.base is None else Scalar(made(one.base, other.base)),
        one.nothing | other.nothing,
        one.missing | other.missing,
        formal=min(one.formal, other.formal),
        unsettled=max(one.unsettled, other.unsettled),
        own=one.own or other.own,
    )


@dataclass(frozen=True)
class Demand:
    """One thing that must be known.

    share: of the value's size, the uncertainty (of a curve its root mean square) that is good enough; `of_value` gives it of a
    value at hand. read, allowed: instead of that of a number that is read, the uncertainty in its own unit; `share` counts
    where a value does not show that number. target: whose number is read.
    pair: or of a number that is made of this one and another; `share` counts until both
    are known. words: what it follows from. does: so many times that still does for a verdict, where to know it better is dear.
    light: that its target counts for no verdict: what counts is known before. places: abscissae of a sweep, in its own unit, at which
    it is asked for.
    """

    share: float
    of_value: Callable[[Measured], float] | None = field(default=None, compare=False)
    read: Read | None = field(default=None, compare=False)
    allowed: Callable[[float], float] | None = field(default=None, compare=False)
    words: str = ""
    target: str = field(default="", compare=False)
    does: float = 1.0
    pair: Pair | None = field(default=None, compare=False)
    light: bool = field(default=False, compare=False)
    places: tuple[float, ...] = field(default=(), compare=False)
    both: Variants | None = field(default=None, compare=False)  # of the pair's number

    def change(self, one: Measured, other: Measured) -> float:
        """How far two values are apart, in shares of what is good enough."""
        if (numbers := self._numbers(one, other)) is not None:
            return _over(abs(numbers[1] - numbers[0]), self._enough(numbers[0]))
        return _over(typical_difference(one, other), self._whole(one))

    def grid(self, variants: Variants) -> tuple[float, float | None]:
        """What the grid leaves open, in shares of what is good enough, and the observed order.

        A number that is read from a curve may be the same on two grids by chance: a third is needed, unless the whole curve is as
        it must be, or agrees to ten times that and the number to a third.
        """
        read = self.asked_of(variants)
        left, order = _grid(read, self._goal(variants, read))
        if read is not variants and isinstance(variants.finest, Curve) and len(variants.rungs) == 2:
            whole = _grid(variants, self._whole(variants.finest))[0]
            if left > BY_CHANCE or whole > 10:
                left = max(left, min(MORE, whole))
        return left, order

    def miss(self, variants: Variants) -> tuple[float, float] | None:
        """(numerical uncertainty, what is good enough), without the fits of materials; None where no uncertainty is known."""
        read = self.asked_of(variants)
        known = _known(replace(read, changed={p: v for p, v in read.changed.items() if p != "materials"}))
        return None if known is None else (known, self._goal(variants, read))

    def met(self, variants: Variants) -> bool:
        """Whether the uncertainty is known and, with the fits of materials, no more than still does."""
        read = self.asked_of(variants)
        known = _known(read)
        return known is not None and known <= self.does * self._goal(variants, read)

    def relative(self, variants: Variants) -> float:
        """What is good enough, over what it is of."""
        read = self.asked_of(variants)
        return self._goal(variants, read) / (scale_of(read.finest) or math.inf)

    def joined(self, found: Mapping[str, Variants]) -> Demand:
        """The same demand where the variants of others are known: of a pair's number, once both were solved on the same grids."""
        both = None if self.pair is None else self.pair.variants(found)
        return self if both is None else replace(self, both=both)

    def apart(self, name: str, finest: Mapping[str, Measured]) -> Demand:
        """The same demand of one of a pair whose other was solved on grids of its own: its half of what is good enough."""
        if self.pair is None or not {self.pair.first, self.pair.second} <= finest.keys():
            return self
        share = self.pair.share(finest[self.pair.first], finest[self.pair.second], name)
        return self if share is None else replace(self, share=share, pair=None)

    def sampling(self, value: Curve, least: float) -> float:
        """What lies between the samples, in shares of what is good enough; of a curve that is compared whole no coarser than
        `least` of its size asks for."""
        if self.read is not None and self.allowed is not None:
            try:
                number, left = self.read(value)
            except ValueError:
                return _over(sampling_error(value), least * scale_of(value))
            return math.inf if left is None else _over(left, self.allowed(number))
        return _over(sampling_error(value), min(self._whole(value), least * scale_of(value)))

    def number_of(self, value: Curve) -> Callable[[Curve], float] | None:
        """How the number that is read of this curve is read of one with other samples; None where it shows none."""
        read = self.read
        return None if read is None or self._numbers(value) is None else lambda other: read(other)[0]

    def asked_of(self, variants: Variants) -> Variants:
        """The variants of what is read; of the value itself where nothing is, or a grid does not show it."""
        if self.both is not None:
            return self.both
        if self.read is None:
            return variants
        read = self.read
        try:
            return variants.read(lambda value: read(value)[0])
        except ValueError:
            return variants

    def _goal(self, variants: Variants, read: Variants) -> float:
        finest = read.finest
        if self.pair is not None and self.both is not None and isinstance(finest, Scalar):
            return self.pair.allowed(finest.value)
        if read is not variants and isinstance(finest, Scalar):
            return self._enough(finest.value)
        return self._whole(variants.finest)

    def _numbers(self, *values: Measured) -> tuple[float, ...] | None:
        if self.read is None:
            return None
        try:
            return tuple(self.read(value)[0] for value in values)
        except ValueError:
            return None

    def _whole(self, value: Measured) -> float:
        share = self.share if self.of_value is None else self.of_value(value)
        return share * scale_of(value)

    def _enough(self, number: float) -> float:
        assert self.allowed is not None
        return self.allowed(number)


Aim = tuple[Demand, ...]


def within(share: float) -> Aim:
    """A relative uncertainty of the value itself."""
    return (Demand(share),)


def counts(wanted: Mapping[str, Aim], names: Iterable[str]) -> bool:
    """Whether a target that counts asks for one of these quantities."""
    return any(not d.light and d.words != NO_TARGET for name in names for d in wanted[name])


def heavy(wanted: Mapping[str, Aim]) -> dict[str, Aim]:
    """What is wanted for the targets that count, as if nobody asked for the rest."""
    return {
        name: tuple(d for d in aim if not d.light) or tuple(replace(d, words=NO_TARGET) for d in aim)
        for name, aim in wanted.items()
    }


def joined(aim: Aim, found: Mapping[str, Variants]) -> Aim:
    """An aim where the variants of others are known."""
    return tuple(demand.joined(found) for demand in aim)


def worst(aim: Aim, variants: Variants) -> tuple[float, float | None]:
    """The largest share of the demands that the grid leaves open, with the observed order there."""
    return max((demand.grid(variants) for demand in aim), key=lambda found: found[0], default=(0.0, None))


def does(aim: Aim, variants: Variants) -> bool:
    """Whether the value is known as well as still does for each demand."""
    return all(demand.met(variants) for demand in aim)


def missed(aim: Aim, variants: Variants) -> tuple[float, float] | None:
    """(numerical uncertainty, what is good enough) of the demand that is met least; None where no uncertainty is known."""
    found = [demand.miss(variants) for demand in aim]
    known = [one for one in found if one is not None]
    return max(known, key=lambda one: _over(*one)) if known and len(known) == len(found) else None


def told(aims: Sequence[Demand]) -> list[list[object]]:
    """An aim as plain data, for digests."""
    return [[demand.share, demand.words, demand.does] for demand in aims]


def _grid(variants: Variants, goal: float) -> tuple[float, float | None]:
    parts, order, points = parts_of(replace(variants, changed={}))
    error = float(np.sqrt(np.mean(points**2))) if points is not None else parts[0].value or 0.0
    return _over(error, goal), order


def _known(variants: Variants) -> float | None:
    """The uncertainty of a number, of a curve its root mean square; None with one grid."""
    parts, _, points = parts_of(variants)
    found = total(parts) if points is None else float(np.sqrt(np.mean(points**2)))
    return found if len(variants.rungs) > 1 else None


def _moved(value: Measured) -> Measured:
    return replace(value, value=value.value * (1 + _TINY)) if isinstance(value, Scalar) else value


def _over(size: float, enough: float) -> float:
    if size == 0:
        return 0.0
    return size / enough if enough > 0 else math.inf
