"""What an abscissa measures: a wavelength or frequency, an angle, a length, a time, a wave vector, or a swept parameter.

Two axes in nanometres need not be one: a maximum at a thickness of 720 nm is no maximum at a wavelength of 720 nm.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, get_args

from schemas.reproduce.planning.plan import Target
from schemas.reproduce.simulations.features import as_feature
from schemas.reproduce.simulations.units import converted, dimension
from schemas.reproduce.words.clauses import clause_of, governing, places_of
from schemas.reproduce.words.written import Written, numbers_in

Axis = Literal["spectral", "angle", "length", "time", "wave vector", "parameter"]
AXES: tuple[Axis, ...] = get_args(Axis)
SAID: dict[str, str] = {
    "spectral": "a wavelength, frequency or energy",
    "angle": "an angle",
    "length": "a place or a length",
    "time": "a time",
    "wave vector": "a wave vector",
    "parameter": "a size or another parameter of the structure",
}
_NAMES: tuple[tuple[Axis, re.Pattern[str]], ...] = (
    ("wave vector", re.compile(r"(?i)^k(?:_|$)|wave_?vector|bloch|k_?path|^beta(?:_|$)")),
    ("angle", re.compile(r"(?i)angle|theta|phi(?:_|$)|incidence|azimuth")),
    ("time", re.compile(r"(?i)(?:^|_)time|(?:^|_)t_(?:fs|ps|s)$|delay")),
    (
        "spectral",
        re.compile(
            r"(?i)wave_?length|lambda|^wl(?:_|$)|freq|energy|photon|omega|wave_?number|"
            r"(?:^|_)(?:thz|ghz|ev|mev)$|^nu_"
        ),
    ),
    (
        "parameter",
        re.compile(
            r"(?i)thick|radius|radii|diam|gap|dist|height|depth|width|length|period|pitch|spacing|separation|"
            r"size|position|^[rxyz](?:_|$)|number|order|index|fill|duty|ratio|concentration|field"
        ),
    ),
)
_OF_NOUN: dict[str, Axis] = {"spectral": "spectral", "band_frequency": "spectral", "angle": "angle"}
_UNITS_OF: dict[Axis, tuple[str, ...]] = {
    "spectral": ("length", "frequency", "normalised"),
    "angle": ("angle",),
}
_DIMENSION = (
    r"(?:thickness(?:es)?|diameters?|radi(?:us|i)|heights?|depths?|lengths?|distances?|periods?|pitch|spacings?|"
    r"separations?|sizes?|waists?|gaps?|widths?|positions?)"
)
_BEFORE = re.compile(
    rf"(?i)\b{_DIMENSION}\s+(?:\w+\s+){{0,2}}?(?:of|is|was|=|equals)\s+(?:about\s+|~\s*)?$|"
    rf"\b{_DIMENSION}\s*=\s*$"
)
_ITS_SYMBOL = re.compile(  # "at x = 10.5 um": a place or a size, and no light
    r"(?<![\w.])[dDgGhHLpPrRstwWxXyYzZ](?:_\{?\w{1,8}\}?)?\s*=\s*(?:about\s+|~\s*)?$"
)
_BEHIND = re.compile(rf"(?i)\s*-?\s*(?:thick\b|wide\b|high\b|long\b|deep\b|apart\b|{_DIMENSION}\b)")
_OF_LIGHT = re.compile(r"(?i)\b(?:waves?|light|radiation|photons?|beams?)\b")  # "for waves 678 nm long"
_OF_LINE = re.compile(  # a number of a line's own, no place: "the full width is 12 nm"
    r"(?i)\b(?:its|their|full|half|line|spectral)[\s-]*widths?\s+(?:of|is|are|was|were|=)\s+(?:\w+\s+)?$|\bfwhm\s*(?:of|is|=)?\s*$"
)
_UNIT = re.compile(r"(?i)_(pm|nm|um|mm|thz|ghz|hz|ev|mev)$")
_TURN, _NEAR = 360.0, 4.0
_FINEST_UM = 0.01  # a wavelength; a smaller number of nm is a step or a change of one
_SPACE = frozenset({"length", "parameter"})  # a place on a line and a dimension are both told as lengths


def named(name: str) -> Axis | Literal[""]:
    """What the name of a column of the paper's data says that it measures; '' if it says nothing."""
    return next((axis for axis, form in _NAMES if form.search(name)), "")


