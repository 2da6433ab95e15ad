"""Whether words said to be the paper's are the paper's, and whether a number stands in them."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# A quotation may leave words out; each part it keeps must be this long to mean anything.
MIN_PART = 4
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"),
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02b9\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", None),
        "\u03bc": "u",
        "\u00b5": "u",
        "\u00d7": "x",
        "\u223c": "~",
        "\u2248": "~",
    }
)
_MARKUP = re.compile(r"\\[,;:! ]|\\(?:mathrm|text|rm)\b|[*_$`{}]|\\(?=[a-zA-Z])")
_GAP = re.compile(r"\[?(?:\.\.\.|\u2026)\]?")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n{2,}|\n(?=\|)")
_NUMBERS = (re.compile(r"\d*\.\d+|\d+"), re.compile(r"\d+(?:[, ]\d{3})+(?:\.\d+)?(?!\d)"))


def normal(text: str, *, line_end_hyphen: str = "") -> str:
    """Text with one kind of dash and quote, without spaces, Markdown and TeX marks, in lower case.

    line_end_hyphen: what becomes of a hyphen at a line end: '' if the typesetter put it there, '-' if it is a
    word's.
    """
    text = _MARKUP.sub("", text.translate(_SIGNS))
    text = unicodedata.normalize("NFKC", text).translate(_SIGNS).casefold()
    return re.sub(r"\s+", "", re.sub(r"-\s*\n\s*", line_end_hyphen, text))


def quoted(quotation: str, text: str) -> bool:
    """Whether the quotation stands in the text; parts between '...' must come in order."""
    return any(
        _in_order(
            [normal(part, line_end_hyphen=hyphen) for part in _GAP.split(quotation)],
            _paper(text, hyphen),
        )
        for hyphen in ("", "-")
    )


def has_number(value: float, quotation: str) -> bool:
    """Whether a value's digits stand in the quotation in any unit: 0.62 in '62 %', 1.55 in '1550 nm'."""
    wanted = _digits(f"{abs(value):.12g}")
    plain = unicodedata.normalize("NFKC", quotation)
    return any(_digits(match[0]) == wanted for pattern in _NUMBERS for match in pattern.finditer(plain))


def nearest(quotation: str, text: str) -> str:
    """The sentence that shares most words with the quotation, shortened; empty if none shares any."""
    words = set(re.findall(r"\w{2,}", quotation.casefold()))
    best, score = "", 0
    for sentence in SENTENCE_END.split(text):
        shared = len(words & set(re.findall(r"\w{2,}", sentence.casefold())))
        if shared > score:
            best, score = sentence, shared
    return " ".join(best.split())[:240]


@lru_cache(maxsize=4)
def _paper(text: str, hyphen: str) -> str:
    """`normal`, remembered: one paper is searched for every quotation of its plan."""
    return normal(text, line_end_hyphen=hyphen)


def _in_order(parts: list[str], body: str) -> bool:
    parts = [part for part in parts if part]
    if not parts or max(len(part) for part in parts) < MIN_PART:
        return False
    start = 0
    for part in parts:
        position = body.find(part, start)
        if position < 0:
            return False
        start = position + len(part)
    return True


def _digits(number: str) -> str:
    mantissa = re.split("[eE]", number)[0]
    return re.sub(r"\D", "", mantissa).lstrip("0").rstrip("0") or "0"
