"""Units as texts write them behind a number: symbols with every prefix, powers and quotients, and words.

A unit is named as plans name it (nm, um, 1/cm, THz, rad/s, deg, %); one that only matches itself is named as it stands.
"""

from __future__ import annotations

import re

_PREFIXES = {
    "": "",
    "atto": "a",
    "femto": "f",
    "pico": "p",
    "nano": "n",
    "micro": "u",
    "milli": "m",
    "centi": "c",
    "kilo": "k",
    "mega": "M",
    "giga": "G",
    "tera": "T",
    "peta": "P",
}
_MICRO = "(?:µ|u)"


def _symbols(base: str, prefixes: str) -> list[tuple[str, str]]:
    """(form, name) of a unit with each prefix: "" is written as "-"."""
    return [((_MICRO + r"\s?" if p == "u" else p.strip("-")) + base, p.strip("-") + base) for p in prefixes]


def _words(word: str, base: str, prefixes: str) -> list[tuple[str, str]]:
    return [
        (f"(?i:{long}[- ]?{word})", short + base)
        for long, short in _PREFIXES.items()
        if (short or "-") in prefixes
    ]


_PER = r"\s?(?:\^\s?)?\(?-\s?1\)?"  # cm^-1, cm -1, cm-1
_OF_LATTICE = r"[×(\[]?\s*(?i:in\s+)?(?i:units\s+of\s+)?[(\[]?"
_METRE, _HERTZ, _SECOND = r"met(?:re|er|ro|ri|ros|res|ers)s?", r"hertz", r"seconds?"
_VOLT, _RADIAN, _JOULE = r"electron[- ]?volts?", r"radians?", r"joules?"
_SAID_LENGTHS = {
    "nm": "nanomet(?:re|er)s?",
    "um": "(?:micromet(?:re|er)s?|microns?)",
    "mm": "millimet(?:re|er)s?",
    "cm": "centimet(?:re|er)s?",
    "m": "met(?:re|er)s?",
}
_SAID_TIMES = {"s": "seconds?", "ns": "nanoseconds?", "ps": "picoseconds?", "fs": "femtoseconds?"}


def _symbol(name: str) -> str:
    return name.replace("um", _MICRO + r"\s?m")