def belied(name: str, values: Sequence[float], light: Sequence[tuple[float, str]] = ()) -> str:
    """Why the values of a column cannot be what its name says; '' if they can.

    light: (value, unit) of the wavelengths and frequencies that the paper states; a spectrum lies near one of them.
    """
    axis, unit = named(name), next((match[1] for match in [_UNIT.search(name)] if match), "")
    if not values or axis not in ("spectral", "angle"):
        return ""
    low, high = min(values), max(values)
    told = f"{name} holds {low:.4g} to {high:.4g}"
    if axis == "angle":
        return "" if -_TURN <= low and high <= _TURN else f"{told}, which are no angles"
    if low <= 0:
        return f"{told}, and no wavelength or frequency is 0 or negative"
    known = (
        [abs(found) for value, own in light if (found := converted(value, own, unit)) is not None]
        if unit
        else []
    )
    known = [
        value for value in known if (um := converted(value, unit, "um")) is not None and um >= _FINEST_UM
    ]
    apart = known and all(high < value / _NEAR or low > value * _NEAR for value in known)
    return f"{told}, far from all light that the paper speaks of" if apart else ""


def fits(found: str, wanted: str) -> bool:
    """Whether a curve over one axis can answer for a curve over the other; an unknown one fits any."""
    return not found or not wanted or found == wanted or {found, wanted} <= _SPACE


def wanted(target: Target, figure: Iterable[str] = ()) -> tuple[Axis | Literal[""], bool]:
    """(what the paper's abscissa measures, whether it says so); '' if nothing tells.

    Of data the column's own name; of a quoted number the noun of its clause, else the abscissae of the figure's data
    (`figure`: their names), else the unit: a place in nm or THz is one of a spectrum.
    """
    reference = target.reference
    if reference.x_column and reference.kind in ("data", "feature"):
        return (own := named(reference.x_column)), bool(own)
    feature = as_feature(reference.feature) if reference.feature is not None else None
    if target.kind != "scalar" or feature is None or reference.kind != "quotation":
        return "", False
    said = {axis for number in _on_the_axis(target) if (axis := _said(reference.quotation, number))}
    if len(said) == 1:
        placed = feature.on_x or bool(
            feature.at
        )  # else it may be the light of one case: "at 1.2 um the peak intensity is 22.5"
        return said.pop(), placed
    drawn = {told for name in figure if (told := named(name))}
    if len(drawn) == 1:
        return drawn.pop(), True
    on_x = feature.on_x or feature.kind == "value_at"
    return (
        ("spectral", False)
        if on_x and dimension(target.x_unit or target.unit) in ("length", "frequency")
        else ("", False)
    )


def _said(text: str, number: Written) -> Axis | None:
    """What the words say that a number on the abscissa is; of a dimension only where they say so beside it.

    A noun that cannot have the number's unit speaks of another number: "at 633 nm and an angle of 0 degrees"."""
    if dimension(number.unit or "1") == "length" and _ITS_SYMBOL.search(text[: number.start]):
        return "parameter"
    size = (
        dimension(number.unit or "1") != "frequency"
        and (  # "its width is 8.9 meV" tells no size of a body
            _BEFORE.search(text[: number.start]) or _BEHIND.match(text[number.end :])
        )
    )
    low, high = clause_of(text, number.start, number.end)
    if size and not (re.search(r"(?i)\bl(?:ong|engths?)\b", size[0]) and _OF_LIGHT.search(text[low:high])):
        return "parameter"
    found = _OF_NOUN.get(governing(text, number))
    return found if found is None or not number.unit or dimension(number.unit) in _UNITS_OF[found] else None


def _on_the_axis(target: Target) -> tuple[Written, ...]:
    """The quoted numbers that lie on the abscissa: the value of a position, the place of a value."""
    reference = target.reference
    assert reference.feature is not None
    feature = as_feature(reference.feature)
    if feature.kind in ("position", "crossing", "cutoff"):
        return places_of(reference.quotation, reference.value, target.unit, reference.upper)
    if feature.at:
        return places_of(reference.quotation, feature.at[0], target.x_unit)
    own = places_of(reference.quotation, reference.value, target.unit, reference.upper)
    return tuple(
        n
        for n in numbers_in(reference.quotation)
        if n not in own
        and n.unit
        and not n.label
        and dimension(n.unit) == dimension(target.x_unit or "1")
        and not _OF_LINE.search(reference.quotation[: n.start])
    )
