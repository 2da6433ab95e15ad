"""Quoted parameters: number and unit stand together in the quotation, and the quotation stands in the paper."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator

from simkit.describe.parameters import Parameters
from simkit.describe.units import UNITS

_SPELLED: tuple[tuple[str, str], ...] = (
    (r"nm\^?2", "nm^2"), (r"[uµ]m\^?2", "um^2"), (r"[uµ]m\^?3", "um^3"), (r"nm|nanomet(?:er|re)s?", "nm"),
    (r"[uµ]m\s?-1|1/[uµ]m", "1/um"), (r"[uµ]m|micromet(?:er|re)s?|microns?", "um"), (r"mm", "mm"),
    (r"å|angstroms?", "angstrom"),
    (r"cm\s?\^?-1|/cm", "1/cm"), (r"thz", "THz"), (r"ghz", "GHz"), (r"mev", "meV"), (r"ev", "eV"), (r"fs", "fs"),
    (r"ps", "ps"),
    (r"%|per\s?cent", "%"), (r"°|deg(?:rees?)?", "deg"), (r"rad(?:ians?)?", "rad"), (r"ohms?|ω", "ohm"),
    (r"\(?2\s?(?:π|pi)\s?c?/a\)?", "2pi/a"), (r"c/a", "c/a"), (r"a/c", "a/c"), (r"c/[uµ]m", "c/um"), (r"a", "a"))
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.\d+|\d+)(?:\s*[x×]\s*10\s*\^?\s*(?P<power>-?\d+))?")
_UNIT = re.compile(r"\s*-?\s*(?:" + "|".join(f"(?P<u{i}>{form})" for i, (form, _) in enumerate(_SPELLED)) + r")(?![a-z0-9])")
_UNSAID = ("a", "c/a", "2pi/a", "a/c")  # normalised units are seldom repeated beside the number
_SIGNS = str.maketrans("\u2212\u2013\u2010\u2011", "----")
_MARKUP = re.compile(r"\\[,;:! ]|\\(?:mathrm|text|rm)\b|[*_$`{}~]|\\(?=[a-zA-Z])")


def quotation_faults(parameters: Parameters, text: str, stands: Callable[[str, str], bool]) -> tuple[str, ...]:
    """What is wrong with the quotations of the parameters that the paper is said to state, in words; () if nothing.

    stands: whether a quotation stands in the paper's text.
    """
    faults = []
    for item in parameters.items().values():
        if item.origin != "paper" or item.value is None:
            continue
        shown = f"{item.value:g} {item.unit}".removesuffix(" 1")
        if not states(item.quotation, item.value, item.unit):
            said = ", ".join(f"{value:g} {unit}".strip() for value, unit in numbers_of(item.quotation)) or "no number"
            faults.append(f"parameter {item.id}: {shown} does not stand in its quotation {item.quotation[:160]!r} as a number "
                          f"with its unit beside it; stated there: {said}")
        elif not stands(item.quotation, text):
            faults.append(f"parameter {item.id}: its quotation {item.quotation[:160]!r} does not stand in the paper")
    return tuple(faults)


def states(quotation: str, value: float, unit: str) -> bool:
    """Whether the value stands in the quotation, in its unit or one that converts to it, unit beside the number."""
    wanted = UNITS[unit]
    for found, said in numbers_of(quotation):
        own = UNITS[said or (unit if unit in _UNSAID else "1")]
        same = (own.power, own.scale) == (wanted.power, wanted.scale) and (own.power != 0 or _kind(said) == _kind(unit))
        if same and abs(found * own.factor - value * wanted.factor) <= 1e-6 * abs(value * wanted.factor) + 1e-15:
            return True
    return False


def numbers_of(quotation: str) -> Iterator[tuple[float, str]]:
    """(number, unit) in the order they stand; '' where no unit stands beside it."""
    plain = _MARKUP.sub("", unicodedata.normalize("NFKC", quotation.translate(_SIGNS).replace(r"\mu", "\u00b5")))
    plain = unicodedata.normalize("NFC", plain).replace("\u03bc", "\u00b5").lower()
    for match in _NUMBER.finditer(plain):
        digits = re.split(r"\s*[x×]", match[0])[0].replace(",", "")
        unit = _UNIT.match(plain, match.end())
        if unit is None and re.match(r"[a-z]", plain[match.end():match.end() + 1]):
            continue  # part of a name
        number = float(digits) * 10.0 ** int(match["power"] or 0)
        yield number, "" if unit is None else next(_SPELLED[i][1] for i in range(len(_SPELLED)) if unit[f"u{i}"])


def _kind(unit: str) -> str:
    return {"deg": "angle", "rad": "angle", "ohm": "ohm"}.get(unit, "pure")
