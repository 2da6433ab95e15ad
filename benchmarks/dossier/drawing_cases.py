"""What a family of cases is, and how one case is drawn from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from string import Template
from typing import Any

from schemas.base import digest
from simkit.describe.units import UNITS

HEAD = "from simkit.describe import *\n\n\ndef describe(p):\n"
FIXED_SEED = 28
HALVES = ("fixed", "drawn")
TRIES = 200  # draws of which a family may say that they hold nothing to measure
Numbers = Mapping[str, float]
Words = Mapping[str, Any]
Exact = Callable[[Numbers, Words, str, Any], tuple[Any, float]]
"""(numbers in base units, words, quantity, abscissae (n,) or None of a number) -> (exact value or curve (n,), its own error)."""


class Nothing(ValueError):
    """These numbers hold nothing to measure: below a cut-off, no mode in the band."""


@dataclass(frozen=True)
class Range:
    """Numbers from low to high in steps."""

    low: float
    high: float
    step: float
    unit: str = "1"
    view: bool = False
    count: bool = False

    def drawn(self, rng: random.Random) -> float:
        """One of them, each as likely."""
        return round(self.low + self.step * rng.randint(0, round((self.high - self.low) / self.step)), 9)

    def words(self) -> str:
        """As the page prints it."""
        unit = "" if self.unit == "1" else f" {self.unit}"
        return f"{self.low:g} to {self.high:g}{unit}"


@dataclass(frozen=True)
class Family:
    """Cases of one scene and a class of quantities.

    code: the body of `describe`, $WORDS replaced by what is chosen. ranges: of each parameter. choices: of each word. more: further
    numbers that follow from the drawn ones, in base units (ends of a search, counts); raises Nothing. exact: None where the theory that
    ReproLab shows beside the value, which reads the scene, is the only one at hand. count: of each half.
    """

    name: str
    scene: str
    quantity: str
    theory: str
    code: str
    ranges: Mapping[str, Range]
    count: int
    exact: Exact | None = None
    choices: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    more: Callable[[Numbers, Words, random.Random], Mapping[str, tuple[float, str]]] | None = None


@dataclass(frozen=True)
class Case:
    """A description that was drawn. numbers: as declared, with units; base: the same in base units."""

    family: Family
    half: str
    number: int
    seed: int
    words: Words
    entries: tuple[Mapping[str, Any], ...]

    @property
    def name(self) -> str:
        """As it is listed, and its result's file."""
        return f"{self.family.name}, {self.half} {self.number + 1}"

    @property
    def code(self) -> str:
        """The description."""
        return HEAD + Template(self.family.code).substitute({k: str(v) for k, v in self.words.items()})

    @property
    def base(self) -> dict[str, float]:
        """The parameters in base units."""
        return {one["id"]: one["value"] * UNITS[one.get("unit", "1")].factor for one in self.entries}

    @property
    def key(self) -> str:
        """Digest of code and parameters."""
        return digest({"code": self.code, "parameters": list(self.entries)}, 16)

    def told(self) -> str:
        """Words and numbers in a line."""
        words = [f"{k} {v}" for k, v in self.words.items()]
        numbers = [
            f"{one['id']} {one['value']:.6g}{'' if one.get('unit', '1') == '1' else ' ' + one['unit']}"
            for one in self.entries
        ]
        return ", ".join([*words, *numbers])


def drawn(family: Family, half: str, number: int, seed: int) -> Case:
    """The case of that number. The same seed gives the same case; draws that hold nothing to measure are drawn again."""
    rng = random.Random(f"{seed} {family.name} {number}")
    for _ in range(TRIES):
        words = {name: rng.choice(list(of)) for name, of in family.choices.items()}
        entries = [_entry(name, one.drawn(rng), one) for name, one in family.ranges.items()]
        base = {one["id"]: one["value"] * UNITS[one["unit"]].factor for one in entries}
        try:
            more = family.more(base, words, rng) if family.more else {}
        except Nothing:
            continue
        entries += [
            _entry(name, value, Range(value, value, 1, unit, view=True))
            for name, (value, unit) in more.items()
        ]
        return Case(family, half, number, seed, words, tuple(entries))
    raise RuntimeError(f"{family.name}: {TRIES} draws held nothing to measure")


def _entry(name: str, value: float, one: Range) -> dict[str, Any]:
    origin = {"origin": "numerical"} if one.view else {"origin": "assumption", "assumption_id": "A1"}
    return {"id": name, "value": value, "unit": one.unit, **origin} | ({"count": True} if one.count else {})


def cases(families: Sequence[Family], seeds: Mapping[str, int]) -> list[Case]:
    """All cases in the order in which they are solved: a part of them is of every family in proportion, and of both halves."""
    order = sorted(
        ((number + 0.5) / family.count, place, half, number)
        for place, family in enumerate(families)
        for half in range(len(HALVES))
        for number in range(family.count)
    )
    return [
        drawn(families[place], HALVES[half], number, seeds[HALVES[half]]) for _, place, half, number in order
    ]
