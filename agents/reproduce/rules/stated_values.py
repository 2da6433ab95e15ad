"""Whether a number of a feature stands in the paper's words or is an input that the paper states."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.reproduce.simulations.units import canonical
from schemas.reproduce.words.written import LEVEL, Written, matches
from simkit.describe.parameters import Parameter

_LEAST = 1e-6


def stated(value: float, unit: str, numbers: Sequence[Written], inputs: Sequence[Parameter]) -> bool:
    """Whether a number of the words, or an input, is this value; a unit that is not known is the number's own."""
    return any(
        matches(n, value, unit or n.unit or "1")
        or (canonical(n.unit) == LEVEL and not unit and value < 1 and matches(n, value, "1"))
        or (not n.label and n.unit == "%" and unit in ("", "1") and _near(value, n.low / 100))
        for n in numbers
    ) or any(_same(p, value, unit) for p in inputs)


def _same(parameter: Parameter, value: float, unit: str) -> bool:
    own = Written(
        parameter.value or 0.0,
        parameter.value or 0.0,
        "" if parameter.unit == "1" else parameter.unit,
        0.0,
        0,
        0,
    )
    return parameter.value is not None and matches(own, value, unit or parameter.unit)


def _near(one: float, other: float) -> bool:
    return abs(one - other) <= _LEAST * max(abs(one), abs(other))
