"""Numbers that a paper writes and does not claim: denied, supposed, reported of somebody else's work; and those it makes a bound.

What is read are the paper's own words around the number, wherever a quotation of it begins and ends. Words are no proof: what
these tables do not know passes, and what they lower is told with its words.
"""

from __future__ import annotations

import re
from typing import Literal

from schemas.reproduce.simulations.units import dimension
from schemas.reproduce.words.written import Written

_LIMIT = re.compile(
    r"(?i)(?:(?P<lower>\b(?:(?:more|greater|larger|higher|better|longer|wider)\s+than|exceed\w*|surpass\w*|above|over|at\s+least|"
    r"beyond)|[>\u2265]=?)|(?P<upper>\b(?:(?:less|fewer|lower|smaller|shorter|narrower)\s+than|below|under|at\s+most)|[<\u2264]=?))"
    r"\s*(?:an?\s+|the\s+)?(?:value\s+of\s+)?$"
)
# "grows from 16 at N = 4 over 128 at N = 8 to 708": it is passed, not exceeded.
_FROM = re.compile(r"(?i)\bfrom\s+[\d.]+[^.;:]{0,60}$")
_VIA, _TO = re.compile(r"(?i)over\b"), re.compile(r"(?i)[^.;:]{0,40}?\s+to\s+[\d.]")
# Of a length, what something goes over is how far it goes: "exchange light over 10 um"; "is over 10 um" is a bound.
_GOES_OVER = re.compile(
    r"(?i)\b(?:exchang|transfer|travel|propagat|decay|spread|averag|integrat)\w*\b(?:(?!\b(?:is|are|was|were|has|have|of|by|to|after|at)\b)[^.;:]){0,80}$"
)
_NOT = re.compile(r"(?i)\b(?:not|no|never|nowhere|cannot|without)\s+(?:\w+\s+){0,1}$")
_BEFORE = 1500  # characters before a number that can speak of it


def _any(*forms: str) -> re.Pattern[str]:
    return re.compile(r"\b(?:" + "|".join(form.replace(" ", r"\s+") for form in forms) + ")", re.IGNORECASE)


_DENIED = _any(
    r"(?:not|never|neither|nowhere|hardly|scarcely)\b(?! only\b)",
    r"cannot\b",
    r"\w+n['\u2019]t\b",
    "no longer",
    r"(?:there (?:is|was)|we (?:see|saw|find|found)) no\b",
    "rather than",
    "instead of",
    "contrary to",
    "far from",
    "as opposed to",
    r"(?:mistaken|erroneous|incorrect)\w*",
    r"wrong(?:ly)?\b",
    r"fail(?:s|ed)? to",
    "unable to",
    r"(?:we|one may) doubt",
    r"(?:contradict|refut|disprov)\w+",
    r"rul\w+ out",
)
# "Lets all but 20 % through".
_TAKEN_OUT = re.compile(
    r"\b(?:all|everything|nothing|anything)\s+(?:but|except|save)\s+(?:for\s+)?(?:about\s+|some\s+)?$",
    re.IGNORECASE,
)
_DOUBTS = r"\b(?:not|never|cannot|nor|neither|nowhere|hardly|would|might|wrong|false|if|no)\b|n['\u2019]t\b"
# What is denied before these is denied of itself: "it does not drop below 0.98 between 1.2 and 2.0 um",
# "there is no order but the zeroth: its efficiency reaches 3 %", "instead of going to
# zero, it tends to 0.2".
_CLOSED = re.compile(
    rf".*;|(?:(?!{_DOUBTS}).){{0,300}}(?:not|never)\s+(?:drop|fall|sink|go|ris|exceed|decreas|increas|climb)\w*\s+"
    r"(?:(?:below|under|above|over|beyond)\s+)?[\d.]+\s?%?(?=\s+(?:and|between|from|over|for|within)\b)|.*\bthere\s+(?:is|are|was|were)\s+no\b[^:]*:|"
    r"\W*(?:instead\s+of|rather\s+than|far\s+from|contrary\s+to|as\s+opposed\s+to)\b[^,;]*,(?=\s+[^\W\d])",
    re.IGNORECASE | re.DOTALL,
)
_IF_NOT_SAID = re.compile(
    r"(?i)\b(?:if|unless|where|when)\s+(?:not\s+)?(?:\w+\s+){0,2}otherwise(?:\s+(?!not\b|never\b)\w+)?|\bnot\s+\w+\s+otherwise\b"
)
_SUPPOSED = _any(
    r"(?:would|might)\b",
    "(?:could|should) have",
    r"if\b[^.;]{0,120}\bwere\b",
    r"(?<![a-z]\s)(?:were|should) (?:the|it|this)\b",
    r"hypothetical(?:ly)?\b",
    r"(?:suppose|supposing|imagine|imagining|conjectur\w+|speculat\w+)\b",
    r"na[i\u00ef]ve(?:ly)?\b",
    "one expects?",
    r"(?:goals?|aims?|objectives?|purposes?|wish(?:es)?|requirements?|specifications?) (?:is|are|was|were) (?:that|to)\b",
    r"(?:wanted|wished|hoped|demanded|required|desired|specified) that\b",
    r"(?:by|according to) (?:its|their|the) specifications?\b",
)
_EXPECTED = re.compile(
    r"(?i)\bwe (?:expect|anticipate)\b|\b(?:remains?|is|are) to be (?:seen|studied|shown|done)\b|\bfuture (?:work|stud(?:y|ies))\b"
)
# Somebody else who says or has it, before the number; sources of data and methods are nobody who claims the result.
_WORK = r"(?:work|stud(?:y|ies)|papers?|reports?|results?|experiments?|authors?|groups?|measurements?|publications?)"
_OTHERS = (
    rf"(?:et al\.?|and co-?workers|(?:previous|earlier|prior|other|older) (?:\w+ )?{_WORK}|the literature)"
)
_SAY = (
    r"(?:report|found|find|measur|observ|obtain|claim|show|predict|publish|gave|give|saw|see|state|demonstrat|achiev|reach|"
    r"ha[sd]\b|have\b)\w*"
)
_FOREIGN = _any(
    rf"{_OTHERS}(?: ?\[[\d, -]+\])?,? (?:\w+ )?{_SAY}",
    rf"{_SAY} (?:by|in|of) (?:\w+ )?(?:{_OTHERS}|refs?\b|\[\d)",
    "(?:previously|earlier|elsewhere) (?:reported|measured|found|published|obtained|observed)",
    "reported (?:previously|earlier|elsewhere)",
    r"(?:maxim\w+|minim\w+|peak|dip|value|resonance|result)s? (?:\w+ ){0,4}?"
    r"(?:in|of|from) (?:refs?\b|\[\d)",
)
_SOURCE = _any(
    r"(?:using|with|follow\w*|taken from|data|constants|permittivit\w+|ind(?:ex|ices)|method|structure|geometry|model|"
    r"as in)\b[^.;]{0,60}$"
)
_OWN = _any(
    r"(?:we|ours?|whereas|while)\b",
    r"(?:this|present) (?:work|paper|study|calculation|simulation)s?\b",
    "close to",
    "contrary to",
    r"unlike\b",
    "in contrast",
    r"(?:agree|compar|consisten|confirm|reproduc)\w*",
)
_BEHIND = rf"(?:(?:in|by|of|from|to) (?:\w+ ){{0,4}}?(?:{_OTHERS}|refs?\b|\[\d)|(?:as|,) (?:\w+ ){{0,3}}?{_OTHERS} {_SAY})"
_REPORTED_BEHIND = re.compile(r"^[\W]*(?:\w+\W+){0,3}?" + _BEHIND.replace(" ", r"\s+"), re.IGNORECASE)
_TAKEN_BACK = re.compile(
    r"^\W*(?:\w+\W+){0,4}?(?:would\b|can(?:\s*not|not)\b|could\s+not\b|turn\w*\s+out\s+to\s+be\s+(?:an?\s+)?(?:artefact|artifact|wrong|"
    r"false|error)|(?:is|was|are|were|(?:has|have)\s+been)\s+(?:not|never|wrong|false|absent|refuted|disproved|retracted|excluded|"
    r"erroneous|incorrect|an?\s+art[ei]fact)\b)",
    re.IGNORECASE,
)


