"""Declared parameters: the only place where the numbers of a simulation come from."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from simkit.describe.errors import DescriptionError
from simkit.describe.numbers import Count, Number, evaluate, names, retraced, taken
from simkit.describe.units import UNITS, canonical

Origin = Literal["paper", "assumption", "derived", "numerical"]
LATTICE = re.compile(r"a|lattice(?:_?(?:constant|period|spacing|parameter))?", re.IGNORECASE)


class Parameter(BaseModel):
    """A number of structure or light, with where it comes from.

    paper: `quotation` are verbatim words of the paper that contain value and unit (checked by code against the text).
    assumption: `assumption_id` names its entry in the ledger; `alternatives` are other values it might have.
    derived: `expression` of other parameters in base units (um, c/um, radian; rad/um as k / 2 pi, in 1/um), with no typed numbers but
    the neutral ones.
    numerical: bounds a view (a band, a window); it cannot shape anything.
    count: a whole number of objects (layers, periods) that shapes the description itself. One that the paper states without
    unit can be used as a number or as a count; one may be derived, as the ratio of two values of the paper.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(pattern=r"^[a-zA-Z][a-zA-Z0-9_]{0,39}$")
    value: float | None = Field(None, examples=[15])
    unit: str = "1"
    origin: Origin
    meaning: str = ""
    quotation: str = ""
    assumption_id: str = ""
    expression: str = ""
    alternatives: tuple[float, ...] = ()
    count: bool = False

    @field_validator("unit")
    @classmethod
    def _named(cls, unit: str) -> str:
        return canonical(unit)

    @model_validator(mode="after")
    def _complete(self) -> Parameter:
        if self.unit not in UNITS:
            raise ValueError(
                f"parameter {self.id}: unit {self.unit!r} is not known; allowed: {', '.join(UNITS)}"
            )
        if self.origin == "derived":
            if not self.expression or self.value is not None:
                raise ValueError(f"parameter {self.id}: a derived parameter has an expression and no value")
        elif self.value is None or not math.isfinite(self.value):
            raise ValueError(f"parameter {self.id}: needs a finite value")
        if self.origin == "paper" and not self.quotation:
            raise ValueError(f"parameter {self.id}: a value of the paper needs the words that state it")
        if self.origin == "assumption" and not self.assumption_id:
            raise ValueError(f"parameter {self.id}: an assumption needs its id in the ledger")
        if self.count and (self.unit != "1" or (self.value is not None and not _whole(self.value))):
            raise ValueError(
                f"parameter {self.id}: a count is a whole number without unit; found "
                f"{self.expression if self.value is None else f'{self.value:g}'} in the unit {self.unit!r}"
            )
        return self

    @property
    def may_count(self) -> bool:
        """Whether it can be a number of objects: declared as one, or a whole number without unit that the paper states."""
        stated = self.origin == "paper" and self.unit == "1" and self.value is not None and self.value >= 0
        return self.count or (stated and _whole(self.value or 0.0))

    @property
    def is_lattice_constant(self) -> bool:
        """Whether it is a given length in metric units that is called a or lattice constant."""
        unit = UNITS[self.unit]
        return (
            LATTICE.fullmatch(self.id) is not None
            and (unit.scale, unit.power) == ("um", 1)
            and (self.value or 0) > 0
        )


def _whole(value: float) -> bool:
    """Whether it counts objects, but for the rounding of a ratio of lengths."""
    return value >= 0 and abs(value - round(value)) <= 1e-9 * max(1.0, value)


