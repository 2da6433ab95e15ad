"""A number of the science data as it is printed: value, uncertainty and unit, rounded so that no claim grows by rounding.

Formats: none: value ± uncertainty unit, both to the uncertainty's second digit; `value`: without the uncertainty; `bare`:
value alone; `percent`: a number without unit as percent; `.3g`, `.2f` or `d`: value with unit to that precision, but to more
digits where the rounding would move it by more than its uncertainty and more than one percent.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from schemas.errors import InputError
from schemas.explore.science_data import Number

FORMATS = "nothing, value, bare, percent, d, .1f to .6f, .2g to .6g"
_FORM = re.compile(r"(?:value|bare|percent|d|\.[0-6]f|\.[1-6]g|)\Z")
UNMEASURED = "\u2020"
"""Stands behind a number that is a node's own word, not the measure program's."""
OWN_WORD = ("parameter", "reported")
_DIGITS = 4  # of a value without uncertainty
_SCIENTIFIC = (1e-3, 1e5)


@dataclass(frozen=True)
class Printed:
    """Mantissa, uncertainty (empty: none), power of ten (0: none) and unit, as text. mark: † where nobody measured it."""

    value: str
    uncertainty: str = ""
    power: int = 0
    unit: str = ""
    mark: str = ""

    def text(self) -> str:
        """On one line, for tables of claims and for people."""
        inner = f"{self.value} ± {self.uncertainty}" if self.uncertainty else self.value
        if self.power:
            inner = f"({inner})" if self.uncertainty else inner
            inner += f" × 10^{self.power}"
        elif self.uncertainty and self.unit == "%":
            inner = f"({inner})"
        return f"{inner} {self.unit}".rstrip() + self.mark


def printed(number: Number, form: str = "") -> Printed:
    """The number in that format. Raises InputError for a format that does not exist or does not fit the unit."""
    if not _FORM.match(form):
        raise InputError(f"the number {number.name!r} has no such format", found=form, allowed=FORMATS)
    value, uncertainty, unit = number.value, number.uncertainty or 0.0, number.unit
    if form == "percent":
        if unit not in ("", "1"):
            raise InputError(
                f"the number {number.name!r} is no share and cannot be given in percent",
                found=f"unit {unit}",
                allowed="numbers without unit",
            )
        value, uncertainty, unit = 100 * value, 100 * uncertainty, "%"
    unit, mark = "" if unit == "1" else unit, UNMEASURED if number.kind in OWN_WORD else ""
    if form in ("d",) or form.startswith("."):
        text = _to_precision(number, form)
        if text:
            return Printed(text, unit=unit, mark=mark)
    result = _rounded(value, uncertainty, number.kind == "parameter" or number.kind == "counted")
    return Printed(
        result.value,
        result.uncertainty if form in ("", "percent") else "",
        result.power,
        unit if form != "bare" else "",
        mark,
    )


def _to_precision(number: Number, form: str) -> str:
    """Empty where so few digits would misstate the value; whether they do depends on the measurement, not on the text."""
    text = f"{round(number.value)}" if form == "d" else f"{number.value:{form}}"
    moved = abs(float(text) - number.value)
    return "" if moved > max(number.uncertainty or 0.0, 0.01 * abs(number.value)) else _plain(text)


def _plain(text: str) -> str:
    """No exponent in the middle of a sentence."""
    return f"{float(text):f}".rstrip("0").rstrip(".") if "e" in text else text


def _rounded(value: float, uncertainty: float, exact: bool) -> Printed:
    if value == int(value) and not uncertainty and abs(value) < 1e15 and (exact or abs(value) < 1e4):
        return Printed(str(int(value)))
    size = max(abs(value), uncertainty)
    power = 0
    if size and not _SCIENTIFIC[0] <= size < _SCIENTIFIC[1]:
        power = math.floor(math.log10(size))
        value, uncertainty = value / 10.0**power, uncertainty / 10.0**power
    if not uncertainty:
        text = f"{value:.10g}" if exact else f"{value:#.{_DIGITS}g}".rstrip(".")  # 1.260: the zero is a digit
        return Printed(_plain(text), power=power)
    decimals = 1 - math.floor(math.log10(float(f"{uncertainty:.1e}")))
    if decimals < 0:
        return Printed(f"{round(value, decimals):.0f}", f"{round(uncertainty, decimals):.0f}", power)
    return Printed(f"{value:.{decimals}f}", f"{uncertainty:.{decimals}f}", power)