_FORMS: list[tuple[str, str]] = [
    *(
        (
            rf"(?:{_symbol(name)}|(?i:{_SAID_LENGTHS[name]}))\s?(?:\^\s*)?2|(?i:square {_SAID_LENGTHS[name]})",
            f"{name}^2",
        )
        for name in ("nm", "um", "m")
    ),
    *(
        (rf"{name}{_PER}|(?:1\s?)?/\s?{name}|(?i:per {said})", f"1/{name}")
        for name, said in _SAID_TIMES.items()
    ),
    *(
        (
            rf"{prefix}rad(?:\s?/\s?{name}|\s?[·×.]?\s?{name}{_PER})|(?i:radians?\s+(?:per|a)\s+{said})"
            if not prefix
            else rf"{prefix}rad(?:\s?/\s?{name}|\s?[·×.]?\s?{name}{_PER})",
            f"{prefix}rad/{name}",
        )
        for prefix in ("", "k", "M", "G", "T", "P")
        for name, said in _SAID_TIMES.items()
    ),
    *(
        (
            rf"rad(?:\s?/\s?(?:{_symbol(name)}|(?i:{said}))|\s?[·×.]?\s?{_symbol(name)}{_PER})|"
            rf"(?i:rad(?:ians?)?\s+per\s+)(?:{_symbol(name)}|(?i:{said}))",
            f"rad/{name}",
        )
        for name, said in _SAID_LENGTHS.items()
    ),
    *(
        (
            rf"{_symbol(name)}{_PER}|(?:1\s?)?/\s?{_symbol(name)}|(?i:inverse|reciprocal|per)[- ](?:{_symbol(name)}|(?i:{said}))",
            f"1/{name}",
        )
        for name, said in _SAID_LENGTHS.items()
    ),
    (r"(?i:wavenumbers?|kaysers?)", "1/cm"),
    (rf"c/{_MICRO}m", "c/um"),
    (r"c/nm", "c/nm"),
    *_words(_METRE, "m", "-afpnumck"),
    (r"(?i:microns?)", "um"),
    (r"(?i:[åa]ngstr[öo]ms?|[åa]ngstroms?)|Å", "angstrom"),
    *_words(_HERTZ, "Hz", "-kMGTP"),
    *_words(_VOLT, "eV", "-umk"),
    *_words(_RADIAN, "rad", "-um"),
    *_words(_SECOND, "s", "-afpnum"),
    *_words(_JOULE, "J", "-afpnumk"),
    *_symbols("m", "-fpnumck"),
    *_symbols("Hz", "-kMGTPE"),
    *_symbols("eV", "-umk"),
    (r"[MG]eV", "other ev"),
    (r"KHz", "kHz"),
    (r"°\s?C|mK|K", "temperature"),
    (r"°|(?i:deg(?:rees?)?)", "deg"),
    (r"(?i:arc\s?min(?:utes?)?)", "arcmin"),
    *_symbols("rad", "-um"),
    *_symbols("s", "-afpnum"),
    *_symbols("J", "-zafpnumk"),
    (r"(?:%|(?i:per\s?cent(?:age)?|pct))(?i:[ -]points?)?", "%"),
    (r"‰|(?i:per\s?mil(?:le)?)", "‰"),
    (r"ppm", "ppm"),
    (r"нм|纳米|奈米|ナノメートル|نانومتر", "nm"),
    (r"мкм|微米|マイクロメートル", "um"),
    (r"ТГц|太赫兹|テラヘルツ", "THz"),
    (r"эВ|电子伏特?|電子ボルト", "eV"),
    (r"(?i:nanometern|nanomètres?|nanómetros?|nanometr(?:i|o)|нанометр\w{0,3})", "nm"),
    (_OF_LATTICE + r"2\s*[×*]?\s*(?:π|pi)\s*/\s*a(?:\s*[)\]])?", "2pi/a"),
    (_OF_LATTICE + r"(?:π|pi)\s*/\s*a(?:\s*[)\]])?", "pi/a"),
    (r"[(\[]?\s*(?i:in\s+)?(?i:units\s+of\s+)?(?:2\s*(?:π|pi)\s*)?c\s?/\s?a(?:\s*[)\]])?", "c/a"),
    (r"[(\[]?\s*a\s?/\s?(?:λ|lambda)", "c/a"),
    (r"dB", "dB"),
    (r"λ(?:_?0)?", "wavelengths"),
    (r"π", "pi"),
    (r"[mk]?[WV]|[MG]?Pa", "other"),
]
_TAIL = r"(?![A-Za-zµ²³]|/(?!\s?[0-9])|\s*\^|-[0-9](?![0-9]))"
_LONE = frozenset(
    {"m", "s", "K", "J", "W", "V"}
)  # a letter of its own: "3 s-polarised", "1, m = 2" hold none
_GAP = re.compile(r"[ \u2009]?[(\[](?=[a-zA-Zµ°%ÅЀ-ӿ])|-|[ \t\n\u2009]{0,16}")
_UNIT = re.compile("(?:" + "|".join(f"(?P<u{n}>{form})" for n, (form, _) in enumerate(_FORMS)) + ")" + _TAIL)
_COMPOUND = re.compile(
    r"[ \t\n\u2009]{0,16}(?P<unit>(?:%|[nµupmc]?m|dB|m?[VW]|m?eV|m?rad|deg|°|[kMGTP]?Hz)\s?/\s?[A-Za-zµ°]+)"
)
_LATTICE = re.compile(r"a(?![A-Za-z0-9])|[ \u2009]a(?=[.,;)\]]|\s*$)")
_COUNTED_FOR = re.compile(
    r"[ \t\n\u2009]{1,16}(?:per|(?:for|with)[ \t\n]{1,16}(?:each|every))[ \t\n\u2009]{1,16}", re.IGNORECASE
)
_NO_UNIT = re.compile(r"-[A-Za-z]|\s*=")


def unit_behind(text: str, place: int) -> tuple[str, int]:
    """The unit that stands at a place of a legible text behind a number, and where it ends; ("", place) if none does."""
    behind = _GAP.match(text, place)
    gap = behind[0] if behind else ""
    match = _UNIT.match(text, place + len(gap))
    named = _FORMS[int(match.lastgroup[1:])][1] if match and match.lastgroup else ""
    compound = _COMPOUND.match(text, place)
    if compound and (match is None or match.end() < compound.end()):
        return "".join(compound["unit"].replace("µ", "u").replace("°", "deg").split()), compound.end()
    if match is None:
        lattice = _LATTICE.match(text, place)
        return ("a", lattice.end()) if lattice else ("", place)
    end = match.end()
    if gap[-1:] in ("(", "["):
        if text[end : end + 1] not in (")", "]"):
            return "", place
        end += 1
    symbol = match[0]
    if symbol in _LONE and (_NO_UNIT.match(text, end) or gap == "-") or symbol == "as" and gap:
        return "", place
    return _per(text, named, end)


def _per(text: str, named: str, end: int) -> tuple[str, int]:
    """A unit with what it is counted for in words, and where that ends: "nm per degree" is nm/deg, "nm per nanometre" is 1."""
    joint = _COUNTED_FOR.match(text, end)
    match = _UNIT.match(text, joint.end()) if joint and named else None
    if match is None or not match.lastgroup or match.end() - match.start() < 2 and match[0] != "°":
        return named, end
    below = _FORMS[int(match.lastgroup[1:])][1]
    return (
        ("1" if below == named else f"{named}/{below}", match.end())
        if "/" not in named + below
        else (named, end)
    )


def unit_name(unit: str) -> str:
    """The name of a unit as a plan or parameter writes it; '1' for a dimensionless one, its own text if unknown."""
    text = unit.strip()
    if text in ("", "1"):
        return "1"
    found, end = unit_behind(text.replace("μ", "µ"), 0)
    return found if found and end == len(text) else text
