"""Places of an extremum that move with something that is changed: "increasing that layer from 104 to 112 nm moves the maximum from
962.1 to 979.8 nm" tells two values of one curve, each at its own end."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemas.reproduce.words.claims import OF_BODY
from schemas.reproduce.words.clauses import clause_of
from schemas.reproduce.words.written import Written

_FROM, _TO = re.compile(r"(?i)\bfrom\s+(?:about\s+)?$"), re.compile(r"\s*to\s+(?:about\s+)?")
# Each is the head of its phrase, right beside its verb: "the linewidth of the peak" is no peak, "penetration depth" no depth of a body.
_THE = (
    r"(?<!\bof\s)\b(?:the|its|that|this|a)\s+(?:(?:top\w*|bottom\w*|upper|lower|last|first|lowest|whole|absorption|reflect\w+|transmi\w+|"
    r"scattering)\s+)?"
)
_CHANGES = (
    r"\b(?:increas|decreas|rais|reduc|lower|chang|thicken|thinn?|widen|narrow|lengthen|shorten|enlarg|shrink|grow|deepen|vary|vari)(?:s|es|ed|e|"
    r"ing|ning)?\b"
)
_MOVES = r"\b(?:mov|shift|tun|displac|push|pull|bring|tak|go)(?:s|es|ed|e|ing)?\b"
_EXTREMUM = r"(?:maxim\w+|minim\w+|peaks?|dips?|resonances?)\b"
_SIZE = (
    rf"(?:{_THE}(?:{OF_BODY}\s+){{0,2}}(?:thickness|widths?|heights?|depths?|diameters?|radi(?:us|i)|periods?|pitch|gaps?|spacings?|"
    rf"layers?|films?|caps?|spacers?|coatings?|claddings?|shells?|slabs?|slots?|rods?)(?:\s+of\s+(?:the|that)\s+{OF_BODY})?)"
)
_OWN = re.compile(
    rf"(?i)(?:{_MOVES}\s+{_THE}{_EXTREMUM}|{_THE}{_EXTREMUM}\s+(?:then\s+)?{_MOVES})\s+from\s+(?:about\s+)?$"
)
_OTHER = re.compile(
    rf"(?i)(?:{_CHANGES}\s+{_SIZE}|\b(?:thickening|thinning)\s+it|{_SIZE}\s+(?:(?:is|was)\s+)?{_CHANGES})\s+from\s+(?:about\s+)?$"
)
_SPLIT = re.compile(r"(?i)[,;]|\b(?:while|but|whereas|respectively|another|other)\b")


def changed_with(value: Written, of_clause: Sequence[Written], plain: str) -> Written | None:
    """Of a number that an extremum moves from or to, that which something else is changed from or to at this end; None where the clause
    does not tell just these two changes. of_clause: the other numbers of its clause."""
    low, high = clause_of(plain, value.start, value.end)
    single = sorted(
        (n for n in (value, *of_clause) if n.low == n.high and not n.label), key=lambda n: n.start
    )
    pairs = [
        (one, other)
        for one, other in zip(single, single[1:], strict=False)
        if _FROM.search(plain[low : one.start]) and _TO.fullmatch(plain, one.end, other.start)
    ]
    if len(pairs) != 2:
        return None
    own, changed = pairs if value in pairs[0] else pairs[::-1]
    if value not in own:
        return None
    first, last = sorted((own, changed), key=lambda pair: pair[0].start)
    between = plain[first[1].end : last[0].start]
    told = plain[_begin(plain, low, first) : first[0].start]
    of_own, of_other = (told, between) if first == own else (between, told)
    if any(first[1].start < n.start < last[0].start for n in single) or _SPLIT.search(between.strip(" ,")):
        return None
    if not (_OWN.search(of_own) and _OTHER.search(of_other)):
        return None
    return changed[own.index(value)]


def _begin(plain: str, low: int, pair: tuple[Written, Written]) -> int:
    """Where what is said of a pair of numbers begins: behind the last comma before it."""
    return low + plain[low : pair[0].start].rfind(",") + 1
