"""Numbers as papers write them: whole, with unit, power of ten, uncertainty, as ranges, lists and words.

Read from the paper's own text, so that a part of a longer number, a label or a year is never taken for a value.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from schemas.reproduce.labels import Labels, is_year
from schemas.reproduce.units import canonical, converted, dimension, reciprocal

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_SAME = str.maketrans({**dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"), "μ": "µ",
                       "\u202f": "\u2009", "\u00a0": "\u2009", "\u200a": "\u2009", "∼": "~", "≈": "~", "≃": "~", "·": "×"})
_TEX = {r"\times": "×", r"\cdot": "×", r"\pm": "±", r"\mu": "µ", r"\AA": "Å", r"\%": "%", r"\pi": "π", r"\lambda": "λ",
        r"\degree": "°", r"\circ": "°", r"\sim": "~", r"\approx": "~", r"\,": "\u2009\u2009"}
_MARKUP = re.compile(r"\\(?:mathrm|text|rm|textrm|mathbf|,|;|:|!|[A-Za-z]+|%)|[*$`{}~\\]|(?<=\d)_|</?su[bp]>")

_DIGITS = r"\d{1,3}(?:(?:,|\u2009)\d{3})+(?:\.\d+)?(?!\d)|0,\d+|\d+(?:\.\d+)?|\.\d+"
_POWER = r"(?:\^\s*)?(?P<{0}>-?\s?\d{{1,2}}|[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
_NUMBER = re.compile(
    r"(?<![\w.^/_])(?<!\d[,\u2009])(?<![A-Za-z^]-)(?<!\^ -)(?<![_^]\s)"
    r"(?:(?P<ten>10)\s*(?:\^\s*(?P<of_ten>-?\s?\d{1,2})|(?P<up>[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))"
    rf"|(?P<sign>(?<![\w)])[-+])?(?P<digits>{_DIGITS})"
    rf"(?:\((?P<last>\d{{1,3}})\))?(?:[eE](?P<e>[-+]?\d{{1,3}})|\s*[×x]\s*10\s*{_POWER.format('power')})?)"
    r"(?P<error>\s*(?:±|\+/-)\s*(?P<plus>\d+(?:\.\d+)?))?(?![.,]?\d|/\d|/[a-z]{2})")
_IN = r"[×(\[]?\s*(?i:in\s+)?(?i:units\s+of\s+)?[(\[]?"
_UNITS: tuple[tuple[str, str], ...] = (
    (r"(?i:nanomet(?:er|re)s?)|nm", "nm"), (r"(?i:micromet(?:er|re)s?|microns?)|µ\s*m|um", "um"), (r"pm", "pm"), (r"mm", "mm"),
    (r"cm\s*(?:\^\s*)?(?:-\s*1|⁻¹)|/\s*cm|1/cm", "1/cm"), (r"(?:µ\s*m|um)\s*(?:\^\s*)?(?:-\s*1|⁻¹)", "1/um"), (r"cm", "cm"),
    (r"Å|(?i:[åa]ngstr[öo]ms?)", "angstrom"), (r"PHz", "phz"), (r"THz", "thz"), (r"GHz", "ghz"), (r"MHz", "mhz"),
    (r"kHz", "khz"), (r"Hz", "hz"), (r"meV", "mev"), (r"(?i:electron\s?volts?)|eV", "ev"), (r"keV|MeV", "other ev"),
    (r"%|(?i:per\s?cent|percent)", "%"), (r"°\s*C|K|mK", "temperature"), (r"°|(?i:deg(?:rees?)?)", "deg"), (r"mrad", "mrad"),
    (r"(?i:radians?)|rad", "rad"), (r"fs", "fs"), (r"ps", "ps"), (r"ns", "ns"), (r"µ\s*s|us", "us"), (r"ms", "ms"), (r"s", "s"),
    (r"nm\s*(?:\^\s*2|²)", "nm^2"), (r"(?:µ\s*m|um)\s*(?:\^\s*2|²)", "um^2"), (r"m\s*(?:\^\s*2|²)", "m^2"), (r"m", "m"),
    (r"[(\[]?\s*(?i:in\s+)?(?i:units\s+of\s+)?(?:2\s*(?:π|pi)\s*)?c\s?/\s?a(?:\s*[)\]])?", "c/a"),
    (r"[(\[]?\s*a\s?/\s?(?:λ|lambda)", "c/a"),
    (_IN + r"2\s*[×*]?\s*(?:π|pi)\s*/\s*a(?:\s*[)\]])?", "2pi/a"), (_IN + r"(?:π|pi)\s*/\s*a(?:\s*[)\]])?", "pi/a"),
    (r"c/(?:µ\s*m|um)", "c/um"), (r"dB", "db"), (r"λ(?:_?0)?", "wavelengths"), (r"π", "pi"),
    (r"[mk]?[WVJ]|fJ|pJ|[MG]?Pa", "other"))
_UNIT = re.compile("(?P<gap>[ \t\n\u2009]{0,16}|-)(?:" + "|".join(f"(?P<u{n}>{form})" for n, (form, _) in enumerate(_UNITS))
                   + r")(?![A-Za-zµ²³/]|\s*[\^=]|⁻|-\d(?!\d))")
_COMPOUND = re.compile(r"[ \t\n\u2009]{0,16}(?P<unit>(?:[nµupmc]?m|dB|m?[VW]|m?eV|m?rad|deg|°|[kMGTP]?Hz)\s?/\s?[A-Za-zµ°]+)")
_LATTICE = re.compile(r"a(?![A-Za-z0-9])|[ \u2009]a(?=[.,;)\]]|\s*$)")

_ONES = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
         "eighteen nineteen").split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_PARTS = {"half": 1 / 2, "halves": 1 / 2, "third": 1 / 3, "thirds": 1 / 3, "quarter": 1 / 4, "quarters": 1 / 4}
_WORD = re.compile(rf"(?i)(?<![\w-])(?:(?P<tens>{'|'.join(_TENS)})(?:[ -](?P<one>{'|'.join(_ONES[1:10])}))?"
                   rf"|(?P<ones>{'|'.join(_ONES)})(?P<hundred>[ -]hundred)?(?:[ -](?P<part>{'|'.join(_PARTS)}))?)(?![\w-]*\w)")
_JOINS = re.compile(r"(?i)\b(?:of|at|is|are|was|to|and|from|near|about|than|by|around|a|with|for|between)\s*$|[=~<>(:,|]\s*$")
_LISTED = re.compile(r"\s*(?:,\s*(?:and|or)|,|;|and|or|×|x|by)\s*")
_JOINED = re.compile(r"\s*(?:to|-|through)\s*")
_NAME = re.compile(r"(?![x×](?![A-Za-z]))[A-Za-zµ_]|-[A-Za-z]")  # "3D", "2-port"; not "2x"
_THREE, _UP_TO_THREE, _BETWEEN = re.compile(r"\d{3}(?!\d)"), re.compile(r"\d{1,3}"), re.compile(r"\s*and\s*")
_UNSAID = ("c/a", "a", "2pi/a", "pi/a")  # normalised units that papers seldom repeat beside the number


@dataclass(frozen=True)
class Written:
    """One number of a text: from low to high (equal unless a range), in `unit` ("" if none stands beside it).

    half: half a unit of its last digit, or the uncertainty written with it. start, end: where it stands, unit included.
    label: it counts, cites or dates. in_range: it is one end of a range and states nothing alone.
    """

    low: float
    high: float
    unit: str
    half: float
    start: int
    end: int
    label: bool = False
    in_range: bool = False

    def in_unit(self, unit: str) -> tuple[float, float, float] | None:
        """(low, high, half) in another unit, ascending; None if it measures something else."""
        own = self.unit or (unit if canonical(unit) in _UNSAID else "1")
        if self.label or (reciprocal(own, unit) and not self.low > 0):
            return None
        ends = sorted(found for value in (self.low, self.high) if (found := converted(value, own, unit)) is not None)
        if len(ends) < 2:
            return None
        half = self.half / abs(self.high) * abs(ends[-1]) if reciprocal(own, unit) else converted(self.half, own, unit)
        return float(ends[0]), float(ends[1]), float(half or 0.0)


def readable(text: str) -> str:
    """The text with one kind of dash and thin space and without markup, every character in its place."""
    text = text.translate(_SAME)
    return _MARKUP.sub(lambda m: _TEX.get(m[0], "").ljust(len(m[0]))[: len(m[0])], text)


def numbers_in(text: str) -> tuple[Written, ...]:
    """Every number of a text in order, ranges beside the numbers they are made of."""
    plain = readable(text)
    labels = Labels(plain)
    found = sorted(_digit_numbers(plain) + _word_numbers(plain), key=lambda n: n.start)
    found = [replace(n, label=True) if not n.label and _is_label(n, plain, labels) else n for n in found]
    found = _joined_thousands(found, plain)
    for place in range(len(found) - 2, -1, -1):  # a list's unit stands behind its last number
        one, other = found[place], found[place + 1]
        between = plain[one.end : other.start]
        if not other.unit or one.unit or one.label or other.label:
            continue
        if _LISTED.fullmatch(between) or _JOINED.fullmatch(between):
            found[place] = replace(one, unit=other.unit)
    return tuple(_with_ranges(found, plain))


def matches(found: Written, value: float, unit: str, upper: float | None = None) -> bool:
    """Whether a number states the value (or the range from value to upper), both in `unit`."""
    stated = found.in_unit(unit)
    if stated is None or (found.in_range and upper is None):
        return False
    low, high, half = stated
    wanted = (value, value if upper is None else upper)
    slack = 1e-6 if not reciprocal(found.unit or "1", unit) else max(1e-6, min(5e-4, half / abs(high) if high else 0.0))
    return all(abs(a - b) <= slack * max(abs(b), 1e-300) + 1e-15 for a, b in zip(wanted, (low, high), strict=True))


def _digit_numbers(plain: str) -> list[Written]:
    found: list[Written] = []
    for match in _NUMBER.finditer(plain):
        if found and match.start() < found[-1].end:
            continue  # the 2 of (2 pi/a)
        if match["ten"]:
            power = int((match["of_ten"] or match["up"].translate(_SUPERSCRIPTS)).replace(" ", ""))
            value, half = 10.0**power, 0.5 * 10.0**power
        else:
            digits = match["digits"].replace("\u2009", "").replace(",", "." if match["digits"].startswith("0,") else "")
            exponent = int((match["e"] or match["power"] or "0").translate(_SUPERSCRIPTS).replace(" ", ""))
            last = 10.0 ** (exponent - len(digits.partition(".")[2]))
            value = float(f"{digits}e{exponent}") * (-1 if match["sign"] == "-" else 1)
            half = last * (float(match["last"]) if match["last"] else 0.5)
        if match["plus"]:
            half = float(match["plus"]) * (10.0**exponent if not match["ten"] else 1.0)
        unit, end = _unit_after(plain, match.end())
        after = plain[end : end + 2] if not unit else ""
        name = bool(_NAME.match(after)) and not (after.startswith("-") and plain.startswith("-fold", end))
        found.append(Written(value, value, unit, half, match.start(), end, label=name))
    return found


def _word_numbers(plain: str) -> list[Written]:
    found = []
    for match in _WORD.finditer(plain):
        unit, end = _unit_after(plain, match.end())
        if match["tens"]:
            value = 10.0 * (_TENS.index(match["tens"].lower()) + 2) + (_ONES.index(match["one"].lower()) if match["one"] else 0)
        else:
            value = float(_ONES.index(match["ones"].lower())) * (100 if match["hundred"] else 1)
            value *= _PARTS[match["part"].lower()] if match["part"] else 1
        pronoun = match[0].lower() == "one" and not unit
        found.append(Written(value, value, unit, 0.0 if match["part"] else 0.5, match.start(), end, label=pronoun))
    return found


def _unit_after(plain: str, end: int) -> tuple[str, int]:
    compound = _COMPOUND.match(plain, end)
    if compound:
        return canonical(compound["unit"]), compound.end()
    match = _UNIT.match(plain, end)
    if match:
        return next(_UNITS[n][1] for n in range(len(_UNITS)) if match[f"u{n}"] is not None), match.end()
    lattice = _LATTICE.match(plain, end)
    return ("a", lattice.end()) if lattice else ("", end)


def _is_label(number: Written, plain: str, labels: Labels) -> bool:
    if number.unit and number.unit != "a":
        return False
    inside = labels.cover(number.start, number.end - (number.unit == "a"))
    return inside or labels.named_before(number.start) or is_year(plain, number.start, number.end)


def _joined_thousands(found: list[Written], plain: str) -> list[Written]:
    """2 500 nm is one number where no name comes before it; in "layer 1 550 nm" there are two."""
    done: list[Written] = []
    first = len(plain) - len(plain.lstrip())
    for number in found:
        head = done[-1] if done else None
        if (head is not None and not head.unit and plain[head.end : number.start] == " " and 0 < head.low < 1000
                and head.low == int(head.low) and _THREE.match(plain, number.start)
                and _UP_TO_THREE.fullmatch(plain, head.start, head.end)):
            joined = replace(number, low=1000 * head.low + number.low, high=1000 * head.low + number.low, start=head.start,
                             label=head.label)
            if _JOINS.search(plain[max(0, head.start - 40) : head.start]) or head.start <= first:
                done[-1] = joined
                continue
            done.append(joined)
        done.append(number)
    return done


def _with_ranges(found: list[Written], plain: str) -> list[Written]:
    done: list[Written] = []
    for number in found:
        one = done[-1] if done else None
        done.append(number)
        if one is None or one.label or number.label or one.in_range or one.low != one.high:
            continue
        between, before = plain[one.end : number.start], plain[max(0, one.start - 14) : one.start]
        joined = _JOINED.fullmatch(between) or (
            _BETWEEN.fullmatch(between) and re.search(r"(?i)\bbetween\s*(?:about\s*)?$", before))
        low: float | None = one.low
        if one.unit and number.unit and one.unit != number.unit:
            low = converted(one.low, one.unit, number.unit) if dimension(one.unit) == dimension(number.unit) else None
        high = number.high
        if not joined or low is None or not low < high or (one.unit and not number.unit):
            continue
        alone = bool(re.search(r"(?i)\bfrom\s*(?:about\s*)?$", before))  # "moves from 6 to 7 nm" states both ends
        if not alone:
            done[-2:] = [replace(one, in_range=True), replace(number, in_range=True)]
        done.append(Written(low, high, number.unit, max(one.half, number.half), one.start, number.end))
    return done
