"""Whether a paper's words make a number or curve a difference or ratio of two results, and which of them over which."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from schemas.reproduce.words.claim_words import MULTIPLIES
from schemas.reproduce.words.clauses import sentence_of
from schemas.reproduce.words.of_two import FALLS, LESS, OF_NO_ORDER, RISES
from schemas.reproduce.words.said import Said
from schemas.reproduce.words.written import readable

# "0.5 times that of": a share of the other, whatever else the words say of rising and falling.
_SHARE_OF = re.compile(
    r"(?i)\b(?:times|fold|twice|half|thrice|double|triple|per\s?cent\s+of|%\s+of)\s+(?:as\s+\w+\s+as\s+)?(?:that|the\s+one|those|the\s+\w+)\b"
    r"(?:\s+(?:of|at|for|with|without|in))?|%\s+of\s+that\b"
)
_COMPARED = re.compile(
    rf"(?i)\b(?:compared\s+(?:to|with)|relative\s+to|with\s+respect\s+to|than|unlike|against)\b|{_SHARE_OF.pattern[4:]}"
)
_FROM_TO = re.compile(r"(?i)\b(?:from|between)\s+(?:the\s+|that\s+of\s+(?:the\s+)?|(?:a|an)\s+\w+\s+of\s+)?$")
_BETWEEN = re.compile(r"(?i)\bbetween\b")

CHANGED_BY = (
    r"(?:lower|rais|reduc|increas|decreas|shorten|lengthen|broaden|narrow|rises?|falls?|drops?|grow|exceed)\w*\b[^.;]*"
    r"\bby\s+(?:(?:about|some|nearly|almost|only|roughly)\s+)?[\d.]"
)
# A change told in dB is a ratio: "lowers the crosstalk by 17.5 dB", "31 dB lower", "an improvement of 12 dB".
_SOME = r"(?:(?:about|some|nearly|almost|only|roughly|at\s+least)\s+)?"
_CHANGED_IN_DB = (
    r"(?:improv|lower|rais|reduc|increas|decreas|suppress|weaken|strengthen|enhanc|gain|drop|fall|rise|differ|contrast|isolat|extinct|"
    rf"better|worse|stronger|weaker|higher|less|more)\w*\b[^;]{{0,60}}?(?:\bby\s+{_SOME}[-\u2212]?|(?:\bof|\bis|=)\s+{_SOME})\d[\d.]*\s*dB\b|"
    r"\d\s*dB\s+(?:\w+\s+)?(?:lower|higher|less|more|better|worse|weaker|stronger|improv|reduc|suppress|decreas|increas|drop|below|above|down)"
)
# A derivative by its sign or name: "S = dn_B/dn_c", "dlambda/dT", "the derivative of the index".
_VARIABLE = (
    r"(?:(?:ln|log)\s?)?(?:\\?(?:lambda|theta|omega|phi|rho|epsilon|eps|beta|alpha|kappa|sigma|tau|eta|nu|mu)|(?!B\b)[^\W\d_])"
    r"(?:_?\{[^{}]{1,8}\}|_\w{1,8}|eff|\d{1,2})?(?![^\W_])"
)
_DELTA = r"(?<![^\W_])(?:d|\u2202|\u0394)\s*"
DERIVATIVE = rf"{_DELTA}{_VARIABLE}\s*/\s*{_DELTA}{_VARIABLE}|\bderivativ|\bdifference quotient|\b(?:central|finite) difference"
# Where two results are the same, their difference is nought: "the lines cross at 905 nm", not "the curve crosses 0.9".
_MEET = (
    r"\b(?:two|both|they|lines|curves|bands|modes|branches|ind(?:ex|ic)es|dispersions?|levels|energies|frequencies|wavelengths)\b"
    r"[^.;]{0,60}?\b(?:cross(?:es|ed|ing)?|intersect\w*|meet|met|coincide\w*|degenera\w+|are\s+(?:equal|the\s+same))\b"
    r"(?!\s+(?:the\s+|a\s+|an\s+)?(?:level|value|(?:light[- ])?line|[\d.]))|\bcross(?:es|ed|ing)?\s+each\s+other\b"
)
# What makes a number that of two results: a narrower choice than for two features of one curve.
OF_TWO = {
    "difference": r"differen|\bdiffers?\b|\bpoints\b|\b(?:higher|lower|larger|smaller|longer|shorter)\s+than\b[^.;]{0,60}\bby\s+[\d.]|"
    r"\bshift|split|spacing|separation|retard|\blags?\b|birefring|dichro|contrast|"
    r"\b(?:phases?|delays?)\b[^.;]{0,60}\b(?:relative to|with respect to|compared (?:with|to)|measured (?:against|from))\b|"
    r"\b(?:stop[ -]?band|band[ -]?gap)s?\b[^.;]{0,60}\bwid(?:e|th)\b|\bwidth\s+of\s+the\s+(?:stop[ -]?band|band[ -]?gap)\b|"  # of its edges
    r"\b(?:their|mutual)\s+distances?\b|\bdistances?\s+(?:between|of)\s+(?:the\s+)?(?:two|both)\b|"
    rf"\bchanges?\b|{CHANGED_BY}|{DERIVATIVE}|{_MEET}",
    "ratio": r"\bratio|\btimes\b|fold\b|(?<!quality\s)(?<!purcell\s)\bfactors?\s+(?:of|from|between)\b|"
    r"relative to|in comparison|compared (?:with|to)\b|enhanc|\btwice\b|"
    r"normali[sz]ed (?:to|by)\b|(?:\d|%|per ?cent|third|quarter|tenth) of (?:it|this|that|its|these|those)\b|"
    rf"{_CHANGED_IN_DB}|{MULTIPLIES}",
}
# Symbols that stand for a number: "S is 1.007", "n_g = 3.08".
_NAMES = re.compile(
    rf"(?<![^\W_])({_VARIABLE})(?=\s?(?:=|\u2248|~|(?:is|of|was|reaches|rises|falls|grows)\b))"
)
_GREEK_NAMES = (
    ("alpha", "\u03b1"),
    ("beta", "\u03b2"),
    ("gamma", "\u03b3"),
    ("delta", "\u03b4"),
    ("epsilon", "\u03b5"),
    ("eta", "\u03b7"),
    ("theta", "\u03b8"),
    ("kappa", "\u03ba"),
    ("lambda", "\u03bb"),
    ("mu", "\u03bc"),
    ("xi", "\u03be"),
    ("rho", "\u03c1"),
    ("sigma", "\u03c3"),
    ("tau", "\u03c4"),
    ("phi", "\u03c6"),
    ("chi", "\u03c7"),
    ("psi", "\u03c8"),
    ("omega", "\u03c9"),
)
# A symbol right before its number, or the first word of a column's name.
_SYMBOL = re.compile(
    rf"(?:^|(?<![^\W_]))({'|'.join(name for pair in _GREEK_NAMES for name in pair)}|{_VARIABLE})(?:\s?(?:=|\u2248|~)\s?$|\b(?=(?: \w+)?$))"
)
_OF_ONE_ALONE = frozenset("R T A Q F n k".split())
# What one scene gives, however a paper defines it: "the reflectance is the ratio of ..." makes no ratio of two results.
_OF_ONE = re.compile(
    r"(?i)reflect|transmi|absor|scatter|extinct|efficien|section|ind(?:ex|ices)|quality|finesse|enhanc|purcell|factor|power|"
    r"intensit|emissi|energ|light|wavelength|frequen|period|width|thick"
)


def unmade(kind: str | None, words: str, text: str, symbol: str = "") -> str:
    """Why nothing says that a number or curve is a difference or ratio of two results; '' where its words do, or the sentence
    in which the paper says what one of these words means ("The retardance is the phase by which ... lags behind").

    symbol: what stands right before the number, or a column's name.
    """
    if kind is None or re.search(OF_TWO[kind], words, re.IGNORECASE) or means(kind, words, text):
        return ""
    if (kind == "difference" and differentiates(words, text)) or (
        kind == "ratio" and _is_quotient(symbol, text)
    ):
        return ""
    return (
        f"neither its words nor what the paper says of them make it a {kind} of two results: {short(words)}"
    )


def means(kind: str, words: str, text: str) -> bool:
    """Whether the paper defines one of the words as a difference or ratio, and not a quantity that one scene has."""
    return any(re.search(OF_TWO[kind], one, re.IGNORECASE) for one in definitions(words, text))


def definitions(words: str, text: str) -> Iterator[str]:
    """What the paper says that the nouns among the words are, but for quantities that one scene has."""
    plain = readable(text)
    for noun in sorted(set(re.findall(r"[A-Za-z]{5,}", words))):
        if _OF_ONE.search(noun):
            continue
        told = (
            rf"(?i)\b{noun}s?\b(?:\s+\w+){{0,3}}\s+(?:is|are|means|denotes|(?:is|are)\s+defined\s+as|equals)\s+"
            r"(?=(?:the|a|an|how|distances?|differences?)\b)"
        )
        for found in re.finditer(told, plain):
            _, end = sentence_of(plain, found.end() - 1, found.end())
            yield plain[found.end() : end]


def _is_quotient(symbol: str, text: str) -> bool:
    """Whether the paper defines a symbol ("β =", "beta bare") as a quotient ("β = (G - G_leak)/G"), and calls it nowhere what one
    scene has."""
    found = _SYMBOL.search(symbol)
    if not found or found[1].lstrip("\\") in _OF_ONE_ALONE:
        return False
    name, plain = found[1].lstrip("\\"), readable(text)
    names = {name, *(other for pair in _GREEK_NAMES if name in pair for other in pair)}
    named = rf"(?<![^\W_])\\?(?:{'|'.join(map(re.escape, names))})(?![^\W_])"
    quotient = rf"{named}\s?=\s?(?:\([^()=]{{1,60}}\)|{_VARIABLE})\s?/\s?(?:\(|{_VARIABLE})"
    return re.search(quotient, plain) is not None and not any(
        _OF_ONE.search(" ".join(plain[max(0, one.start() - 60) : one.start()].split()[-2:]))
        for one in re.finditer(named, plain)
    )


def differentiates(words: str, text: str) -> bool:
    """Whether words call a number a derivative, by their own sign or name or by a symbol or noun that the paper defines as one:
    "S is 1.007", where it says "the bulk sensitivity is S = dn_B/dn_c"."""
    if re.search(DERIVATIVE, words):
        return True
    plain = readable(text)
    nouns = {noun for noun in re.findall(r"[A-Za-z]{5,}", words) if not _OF_ONE.search(noun)}
    told = rf"(?:\s(?:is|defined as|given by|denotes))?\s?(?:{_VARIABLE})?\s?=?\s?(?:{DERIVATIVE})"
    return any(
        re.search(rf"(?<![^\W_]){re.escape(name)}{told}", plain) for name in {*_NAMES.findall(words), *nouns}
    )


def meets(words: str) -> bool:
    """Whether words tell where two results are the same."""
    return re.search(_MEET, words, re.IGNORECASE) is not None


def short(words: str) -> str:
    """The words as they are told in a reason."""
    return repr(" ".join(words.split())[:120])


def which_over_which(words: str, named: Sequence[Said]) -> tuple[str, ...]:
    """What a clause names of two results, the one first that is over, or less, the other: "from A to B it rises by", "A exceeds B",
    "A is lower than B by", "A is 0.5 times that of B". named: places in `words`. () where it puts none first, ("", B) where it
    names the other alone.
    """
    values = list(dict.fromkeys(one.value for one in named))[:2]
    changes = FALLS.search(words) or RISES.search(words)
    if not values or (OF_NO_ORDER.search(_BETWEEN.sub("", words) if changes else words)):
        return ()
    first = next(one for one in named if one.value == values[0])
    compared, share = _COMPARED.search(words), _SHARE_OF.search(words)
    turned = bool(_FROM_TO.search(words[: first.start]) or (compared and compared.end() <= first.start))
    if (LESS.search(words) or FALLS.search(words)) and not share:
        turned = not turned
    if len(values) < 2:
        return ("", values[0]) if turned else (values[0],)
    return tuple(values[::-1] if turned else values)
