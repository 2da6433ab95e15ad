"""Which sizes a paper's words call a quarter or half of a wave: in the sentences that state the size, wherever they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemas.reproduce.simulations.units import dimension
from schemas.reproduce.words.clauses import clause_of, points_back, sentence_of
from schemas.reproduce.words.input_nouns import kinds_in_words
from schemas.reproduce.words.written import Written, numbers_in

_WAVE = r"[- ]?(?:of (?:a|the) )?wave(?:length)?s?(?![- ]?(?:plate|retard|voltage|dipole|antenna|rectif))"
WAVES = (
    (1.0, "a quarter", re.compile(rf"quarter{_WAVE}|(?:λ|lambda)\s*/\s*4", re.I)),
    (2.0, "half", re.compile(rf"half(?: an?)?{_WAVE}|(?:λ|lambda)\s*/\s*2", re.I)),
)
# "12 % above a quarter wave", "close to half a wave": no such thing.
_NOT_QUITE = re.compile(
    r"(?i)\b(?:above|below|than|beyond|over|under|close\s+to|near(?:ly)?|almost|about|roughly|instead\s+of|not|no|from|deviates?\s+from)\s+"
    r"(?:an?\s+|the\s+)?$"
)
_SIZES = frozenset("vertical along lateral gap".split())
_LIGHT = re.compile(r"(?i)(?:(?:lambda|\u03bb|wl)\w*\s*=|\b(?:at|for)(?:\s+(?:about|light\s+of))?)\s*$")
_BODY = re.compile(
    r"(?i)\b(layer|film|coating|spacer|stack|cavity|mirror|cap|buffer|slab|membrane|plate|sheet|cladding|pair)(?:s|ies)?\b"
)
_ALL = re.compile(
    r"(?i)\b(?:all|both|each|every|either)\s+(?:of\s+)?(?:the\s+|these\s+|its\s+|their\s+)?(?:\w+\s+){0,2}?(?:layers?|films?|coatings?|of\s+them)\b"
)
_SEVERAL = re.compile(r"(?i)\b(?:respectively|layers|films|both|each|all|and)\b")
_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=#)")


def called_parts_of_waves(plain: str, size: Written) -> list[tuple[float, str]]:
    """(quarters, name) of each part of a wave that the words call a size. plain: as `written.readable` leaves it."""
    low, high = sentence_of(plain, size.start, size.end)
    if size.start - low not in [n.start for n in _sizes_in(plain, low, high)]:
        return []
    clause = clause_of(plain, size.start, size.end)
    first = max((match.end() for match in _PARAGRAPH.finditer(plain, 0, low)), default=0)
    last = next((match.start() for match in _PARAGRAPH.finditer(plain, high)), len(plain))
    found = []
    for quarters, name, form in WAVES:
        if any(_of_it(plain, size, (low, high), clause, match) for match in _told(form, plain, first, last)):
            found.append((quarters, name))
    return found


def _told(form: re.Pattern[str], plain: str, first: int, last: int) -> Iterator[re.Match[str]]:
    return (
        match
        for match in form.finditer(plain, first, last)
        if not _NOT_QUITE.search(plain[max(first, match.start() - 30) : match.start()])
    )


def _of_it(
    plain: str, size: Written, own: tuple[int, int], clause: tuple[int, int], wave: re.Match[str]
) -> bool:
    """Whether a part of a wave that stands in a size's paragraph is said of it."""
    low, high = own
    if low <= wave.start() < high:
        if clause[0] <= wave.start() < clause[1]:
            return True
        others = _sizes_in(plain, low, high)
        return len(others) == 1 or _SEVERAL.search(plain, low, high) is not None
    at, end = sentence_of(plain, wave.start(), wave.end())
    if _sizes_in(plain, at, end):
        return False  # it says of which
    if _ALL.search(plain, at, end):
        return _BODY.search(plain, low, high) is not None
    if re.search(r"\w", plain[min(end, high) : max(low, at)]):
        return False  # neither right before it nor right behind
    if points_back(plain[low:high] if end <= low else plain[at:end]):
        return True
    bodies = {match[1].lower() for match in _BODY.finditer(plain, at, end)}
    return any(match[1].lower() in bodies for match in _BODY.finditer(plain, *clause))


def _sizes_in(plain: str, low: int, high: int) -> list[Written]:
    return [
        n
        for n in numbers_in(plain[low:high])
        if dimension(n.unit) == "length"
        and not n.label
        and not _LIGHT.search(plain[low : low + n.start])
        and (not (kinds := kinds_in_words(plain[low:high], n)) or kinds & _SIZES)
    ]
