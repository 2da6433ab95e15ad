"""What may name somebody in what people wrote: found by code, masked before anything is printed.

Found are addresses, handles, links, long numbers and capitalised words that do not begin a sentence, but for words of the study
itself and of the calendar; where such a word stands elsewhere, in any case, it is found, too. Names that are only ever written small
or at a sentence's beginning are not found unless somebody lists them; writing without capitals cannot be searched.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from tasks.prose.no_finding_words import KNOWN
from tasks.study.statistics.measures.coded_texts import bounds

_WORD = re.compile(r"[^\W\d_]+(?:[-'\u2019][^\W\d_]+)*")
_OTHER = re.compile(
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?:https?://|www\.)\S+|(?<!\w)@\w{2,}|\+?\d(?:[ ()/.-]?\d){5,}"
)
_POSSESSIVE = re.compile(r"['\u2019]s?\Z", re.IGNORECASE)
_NEVER = frozenset(
    """i i'm i'd i've i'll ok tv monday tuesday wednesday thursday friday saturday sunday january february march april may june
    july august september october november december not no never nothing none nobody neither nor without hardly cannot can't
    don't doesn't didn't won't isn't wasn't aren't weren't wouldn't couldn't shouldn't""".split()
)
"""Never masked: who masks a "not" turns a sentence round."""


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """The words of texts, in small letters."""
    return frozenset(_bare(match[0]) for text in texts for match in _WORD.finditer(text))


def names_in(texts: Iterable[str], known: frozenset[str]) -> frozenset[str]:
    """Words that texts write with a capital within a sentence. known: words of the study itself."""
    found = set()
    for text in texts:
        begins = _beginnings(text)
        for match in _WORD.finditer(text):
            if match.start() not in begins and match[0][0].isupper() and not _plain(_bare(match[0]), known):
                found.add(_bare(match[0]))
    return frozenset(found)


def listed_names(listed: Iterable[str], texts: Iterable[str], known: frozenset[str]) -> frozenset[str]:
    """Of names that somebody listed those that may be masked: not a word that the texts also write small, and none of the study."""
    small = {match[0] for text in texts for match in _WORD.finditer(text) if match[0][0].islower()}
    return frozenset(
        word
        for name in listed
        for word in words_of([name])
        if not _plain(word, known) and word not in small and word not in KNOWN
    )


def masks_of(
    text: str, start: int, end: int, names: frozenset[str], known: frozenset[str]
) -> tuple[tuple[int, int], ...]:
    """Places (characters of the text) within a passage that may name somebody; neighbours are one. names: as found in all texts."""
    begins = _beginnings(text)
    found = [match.span() for match in _OTHER.finditer(text, start, end)]
    for match in _WORD.finditer(text, start, end):
        word, capital = _bare(match[0]), match[0][0].isupper()
        named = word in names and (capital or word not in KNOWN)
        if not _plain(word, known) and (named or (capital and match.start() not in begins)):
            found.append((match.start(), match.start() + len(_POSSESSIVE.sub("", match[0]))))
    joined: list[tuple[int, int]] = []
    for first, last in sorted(found):
        if joined and (first <= joined[-1][1] or not text[joined[-1][1] : first].strip(" .-")):
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return tuple(joined)


def without_capitals(text: str) -> bool:
    """Whether a text holds letters that know no capitals (Chinese, Arabic, ...), where names cannot be found."""
    return any(unicodedata.category(char) == "Lo" for char in text)


def _plain(word: str, known: frozenset[str]) -> bool:
    return word in _NEVER or word in known


def _bare(word: str) -> str:
    return _POSSESSIVE.sub("", word.lower()) if word.lower() not in _NEVER else word.lower()


def _beginnings(text: str) -> set[int]:
    """Where the first word of each sentence begins, and of what stands in quotation marks or brackets behind a colon."""
    found = set()
    for start, end in bounds(text):
        if match := _WORD.search(text, start, end):
            found.add(match.start())
    return found
