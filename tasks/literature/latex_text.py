"""Letters as LaTeX writes them in BibTeX files, read and written."""

from __future__ import annotations

import re
import unicodedata

_ACCENTS = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    "u": "\u0306",
    ".": "\u0307",
    '"': "\u0308",
    "r": "\u030a",
    "H": "\u030b",
    "v": "\u030c",
    "c": "\u0327",
    "k": "\u0328",
    "d": "\u0323",
    "b": "\u0331",
}
_LETTERS = {
    "ss": "ß",
    "o": "ø",
    "O": "Ø",
    "l": "ł",
    "L": "Ł",
    "ae": "æ",
    "AE": "Æ",
    "oe": "œ",
    "OE": "Œ",
    "aa": "å",
    "AA": "Å",
    "i": "i",
    "j": "j",
    "dh": "ð",
    "th": "þ",
    "textendash": "–",
    "textemdash": "—",
    "ldots": "...",
}
_GREEK = {
    letter: unicodedata.name(letter).removeprefix("GREEK SMALL LETTER ").lower().replace("lamda", "lambda")
    for letter in "αβγδεζηθικλμνξπρστυφχψω"
}
_ACCENT = re.compile(
    r"\\([`'^~=.\"]|[uvHcdbkr](?![A-Za-z]))\s*(?:\{\s*(\\[ij]|[A-Za-z]?)\s*\}|(\\[ij](?![A-Za-z])|[A-Za-z]))"
)
_COMMAND = re.compile(r"\\([A-Za-z]+)\s*(?:\{\})?")
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    '"': "''",
    "–": "--",
    "—": "---",
    "‐": "-",
    "−": "-",
    "‘": "`",
    "’": "'",
    "“": "``",
    "”": "''",
    "…": "...",
    "×": r"\ensuremath{\times}",
    "µ": r"\ensuremath{\mu}",
}


def unicode_text(latex: str) -> str:
    """The words of a BibTeX value: accents and special letters as Unicode, commands and braces left out."""
    text = _ACCENT.sub(_accented, latex)
    text = re.sub(
        r"\\([&%$#_{}])", lambda found: chr(0xE000 + ord(found[1])), text
    )  # kept until braces are gone
    text = _COMMAND.sub(lambda found: _LETTERS.get(found[1], _greek(found[1])), text)
    text = text.replace("---", "—").replace("--", "–").replace("~", " ").replace("``", "“").replace("''", "”")
    text = re.sub(r"[{}$\\]", "", text)
    return " ".join(re.sub(r"[\ue000-\ue07f]", lambda found: chr(ord(found[0]) - 0xE000), text).split())


def _accented(found: re.Match[str]) -> str:
    letter = (found[2] or found[3] or "").lstrip("\\")
    return unicodedata.normalize("NFC", letter + _ACCENTS[found[1]]) if letter else ""


def _greek(name: str) -> str:
    return next((letter for letter, known in _GREEK.items() if known == name), "")


def latex_text(text: str) -> str:
    """Words for a .bib: LaTeX's own characters escaped, Latin letters as they are, others as near as plain LaTeX has them."""
    return "".join(map(_written, unicodedata.normalize("NFC", " ".join(text.split()))))


def _written(letter: str) -> str:
    if letter in _SPECIAL:
        return _SPECIAL[letter]
    if " " <= letter < "\x7f" or "\u00c0" <= letter <= "\u017f":
        return letter
    if letter in _GREEK:
        return rf"\ensuremath{{\{_GREEK[letter]}}}"
    return (
        unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
        if letter.isprintable()
        else ""
    )
