"""Formulas that number or order results: number words, constants as amounts, and relations other than a definition.

A formula may hold symbols and definitions. `\\text{ten}`, an upright Roman number, `$\\pi$-fold`, "a ratio of $e$" are typed numbers.
An order (<, \\leq, \\ll, \\approx, ...) compares where its sides have names in words or are one symbol with two indices, where it stands
without its sides, or says by how much (\\ll); so does one symbol with two indices that is equal to itself, and a side in words. A condition
("where $i < n$") of symbols compares nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from schemas.text.numbers import plain_numbers
from tasks.explore.paper.markup import Inline, words_of
from tasks.prose.numerals import LARGE, SMALL, TERMS

_UPRIGHT = re.compile(
    r"(?<![_^])(?<![_^]\{)\\(?:text|mathrm|mathbf|operatorname)\s*\{\s*([IVXLCDM]+)\s*\}(?!\s*[_^(])"
)
_TEXT = re.compile(
    r"\\(?:text|mathrm|mathbf|mathit|mathcal|operatorname|hat|bar|tilde|vec|overline)(?![A-Za-z])"
)
_THIN = re.compile(r"\\[!,;: ]|\s")
_WORD = re.compile(r"[A-Za-z]{2,}")
_COMMAND = re.compile(r"\\[A-Za-z]+")
_AMOUNTS = re.compile(
    rf"(?:{SMALL}|{LARGE}|half|halves|twice|thrice|double[ds]?|triple[ds]?|quadrupled?|dozens?|nil|nought|naught|none|percent|"
    r"\w*fold|thirds?|quarters?|(?:fif|six|seven|eigh|nin|ten)ths?|hundredths?|thousandths?)\Z",
    re.IGNORECASE,
)
_CONSTANTS = re.compile(
    r"(?:\\pi|\\infty|(?<![A-Za-z])e(?![A-Za-z])|[\s{}^()+*/]|\\(?:cdot|times|frac|left|right|sqrt|[,;! ]))+\Z"
)
_AS_MUCH = (
    r"(?:as|so) (?:much|many|fast|slow|good|bad|large|small|long|short|high|low|great|accurate|precise|quick)\b|"
    r"(?:more|less|fewer|better|worse|faster|slower|quicker|\w{3,}er than)\b"
)
_AS_AMOUNT = re.compile(
    rf"\s*-?\s*(?:fold\b(?=\s*(?:[.,;:)]|\Z)|\s+{_AS_MUCH})|percent\b|per cent\b|%|orders? of\b|times\s+(?:{_AS_MUCH})|{_AS_MUCH})",
    re.IGNORECASE,
)
_FOLD = re.compile(r"\s*-?fold\b")
_NEAR = 120  # letters that are looked at around a formula
_OF_RESULT = re.compile(
    r"\b(?:ratios?|quotients?|factors?|gains?|speed-?ups?|improvements?|reductions?|savings?|times?|errors?|speeds?|costs?)\b"
    r"[^.;]{0,60}?\b(?:is|are|was|of|to|by|at|near|about|reache[sd]|equals?|exceeds?)\s*\Z",
    re.IGNORECASE,
)
_ORDER = re.compile(r"[<>]|\\(?:leq|geq|le|ge|ll|gg|neq|ne|approx|sim)(?![A-Za-z])")
_BY_FAR = re.compile(r"\\(?:ll|gg|approx)(?![A-Za-z])")
_CONDITION = re.compile(
    r"\b(?:where|for|if|when|while|with|provided(?: that)?|such that|subject to|as long as|unless|until|whenever|once|on|in|"
    r"let|assum(?:e|es|ed|ing)|require[sd]?|needs?|all|every|any|each)\s*\Z",
    re.IGNORECASE,
)
# what a problem gives: indices, lengths, counts, media; no result is called so
_GIVEN = re.compile(
    r"(?<![A-Za-z\\])(?:[nNkhdijlLxyzwuampM]|\\(?:lambda|nu|omega|theta|alpha|beta|rho|mu|kappa|Delta|Omega))(?![A-Za-z])"
    r"(?:\s*_\s*(?:\{(?:[^{}]|\{[^{}]*\}){1,80}\}|\\?[A-Za-z0-9]))?"
)
_INDEX = re.compile(r"_\s*(?:\{(?:[^{}]|\{[^{}]*\}){1,80}\}|\\?[A-Za-z0-9])")
_SYMBOL = re.compile(r"\\?[A-Za-z]+")
_FUNCTIONS = frozenset(
    f"\\{name}" for name in "min max log exp sin cos sup inf lim det frac sum prod left right".split()
)
_ALONE = re.compile(r"\s*(\\?[A-Za-z]+)\s*_\s*(\{[^{}]{1,60}\}|\\?[A-Za-z0-9]+)\s*\Z")
_EQUAL = re.compile(r"=|\\(?:equiv|propto|to)(?![A-Za-z])")
# a value in words, as a side of its own: "= \text{first}"
_NAMED = re.compile(
    r"\s*\\(?:text|mathrm|mathbf|operatorname)\s*\{(?!\s*(?:const(?:ant)?\.?|true|false)\s*\})[^{}]{1,60}\}\s*(?:[.,;]\s*)?\Z"
)
_NO_NAMES = frozenset("min max log exp sin cos sup inf lim det mod diag tr".split())


def typed_in(formula: str) -> str:
    """The number word or Roman number of a formula; '' where it has none."""
    if roman := _UPRIGHT.search(formula):
        return roman[1]
    return next(
        (
            word
            for word in _words(formula)
            if _AMOUNTS.match(word) or any(found.words for found in plain_numbers(word))
        ),
        "",
    )


def amounts(pieces: Sequence[Inline]) -> list[str]:
    """Formulas that stand where a sentence has an amount: a multiple of something, or the constant that a ratio is."""
    found = []
    for before, piece, after in _formulas(pieces):
        constant = _CONSTANTS.match(piece.text)
        multiple = _AS_AMOUNT.match(after) or (constant and _FOLD.match(after))
        if multiple and not TERMS.match(f"two{after}"):
            found.append(f"${piece.text[:80]}$ {after.strip()[:20]}")
        elif constant and _OF_RESULT.search(before):
            found.append(f"{before[-40:].strip()} ${piece.text[:80]}$")
    return found


def compared(pieces: Sequence[Inline]) -> str:
    """The first formula of a sentence that orders results or calls them equal; '' where none does."""
    return next(
        (f"${piece.text[:80]}$" for before, piece, _ in _formulas(pieces) if _compares(piece.text, before)),
        "",
    )


def _formulas(pieces: Sequence[Inline]) -> Iterator[tuple[str, Inline, str]]:
    """Each formula with the words before and behind it."""
    before = ""
    for at, piece in enumerate(pieces):
        if piece.kind == "math":
            yield before, piece, "".join(words_of(other)[:_NEAR] for other in pieces[at + 1 : at + 2])
        before = (before + words_of(piece))[-_NEAR:]


def _compares(formula: str, before: str) -> bool:
    if not _ORDER.search(formula):
        sides = _EQUAL.split(formula)
        alone = [_ALONE.match(side) for side in sides]
        of_one = len(alone) > 1 and all(alone) and len({side[1] for side in alone if side}) == 1
        limits = [_symbols(_GIVEN.sub(" ", side)) for side in re.split(r"\\to(?![A-Za-z])", formula)]
        return (
            of_one
            or any(_NAMED.match(side) for side in sides[1:])
            or any(one & other for one, other in pairwise(limits))
        )
    said = _GIVEN.sub(" ", formula)
    if not all(side.strip(" {}") for side in _ORDER.split(formula)) or any(
        word.lower() not in _NO_NAMES for word in _words(said)
    ):
        return True
    if _CONDITION.search(before):
        return False
    symbols = [_symbols(side) for side in _ORDER.split(said)]
    if _BY_FAR.search(formula) or all(
        re.search(r"\\(?:max|min|sup|inf)(?![a-z])", side) for side in _ORDER.split(formula)
    ):
        return True
    return any(one & other for one, other in pairwise(symbols))


def _symbols(side: str) -> set[str]:
    return set(_SYMBOL.findall(_INDEX.sub(" ", side))) - _FUNCTIONS


def _words(formula: str) -> list[str]:
    """Runs of letters, as they are read: what braces, small spaces and upright letters part stands together."""
    apart = _COMMAND.sub("|", _TEXT.sub(" ", formula))
    plain = _THIN.sub("", apart)
    return list(
        dict.fromkeys(
            word
            for text in (plain, re.sub(r"[{}]", "", plain), re.sub(r"\\.", " ", apart))
            for word in _WORD.findall(text)
        )
    )