class Parameters:
    """All parameters of a description: `p.radius` is a traced number, `p.count("layers")` an int for a loop.

    Beside metric ones those in units of a are in um too, where one declared length is the lattice constant, and follow it.
    """

    def __init__(self, items: Sequence[Parameter]) -> None:
        self._items: dict[str, Parameter] = {}
        self._counted: set[str] = set()
        taken(0)
        for item in items:
            if item.id in self._items:
                raise DescriptionError(f"parameter {item.id} is declared twice")
            self._items[item.id] = item
        scales = {UNITS[item.unit].scale for item in items} - {""}
        lattice = [item.id for item in items if item.is_lattice_constant]
        if len(scales) > 1 and len(lattice) != 1:
            raise DescriptionError(
                "parameters mix the free length 'a' with metric units; use one of them throughout, or declare the one length that "
                "is the lattice constant, in metric units, as `a`"
            )
        self.scale = "um" if "um" in scales else next(iter(scales), "um")
        self._lattice = lattice[0] if len(scales) > 1 else ""
        self._base = self.values()
        for item in items:
            self._checked(item)

    def __getattr__(self, name: str) -> Number:
        if name.startswith("_"):
            raise AttributeError(name)
        item = self._known(name)
        if item.count:
            raise DescriptionError(
                f"parameter {name} is a number of objects; use p.count({name!r}), in loops and in arithmetic: i / p.count({name!r})"
            )
        return Number(self._base[name], name, UNITS[item.unit].power)

    def number(self, name: str) -> Number:
        """The traced number of a declared parameter."""
        return self.__getattr__(name)

    def traced(self, name: str) -> Number:
        """The traced number of any declared parameter, counts included."""
        item = self._known(name)
        return Number(self._base[name], name, UNITS[item.unit].power)

    def count(self, name: str) -> Count:
        """A whole number that shapes the description, for range() and in arithmetic; variants cannot change it."""
        item = self._known(name)
        if not item.may_count:
            raise DescriptionError(
                f"parameter {name} is not declared as a count, and is no whole number without unit that the "
                "paper states"
            )
        self._counted.add(name)
        found = round(self._base[name])
        taken(found)
        return Count(found)

    def base(self, name: str, value: float) -> float:
        """A value of a parameter, given in its unit, in base units."""
        return value * self._size(self._known(name), self._base)

    def told(self, name: str, value: float) -> float:
        """A value of a parameter, given in base units, in its unit."""
        return value / self._size(self._known(name), self._base)

    def _size(self, item: Parameter, values: Mapping[str, float]) -> float:
        unit = UNITS[item.unit]
        return unit.factor * (
            values[self._lattice] ** unit.power if self._lattice and unit.scale == "a" else 1.0
        )

    def counts(self) -> Mapping[str, int]:
        """The declared numbers of objects by id, taken or not."""
        return {name: round(self._base[name]) for name, item in self._items.items() if item.may_count}

    def items(self) -> Mapping[str, Parameter]:
        """The declared parameters by id."""
        return dict(self._items)

    def closure(self, name: str) -> frozenset[str]:
        """The parameters a parameter rests on, itself included."""
        found: set[str] = set()
        waiting = [name]
        while waiting:  # each once: how often one parameter leads to another, its writer chooses
            item = self._known(waiting.pop())
            if item.id not in found:
                found.add(item.id)
                waiting += names(item.expression) if item.expression else ()
                waiting += [self._lattice] if self._lattice and UNITS[item.unit].scale == "a" else []
        return frozenset(found)

    def values(self, changed: Mapping[str, float] | None = None) -> dict[str, float]:
        """All values in base units; `changed`: given ones (base units) instead of declared ones."""
        changed = changed or {}
        out: dict[str, float] = {}
        for item in sorted(self._items.values(), key=lambda item: item.id != self._lattice):
            if item.value is not None:
                out[item.id] = changed.get(item.id, item.value * self._size(item, out))
        out = {name: out[name] for name in self._items if name in out}
        waiting = [name for name, item in self._items.items() if item.origin == "derived"]
        while waiting:
            ready = [name for name in waiting if names(self._items[name].expression) <= set(out)]
            if not ready:
                raise DescriptionError(
                    f"derived parameters {', '.join(waiting)} rest on each other or on unknown names; "
                    f"known: {', '.join(out)}"
                )
            for name in ready:
                out[name] = changed[name] if name in changed else evaluate(self._items[name].expression, out)
            waiting = [name for name in waiting if name not in ready]
        return out

    def _checked(self, item: Parameter) -> None:
        """A derived parameter is arithmetic as in a description: no typed numbers, and of its unit's dimension."""
        if item.origin != "derived":
            return
        try:
            made = retraced(item.expression, self.traced)
        except DescriptionError as error:
            raise DescriptionError(f"derived parameter {item.id}: {error}") from error
        ratio = item.expression.split("/")
        if item.count and not (
            len(ratio) == 2
            and all(
                (one := self._items.get(name.strip())) is not None and one.origin == "paper" for name in ratio
            )
        ):
            raise DescriptionError(
                f"derived parameter {item.id} is a count, and {item.expression} is not one value of the paper over another; declare "
                "any other count with its words, or as an assumption"
            )
        if item.count and not _whole(float(made)):
            raise DescriptionError(
                f"derived parameter {item.id} is a count, and its expression {item.expression} comes to {float(made):g}; a count is a "
                "whole number"
            )
        if float(made) != 0 and made.power != UNITS[item.unit].power:
            raise DescriptionError(
                f"derived parameter {item.id} is in {item.unit!r}, but its expression {item.expression} is "
                f"a length to the power {made.power:g}"
            )

    def _known(self, name: str) -> Parameter:
        if name not in self._items:
            near = difflib.get_close_matches(name, self._items, 1)
            raise DescriptionError(
                f"parameter {name!r} is not declared"
                + (f"; did you mean {near[0]!r}?" if near else "")
                + f" Declared: {', '.join(self._items) or 'none'}"
            )
        return self._items[name]


def parameters_from(entries: Sequence[Any]) -> Parameters:
    """Parameters from plain dictionaries (JSON). Raises pydantic.ValidationError or DescriptionError."""
    return Parameters([Parameter.model_validate(entry) for entry in entries])
