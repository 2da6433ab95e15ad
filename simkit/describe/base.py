"""The form of everything described: frozen, closed, with traced numbers, and errors that name object and remedy."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainSerializer, ValidationError, ValidationInfo

from simkit.describe.errors import DescriptionError
from simkit.describe.numbers import NEUTRAL, Number, lift, names, retraced

RESOLVED = {
    "resolved": True
}  # validation context of a document whose expressions are replaced by plain numbers
INF = 1e20  # stands for infinity in a resolved document, as in Meep
LARGE = 1e30  # the largest pure number: intensities and nonlinear coefficients are far from 1 in base units
MOST = 1e9  # the largest length, frequency or index, in base units; 1 / MOST is the smallest that must be positive


def _number(value: Any, info: ValidationInfo) -> Any:
    if info.context and info.context.get("resolved"):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ValueError(f"{value!r} is not a number")
        return float(value)
    if isinstance(value, dict) and set(value) == {"="}:  # a parametric document read again
        given = (info.context or {}).get("parameters")
        if given is None:
            raise ValueError(f"{str(value['='])[:60]} stands for nothing without parameters")
        try:
            return retraced(value["="], given.number)
        except DescriptionError as error:
            raise ValueError(str(error)) from error
    try:
        return lift(value)
    except DescriptionError as error:
        raise ValueError(str(error)) from error


def _finite(value: Any, info: ValidationInfo) -> Any:
    found = _number(value, info)
    if not abs(float(found)) <= LARGE:
        raise ValueError(f"a number is finite, at most {LARGE:g}; found {float(found):g}")
    return found


def _dump(value: Any) -> Any:
    if isinstance(value, tuple):  # of a field that holds one number or several
        return [_dump(one) for one in value]
    if not isinstance(value, Number):
        return value
    plain = abs(float(value)) in NEUTRAL and not names(value.expression)
    return float(value) if plain else {"=": value.expression}


def _of_power(
    power: float, kind: str, positive: bool, most: float = MOST, bound: bool = False
) -> BeforeValidator:
    """most: the largest magnitude. bound: whether it may be infinite, as the end of a body."""

    def check(value: Any, info: ValidationInfo) -> Any:
        found = _number(value, info)
        plain = float(found)
        if isinstance(found, Number) and math.isfinite(plain) and plain != 0 and found.power != power:
            raise ValueError(f"{found.expression} is not {kind}: it is a length to the power {found.power:g}")
        shown = f"{plain:g}" + (f" (= {found.expression[:200]})" if isinstance(found, Number) else "")
        if positive and not plain > 0:
            raise ValueError(f"must be positive; found {shown}")
        if (
            abs(plain) <= most
            and not (positive and plain < 1 / most)
            or (bound and abs(plain) in (INF, math.inf))
        ):
            return found
        raise ValueError(
            f"{kind} is finite, at most {most:g}"
            + (f", at least {1 / most:g}" if positive else "")
            + f" in base units; found {shown}"
        )

    return BeforeValidator(check)


@dataclass(frozen=True)
class Kind:
    """What a number is, in words for the contract."""

    words: str


_serial = PlainSerializer(_dump)
Length = Annotated[Any, _of_power(1, "a length", True), _serial, Kind("length > 0")]
Coordinate = Annotated[Any, _of_power(1, "a length", False), _serial, Kind("length")]
Frequency = Annotated[
    Any, _of_power(-1, "a frequency (1/length: 1 / p.wavelength)", True), _serial, Kind("frequency > 0")
]
Wavenumber = Annotated[Any, _of_power(-1, "a wavenumber (1/length)", False), _serial, Kind("frequency")]
Angle = Annotated[Any, _of_power(0, "an angle", False), _serial, Kind("angle")]
Pure = Annotated[Any, _of_power(0, "a pure number", False, LARGE), _serial, Kind("pure number")]
Positive = Annotated[Any, _of_power(0, "a pure number", True, LARGE), _serial, Kind("pure number > 0")]
Time = Length  # um/c, as in Meep
Index = Annotated[Any, _of_power(0, "an index", True, 1e3), _serial, Kind("pure number > 0")]
AnyNumber = Annotated[Any, BeforeValidator(_finite), _serial, Kind("number with its unit")]
Point = tuple[Coordinate, Coordinate, Coordinate]
Bound = Annotated[Any, _of_power(1, "a length", False, bound=True), _serial, Kind("length")]
Interval = tuple[Bound, Bound]


class Described(BaseModel):
    """Frozen, no unknown fields. `view` marks classes whose numbers are views (bands, windows), not structure or light."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True, allow_inf_nan=True)
    view: ClassVar[bool] = False


_SAY_WHAT_IS_ALLOWED = (
    "value_error",
    "literal_error",
    "union_tag_invalid",
    "greater_than_equal",
    "less_than_equal",
)


def told(error: ValidationError, vocabulary: Mapping[str, Any]) -> str:
    """A validation error in words: object, field, what was found, what is allowed. vocabulary: classes by name."""
    lines = []
    for fault in error.errors(include_url=False):
        place = ".".join(str(part) for part in (error.title, *fault["loc"]))
        text = fault["msg"].removeprefix("Value error, ")
        if fault["type"] == "extra_forbidden":
            owner = _owner(error.title, fault["loc"], vocabulary)
            text = "no such argument" + (f"; allowed: {', '.join(owner.model_fields)}" if owner else "")
        elif fault["type"].startswith("int_"):
            text = (
                "is a whole number: typed, or p.count('name') of a parameter that is declared with \"count\": true, or "
                "stated as a whole number by the paper"
            )
        elif fault["type"] not in _SAY_WHAT_IS_ALLOWED:
            form = _form(error.title, fault["loc"], vocabulary)
            if form:
                place = f"{error.title}.{fault['loc'][0]}"
                what = text if fault["type"] in ("too_short", "too_long") else "does not fit"
                text = ("is needed" if fault["type"] == "missing" and len(fault["loc"]) == 1 else what) + form
            elif fault["type"] == "missing":
                text = "is needed"
        lines.append(f"{place}: {text}")
    return "\n".join(dict.fromkeys(lines))


def _form(title: str, loc: tuple[Any, ...], vocabulary: Mapping[str, Any]) -> str:
    """How the argument is written, in the contract's words."""
    from simkit.describe.contract import form  # it imports the vocabulary, which imports this module

    owner = vocabulary.get(title)
    field = getattr(owner, "model_fields", {}).get(loc[0]) if loc else None
    return "" if field is None else f"; it is written {loc[0]}={form(field, explained=True)}"


def _owner(title: str, loc: tuple[Any, ...], vocabulary: Mapping[str, Any]) -> Any:
    """The class that refused an argument: the outermost one, where the argument is its own."""
    return vocabulary.get(title) if len(loc) == 1 else None


def ordered(interval: Interval, what: str) -> Interval:
    """The interval, if its first end lies below its second. Raises ValueError."""
    low, high = float(interval[0]), float(interval[1])
    if low == high:
        raise ValueError(
            f"{what} runs from {low:g} to {high:g}: nothing of it is left; the smaller end comes first"
        )
    if low > high:
        raise ValueError(f"{what} runs from {low:g} to {high:g}; the smaller end comes first")
    return interval
