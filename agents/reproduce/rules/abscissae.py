"""Whether a number is told for the abscissa at which code takes a value: the light that its words name, and of several places its own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemas.reproduce.simulations.units import converted, dimension
from schemas.reproduce.words.clauses import clause_of
from schemas.reproduce.words.said import Said, of_number
from schemas.reproduce.words.scene_words import lights_named
from schemas.reproduce.words.subject_words import colours_in
from schemas.reproduce.words.written import Written, matches

_IS_AT = re.compile(
    r"(?i)\b(?:at|for|with|when|where)\s+(?:[a-z]+\s+){0,3}?(?:[A-Za-z]\w{0,3}\s*=\s*)?$|=\s*$"
)
_NEAR, _SAME = 24, 2e-3  # characters before a place that say that it is one; of a wavelength as printed


def at_other_light(at: float, unit: str, clause: str, plain: str) -> bool:
    """Whether a clause names a light by what the paper calls it ("the pump"), or a colour, and an abscissa is another's."""
    place = converted(at, unit, "um")
    if place is None:
        return False
    named = lights_named(clause, plain)
    ends = [tuple(map(float, one.value.split())) for one in colours_in(clause)]
    return (named is not None and not any(abs(place - one) <= _SAME * one for one in named)) or (
        bool(ends) and not any(low <= place <= high for low, high in ends)
    )


def of_its_place(
    at: float, unit: str, value: Written, of_clause: Sequence[Written], plain: str
) -> bool | None:
    """Whether a number is told for this abscissa, of a clause with several values and places ("34.6 nm at N = 2 and 7.01 nm at
    N = 4"); None where the clause does not have several places. of_clause: the other numbers of its clause."""
    places = [n for n in of_clause if not n.label and n.low == n.high and n.in_unit(unit) is not None]
    if unit == "1":  # of a bare number it is only known where words say that it is a place
        places = [n for n in places if _IS_AT.search(plain[max(0, n.start - _NEAR) : n.start])]
    values = {n.low for n in of_clause if dimension(n.unit or "1") == dimension(value.unit or "1")}
    if len({n.low for n in places}) < 2 or not values - {n.low for n in places}:
        return None
    return any(matches(n, at, unit) for n in _places_of(value, of_clause, places, plain))


def _places_of(
    value: Written, of_clause: Sequence[Written], places: Sequence[Written], plain: str
) -> Sequence[Written]:
    """Those that the number is told for: of a list the one of its own place; right behind it; the last before it that no earlier
    value has."""
    low, high = clause_of(plain, value.start, value.end)
    if re.search(r"(?i)\brespectively\b", plain[low:high]):
        own = of_number(
            [Said("beside", f"{n.low:g}", n.start, n.end) for n in places], value, plain, (low, high)
        )
        return [n for n in places if n.start in {one.start for one in own}]
    begins = {}
    for n in places:
        found = _IS_AT.search(plain[max(low, n.start - _NEAR) : n.start])
        begins[n.start] = n.start - (len(found[0]) if found else 0)

    def has(end: int, place: Written) -> bool:
        return begins[place.start] >= end and not plain[end : begins[place.start]].strip(" (")

    ends = [n.end for n in of_clause if n.start not in begins and n.end <= value.start]
    behind = [n for n in places if has(value.end, n)]
    free = [n for n in places if n.end <= value.start and not any(has(end, n) for end in ends)]
    return behind[:1] or free[-1:] or places
