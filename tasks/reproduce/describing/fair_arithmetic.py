"""Arithmetic on inputs that a paper's words allow: sums, stated shares, parts of a wavelength, ends of a difference quotient."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import combinations, product

from schemas.reproduce.words.bound import InputWords
from simkit.describe.units import UNITS
from tasks.reproduce.describing.in_sandbox import Description

# fields whose number is another thing of the same kind, by what it may be of the input's
_MADE_OF = {
    ("radius", "diameter"): (0.5,),
    ("inner", "diameter"): (0.5,),
    ("outer", "diameter"): (0.5,),
    ("radius", "lateral"): (0.5,),
    ("thickness", "light"): (0.25, 0.5),
}
LENGTHS, _MOST = (
    ("thickness", "period", "radius", "inner", "outer", "size", "waist"),
    5,
)  # so many lengths are added up
EXTENTS, _SIZES = ("x", "y", "z"), frozenset({"vertical", "lateral", "along", "gap"})
ALIKE = 1e-9
_MORE_BY, _LESS_BY = (
    re.compile(rf"(?i)\b(?:{words})\b[^.;]{{0,60}}\bby\b")
    for words in (
        "exceed(?:s|ed|ing)?|higher|larger|greater|above|rais(?:es|ed)|increas(?:es|ed)",
        "lower(?:s|ed)?|smaller|below|reduc(?:es|ed)|decreas(?:es|ed)",
    )
)
_STEP = re.compile(r"(?i)\b(?:steps?|increments?)\b")


def ends_of_quotient(
    found: Description,
    own: Sequence[str],
    number: float,
    others: Sequence[float],
    values: Mapping[str, float],
) -> bool:
    """Whether a number is an input and a step away from it, that the paper's words call a step, and the input itself or its other side
    stands in the same place of another scene: the ends of a difference quotient. One end alone is another structure."""
    items = found.parameters.items()
    return len(own) == 2 and any(
        math.isclose(abs(number - values[one]), abs(values[step]), rel_tol=1e-6)
        and _STEP.search(items[step].quotation) is not None
        and any(
            math.isclose(other, there, rel_tol=ALIKE)
            for other in others
            for there in (values[one], 2 * values[one] - number)
        )
        for one, step in (own, own[::-1])
    )


def offset_as_said(
    found: Description, own: Sequence[str], number: float, values: Mapping[str, float]
) -> bool:
    """Whether a number is one input more, or less, than another, and the words of that one say so: "exceeds it by 0.55"."""
    items = found.parameters.items()
    return len(own) == 2 and any(
        math.isclose(number, values[base] + sign * values[by], rel_tol=1e-6)
        and way.search(items[by].quotation)
        for base, by in (own, own[::-1])
        for sign, way in ((1, _MORE_BY), (-1, _LESS_BY))
    )


def fair_part(
    field: str, said: frozenset[str], number: float, value: float, inside: float | None = None
) -> bool:
    """Whether a size made of one input is that input, or what such a thing is by definition: of light a part of its wavelength
    in the medium that fills it."""
    part = abs(number / value)
    if math.isclose(part, 1, rel_tol=ALIKE) or _inverse(number, value, field):
        return True
    if field in EXTENTS:
        return not said & _SIZES or ("radius" in said and math.isclose(part, 2, rel_tol=ALIKE))
    return any(
        math.isclose(part * (inside or math.nan if kind == "light" else 1.0), whole, rel_tol=ALIKE)
        for kind in said
        for whole in _MADE_OF.get((field, kind), ())
    )


def fair_sum(
    found: Description,
    field: str,
    own: Sequence[str],
    words: Mapping[str, InputWords],
    number: float,
    inside: float | None = None,
) -> bool:
    """Whether a length made of several inputs is a sum or difference of lengths, a stated share, or a part of a wavelength; where
    the words part something equally, also an equal part of what is left of one of them."""
    values, items = found.parameters.values(), found.parameters.items()
    lengths = [name for name in own if UNITS[items[name].unit].power == 1][:_MOST]
    pure = [name for name in own if UNITS[items[name].unit].power == 0]
    sums = [
        sum(sign * values[name] for sign, name in zip(signs, lengths, strict=True))
        for signs in product((-1, 0, 1), repeat=len(lengths))
        if any(signs)
    ]
    halves = [whole / 2 for whole in sums] if field in ("radius", "inner", "outer") else []
    shares = [
        share
        for name in pure
        if name not in words or "ratio" in words[name].kinds or not words[name].kinds
        for share in (values[name], 1 - values[name])
    ]
    waves = {
        (name, values[name] / (part * values[index]))
        for name in lengths
        for index in pure
        for part in (1, 2, 4)
        if name in words
        and "light" in words[name].kinds
        and values[index]
        and math.isclose(inside or values[index], values[index], rel_tol=ALIKE)
    }
    parts = frozenset().union(*(words[name].parted for name in own if name in words))
    parted = [
        (whole - sum(values[one] for one in taken)) / count
        for count in parts
        for name, whole in (*waves, *((name, values[name]) for name in lengths))
        for many in range(len(lengths))
        for taken in combinations([one for one in lengths if one != name], many)
    ]
    return any(
        math.isclose(abs(number), abs(fair), rel_tol=ALIKE)
        for fair in (
            *sums,
            *halves,
            *(whole * share for whole in (*sums, *halves) for share in shares),
            *(wave for _, wave in waves),
            *parted,
        )
    )


def _inverse(number: float, value: float, field: str) -> bool:
    """Whether a number is the same thing counted the other way: a wavelength of a frequency, a constant of an index, an index of
    a constant."""
    squared = {"epsilon": (number, value**2), "index": (number**2, value)}
    return any(
        math.isclose(one, other, rel_tol=ALIKE)
        for one, other in ((number * value, 1.0), *((squared[field],) if field in squared else ()))
    )
