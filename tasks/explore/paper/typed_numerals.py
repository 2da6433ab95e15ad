"""Numbers that somebody typed into prose: found wherever they hide, and refused with their place.

A number reaches a text by `{{name}}` only. So no digit may stand in it at all, save in words that hold one as part of a
name (`float64`, `SiO2`, `2D`) and that the run's own goal or programs use; figures, tables and sections are numbered by
references, and years stand in the bibliography. Numbers as words: one to twelve may count things ("two programs"), but
measure nothing: no multiples, shares, percents, orders of magnitude, seconds.
Names of things are no results: a quarter-wave film, a twofold axis, the zero-order beam (`TERMS`).
In formulas a digit may be a one-digit index or exponent of a symbol, and the factors 2 and 4 of pi; no more, and no number word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from schemas.text.numbers import plain_numbers
from tasks.explore.paper.formula_claims import amounts, typed_in
from tasks.explore.paper.markup import Inline, words_of
from tasks.prose.numerals import MEASURING, TERMS

_WORD = re.compile(r"[^\s,;:!?()\[\]\"'“”‘’/]+")
_DIMENSION = re.compile(r"[1-4]-?[dD]\Z")
_NAME = re.compile(r"(?:[A-Za-z][A-Za-z_-]*[0-9]{1,3}|[A-Za-z]{2}[A-Za-z0-9_-]*)\Z")
_MATH_DIGITS = re.compile(
    r"(?<![0-9A-Za-z}])[24]\s*\\pi\b|(?<=[A-Za-z}])(?:\s*[_^]\s*(?:[0-9]|\{-?[0-9]\})){1,2}(?![0-9.])"
)


def vocabulary(texts: Collection[str]) -> frozenset[str]:
    """Words with a digit in them that the goal and the programs use: names, such as float64 and SiO2, never amounts."""
    found = (word.strip(".-") for text in texts for word in re.findall(r"[A-Za-z0-9_.+-]{2,40}", text))
    return frozenset(word for word in found if _is_name(word))


def _is_name(word: str) -> bool:
    if not _NAME.match(word) or not any(letter.isdigit() for letter in word):
        return False
    return not re.match(r"[xX]\d|[A-Za-z]\d\d", word)  # x37, t37: an amount in disguise


def typed_numbers(pieces: Collection[Inline], names: Collection[str] = ()) -> list[str]:
    """What was typed as a number, each with its surroundings; empty if nothing was. names: words that may stand."""
    found: list[str] = []
    whole = "".join(_plain(piece) for piece in pieces)
    for piece in pieces:
        if piece.kind in ("text", "emphasis", "code"):
            found += _digits(piece.text, names)
        elif piece.kind == "math":
            found += _in_math(piece.text)
    found += [f"a formula as an amount: {words}" for words in amounts(tuple(pieces))]
    named = TERMS.sub(lambda term: "~" * len(term[0]), whole)
    for pattern, what in MEASURING:
        for match in pattern.finditer(named):
            if what.startswith("a percentage") and whole[: match.start()].rstrip().endswith("\x01"):
                continue  # behind an injected number
            found.append(f"{what}: {_around(whole, match.start(), match.end())}")
    found += [
        f"a number in words: {_around(whole, n.start, n.end)}"
        for n in plain_numbers(named)
        if n.words and n.standing in ("whole", "part") and (n.value > 12 or n.value % 1)
    ]
    return list(dict.fromkeys(found))


def _plain(piece: Inline) -> str:
    return {"number": "\x01", "cite": "\x02", "reference": "\x02"}.get(piece.kind) or words_of(piece)


def _digits(text: str, names: Collection[str]) -> list[str]:
    found = []
    for match in _WORD.finditer(text):
        word = match[0].strip(".-")
        if not any(_numeric(letter) for letter in word):
            continue
        if _DIMENSION.match(word) or word in names:
            continue
        found.append(f"a typed number: {_around(text, match.start(), match.end())}")
    return found


def _in_math(formula: str) -> list[str]:
    rest = _MATH_DIGITS.sub(" ", formula)
    if any(_numeric(letter) for letter in rest) or typed_in(formula):
        return [f"a typed number in a formula: ${formula[:120]}$"]
    return []


def _numeric(letter: str) -> bool:
    """A digit, fraction, circled or Roman number of any script."""
    return letter.isdigit() or unicodedata.numeric(letter, None) is not None


def _around(text: str, start: int, end: int) -> str:
    shown = (
        text[max(0, start - 40) : end + 40]
        .replace("\x01", "{{...}}")
        .replace("\x02", "[...]")
        .replace("\x03", "$...$")
    )
    return f"...{shown}..."
