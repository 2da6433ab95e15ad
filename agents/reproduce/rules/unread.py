"""Where a text may say a number that code cannot read: a script of which it reads no words, a unit behind no number that was read.

Numbers can be written in more ways than any table holds (number words of every language, Roman numerals in small letters, other bases).
What agents write for blind agents is therefore held by its units: each stands behind a number that was read, or behind a word that
is none.
"""

from __future__ import annotations

import re
import unicodedata

from schemas.text.numbers import numbers_in

_UNIT = re.compile(
    r"(?<![^\W\d_])(?:[nuµμpmc]m|[TGP]Hz|m?eV|[fp]s|(?:(?:nan|micr|mill|cent|pic)[oóòi]|νανο|μικρο)[mμ][eéèêó]t\w*|νανόμ\w*|μικρόμ\w*|microns?|"
    r"[åÅ]ngstr[oöø]ms?|(?:tera|giga|peta)hertz|electron\s?volts?)(?!\w)|[^\W\d_]{2,}nm(?!\w)"
)
# Where a result lies is no business of a description, whatever words or numbers say it.
_PLACE_OF = re.compile(
    r"(?i)\b(?:max\w*|minim\w*|peaks?|dips?|resonan\w+|extrem\w+|optim\w+|crossings?|notch\w*|null\w*)\b[^.;:\n]{0,50}?\b"
    r"(?:(?:should|must|ought\s+to|will|shall|has\s+to|have\s+to|(?:is|are)\s+expected\s+to)\s+(?:\w+\s+)?(?:lie|sit|fall|occur|appear|be|come)|"
    r"lies?|sits?|occurs?|appears?|(?:is|are)\s+(?:found|expected|located|known))\s+(?:\w+\s+){0,2}?(?:at|near|around|about|close\s+to|by)\b"
    r"(?!\s+(?:the\s+)?(?:edge|ends?|cent(?:er|re)|same|a\s+boundary|least|most|all)\b)[^.;\n]{0,200}"
)
_BEFORE = re.compile(r"([^\s\u2010-\u2014()\[\]{}/|,;:=-]+)[\s\u2010-\u2014-]{0,3}\Z")
_MARKS = "\"'`*_.!?<>~"
# What stands before a unit and says no number; of quantities those that a column or an axis is called.
NO_NUMBER = frozenset(
    "in of per the a an to as and or few several some many each every any by with into from not is are be using use unit units whole"
    " single sub via within below above under over than about between at for on versus vs against both all its their this that no non"
    " wavelength wavelengths frequency frequencies thickness length lengths width height radius diameter period pitch gap depth energy"
    " energies position positions size sizes axis column columns x y z".split()
)
_SCRIPTS = (
    *(
        "LATIN",
        "GREEK",
        "MICRO",
        "ANGSTROM",
        "KELVIN",
        "OHM",
        "MATHEMATICAL",
        "MODIFIER",
        "FEMININE",
        "MASCULINE",
    ),
    *("SCRIPT", "BLACK", "DOUBLE", "SUPERSCRIPT", "SUBSCRIPT"),  # raised digits are read as such
)


def unread(text: str) -> list[tuple[int, int]]:
    """(start, end) of each word that may be a number code has not read, in order; linear in the text."""
    found = [match.span() for match in re.finditer(r"[^\W\d_]+", text) if _foreign(match[0])]
    numbers = [(n.start, n.after) for n in numbers_in(text) if n.standing != "hidden"]
    read, place = 0, 0  # how far the numbers that begin before a unit reach
    for match in _UNIT.finditer(text):
        while place < len(numbers) and numbers[place][0] < match.start():
            read, place = max(read, numbers[place][1]), place + 1
        if read > match.start() or "_" in text[_identifier(text, match.start()) : match.start()]:
            continue  # a number, or a name, which is read as such
        if match[0].endswith("nm") and len(match[0]) > 2:
            found.append(match.span())
            continue
        before = _BEFORE.search(text, max(0, match.start() - 40), match.start())
        if (
            before
            and any(c.isalnum() for c in before[1])
            and before[1].strip(_MARKS).lower() not in NO_NUMBER
        ):
            found.append((before.start(1), match.end()))
    return sorted(set(found))


def places_told(text: str) -> list[tuple[int, int]]:
    """(start, end) of each clause that says at what a maximum, a resonance or the like lies."""
    return [match.span() for match in _PLACE_OF.finditer(text)]


def _identifier(text: str, end: int) -> int:
    """Where the letters, digits and underscores before a place begin."""
    start = end
    while start > max(0, end - 80) and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    return start


def _foreign(word: str) -> bool:
    """Whether a word has letters of a script whose words nobody here reads."""
    return not word.isascii() and any(not unicodedata.name(c, "").startswith(_SCRIPTS) for c in word)