def denied(words: str) -> bool:
    """Whether words deny something."""
    return _DENIED.search(words) is not None


def reported(sentence: str, after: str) -> bool:
    """Whether a number is somebody else's, by the words before it in its sentence and behind it in its clause."""
    return _OWN.search(sentence) is None and (
        _foreign(sentence) is not None or _REPORTED_BEHIND.search(after) is not None
    )


def _foreign(sentence: str) -> re.Match[str] | None:
    return next(
        (found for found in _FOREIGN.finditer(sentence) if not _SOURCE.search(sentence[: found.start()])),
        None,
    )


def supposes(sentence: str) -> bool:
    """Whether a sentence says what would be, not what is."""
    return _SUPPOSED.search(sentence) is not None or _EXPECTED.search(sentence) is not None


def unclaimed(sentence: str, clause: str, after: str) -> str:
    """How the paper uses a number without claiming it, with its words; '' where it claims it.

    sentence, clause: the paper's words before the number, from the beginning of either. after: those behind it, in its clause.
    """
    ours = _OWN.search(sentence) is not None
    foreign = _foreign(sentence)
    clause = _IF_NOT_SAID.sub(" ", clause)
    closed = _CLOSED.match(clause)
    clause = clause[closed.end() :] if closed else clause
    for found, words, how in (
        (_DENIED.search(clause), clause, "denies"),
        (_TAKEN_OUT.search(sentence), sentence, "takes out"),
        (_SUPPOSED.search(clause), clause, "only supposes"),
        (None if ours else foreign, sentence, "reports of other work"),
        (None if ours else _REPORTED_BEHIND.search(after), after, "reports of other work"),
        (_TAKEN_BACK.search(after), after, "takes back"),
    ):
        if found:
            return f"the paper {how} this number: {' '.join(words[max(0, found.start() - 30) :].split())[:120]!r}"
    return ""


def limit_of(text: str, number: Written) -> Literal["", "lower", "upper"]:
    """Whether the words make a number a bound: "more than 60" is a lower one, "does not exceed 2 %" an upper one."""
    before = text[max(0, number.start - _BEFORE) : number.start]
    found = _LIMIT.search(before)
    if found is None or (_FROM.search(before) and _VIA.match(found[0]) and _TO.match(text[number.end :])):
        return ""
    if (
        _VIA.match(found[0])
        and dimension(number.unit) == "length"
        and _GOES_OVER.search(before[: found.start()])
    ):
        return ""
    lower = found["lower"] is not None
    if _NOT.search(before[: found.start()]):
        lower = not lower
    return "lower" if lower else "upper"
