"""Which of a figure's curves its caption speaks of, and of how many."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

# Parts of a column's name that say what it holds, not which of several it is.
_QUANTITY = re.compile(
    r"(?i)(?:reflect|transm|absor|scatter|extinct|effic|order|band\d|mode|rate|index|n?eff|abs|sca|ext|norm|value|percent|nm|um|"
    r"ev|thz|intens|field|power|ratio|length|width|phase|freq|wave|quality|factor|gap|spec|curve|data)\w*$|[ehq]?[xyz]$|m\d+$|mev$|[kmg]hz$"
)
_PANEL = re.compile(r"\(([a-h])\)")
_STYLE = re.compile(
    r"(?i)\b(?:(solid|dashed|dotted|dash-dotted|symbols|circles|crosses|diamonds|markers)\b|"
    r"(thin|thick|broken|full|red|blue|green|black|gr[ae]y|orange)\s+(?:lines?|curves?|dots)\b)"
)
_JOINED = re.compile(r"(?i);|\b(?:and|or|versus|together\s+with|as\s+well\s+as|compared\s+(?:with|to))\b")
_WHAT = (
    r"(?:\b(?:reflect|transmi|absor|scatter|extinct|phase|amplitude|intensit|frequenc|quality|effective|group)\w*"
    r"(?:\s+(?!of\b|and\b)[\w.]+)?)"
)
_NO_SECOND = re.compile(rf"(?i)\bbetween\b[^.;,]*?\band\b|{_WHAT}(?:(?:,|,?\s+and)\s+(?:the\s+)?{_WHAT})+")

# One name, written out and short.
_SHORT = tuple(
    (short, re.compile(form, re.IGNORECASE))
    for short, form in (
        ("fwhm", r"fwhm\b|full[\s-]+(?:line-?\s?)?widths?(?:\s+at|,?\s+)?[\s-]+half[\s-]+(?:the\s+)?max\w*"),
        ("hwhm", r"hwhm\b|half[\s-]+widths?(?:\s+at|,?\s+)?[\s-]+half[\s-]+(?:the\s+)?max\w*"),
        ("fsr", r"fsr\b|free[\s-]+spectral[\s-]+ranges?"),
        ("neff", r"n[_ ]?\{?eff\b|effective\s+(?:mode\s+|refractive\s+)?ind(?:ex|ices)\b"),
        ("qfactor", r"q\b(?:[\s-]factors?)?|quality[\s-]+factors?"),
        ("ldos", r"ldos\b|local\s+density\s+of\s+(?:optical\s+)?states"),
    )
)

_ENDED = re.compile(r"(?i)\s+(?:of|against|versus|vs|over|as|for|at|in|and|with)\b|\s*(?:[,.;:(]|$)")
# What a caption's first noun phrase is called, up to what is said of it.
_HEADING = re.compile(
    r"(?i)\s*(?:fig\w*\.?\s*\d+\w?[.:]?\s*)?(?:\([a-z]\)\s*)?(?:(?:measured|calculated|computed|simulated|the)\s+)*"
)
_GREEK = re.compile(r"[\u0370-\u03ff]")


def _name_of(letter: re.Match[str]) -> str:
    """ "beta" for the letter, as columns call it."""
    return unicodedata.name(letter[0], "").rpartition(" ")[2].lower().replace("lamda", "lambda")


def spelt(name: str) -> str:
    """A column's name as words: "abs_Ez_m3" is "abs Ez m = 3", "band1" is "band 1"."""
    return re.sub(r"\bm (?=\d)", "m = ", re.sub(r"(?<=[a-z])(?=\d)", " ", name.replace("_", " ")))


def names_another(name: str, columns: Sequence[str], caption: str) -> bool:
    """Whether a caption names others of the columns than `name`, and speaks of fewer things than they are of.

    columns: all but the abscissa. Of two panels or curves one may be called otherwise than its column, which only a reader sees.
    """
    caption = _GREEK.sub(_name_of, caption)
    other = [column for column in columns if column != name]
    things = {_which(column) for column in (name, *other)}
    return bool(
        not _called(name, caption)
        and any(_called(column, caption) for column in other)
        and _spoken_of(caption) < len(things)
    )


def _called(name: str, caption: str) -> bool:
    """Whether a caption has what tells a column's name from others, or is headed by the same name written otherwise."""
    if not _unnamed(name, caption):
        return True
    heading = _HEADING.match(caption)
    short, _ = _short(name.replace("_", " "))
    headed, behind = _short(caption[heading.end() if heading else 0 :])
    return short != "" and short == headed and _ENDED.match(behind) is not None


def _short(text: str) -> tuple[str, str]:
    """(the abbreviation that a text begins with, or that of the name it begins with, what follows it); '' for any other."""
    return next(
        ((short, text[match.end() :]) for short, form in _SHORT if (match := form.match(text))), ("", "")
    )


def _spoken_of(caption: str) -> int:
    """Of how many things a caption speaks: panels, curves by how they are drawn, what "and" joins."""
    plain = _NO_SECOND.sub(" ", caption)
    styles = {(match[1] or match[2]).lower() for match in _STYLE.finditer(plain)}
    return max(len({*_PANEL.findall(plain)}), len(styles), 1 + len(_JOINED.findall(plain)))


def _which(name: str) -> frozenset[str]:
    """The parts of a column's name that tell which of several it is."""
    return frozenset(
        part
        for part in re.split(r"[_\W]+", name)
        if len(part) > 2 and not part.isdigit() and not _QUANTITY.match(part)
    )


def _unnamed(name: str, caption: str) -> set[str]:
    """Those of them that are not in the caption."""
    return {
        part for part in _which(name) if not re.search(rf"(?i)(?<![\w.]){re.escape(_stem(part))}", caption)
    }


def _stem(part: str) -> str:
    number = re.match(r"\d+(?:\.\d+)?", part)
    return number[0] if number else part[:5]
