"""References that nobody gave: keys, authors with years, numbers and identifiers of publications, found by pattern."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tasks.study.wording.appeals import appeals
from tasks.study.wording.placeholders import plain_text

_NAME = r"\b[^\W\d_a-z][\w'\u2019-]*"  # of any script; who is one by its first letter: _is_name
_AUTHORS = rf"{_NAME}(?:(?:,? (?:and|und|et|y|e) |,? & |, ){_NAME}){{0,12}}(?:,? et al\.?)?"
_YEAR = r"((?:18|19|20)\d\d)[a-z]?"
_NARRATIVE = re.compile(rf"({_AUTHORS})(?:['\u2019]s)?\s*[(\[]\s*{_YEAR}\s*[)\],;:]")
_BRACKETS = re.compile(rf"[(\[;]\s*(?:see |e\.g\.,? |cf\. |vgl\. )*({_AUTHORS}),?\s+{_YEAR}\b")
_VERBS = (
    r"(?:found|finds?|show(?:s|ed|n)?|report(?:s|ed)?|argue[sd]?|claim(?:s|ed)?|demonstrate[sd]?|observe[sd]?|"
    r"suggest(?:s|ed)?|propose[sd]?|note[sd]?|conclude[sd]?|wr(?:ites?|ote)|describe[sd]?|stud(?:y|ies|ied)|compare[sd]?|"
    r"reviewe?[sd]?|saw|says?|said|publish(?:es|ed)?|replicate[sd]?|confirm(?:s|ed)?|coin(?:s|ed)?|introduce[sd]?)"
)
_WHEN = rf"(?:in|of|from|back in|as early as|writing in|already in|around|im Jahr|en|em) {_YEAR}"
_SPOKEN = re.compile(  # Smith in 2019 showed; by Smith in 2019; as Smith showed in 2019; Smith's 2019 study
    rf"({_AUTHORS})(?:['\u2019]s)?,? {_WHEN}(?=,? (?:\w+ly )?{_VERBS}\b)|\b(?:by|see|after|following) ({_AUTHORS}),? {_WHEN}|"
    rf"({_AUTHORS}) (?:\w+ly )?{_VERBS} (?:\w+ )?{_WHEN}|({_AUTHORS})['\u2019]s? (?:\w+ )?{_YEAR}\b|"
    rf"\b[Ii]n {_YEAR},? ({_AUTHORS}) (?:\w+ly )?{_VERBS}\b"
)
_UNDATED = re.compile(
    rf"({_AUTHORS}),?\s+\(?(?i:in press|in print|forthcoming|submitted|in preparation|in prep\.?|under review|to appear|"
    r"n\.\s?d|unpublished|personal communication|im Druck|in Vorbereitung|sous presse|en prensa|no prelo)\b()"
)
_OTHERS = re.compile(rf"({_NAME}(?: et al\b|,? and (?:colleagues|co-?workers)\b| und Koll\w+))()")
_KEY = re.compile(r"\[@([^\]]+)\]")
_NUMBERED = re.compile(r"(?<![\w\]])\[\d{1,3}(?:\s*[,\u2013-]\s*\d{1,3})*\](?!\()")
_IDENTIFIER = re.compile(
    r"\bdoi\.org/\S+|\bdoi:?\s*10\.\S+|\bdoi:\s*\S+|\barxiv(?::\s*|\.org/|\s+(?=\d))\S+|\b10\.\d{4,9}/\S+|"
    r"\b(?:PMID|PMCID|PMC|ISBN|ISSN|SSRN|ERIC|OSF|HAL|OCLC|ASIN|S2CID|bioRxiv|medRxiv|hdl|ISRCTN|NCT)"
    r"(?:-?1[03])?[\s:#-]*(?:no\.?\s*)?[\dA-Z]*\d[\w./-]*",
    re.IGNORECASE,
)
_AT = re.compile(r"(?<![\w.@/])@([A-Za-z][A-Za-z0-9_:-]*)")  # @key; no mail address
_NOBODY = (
    "January February March April May June July August September October November December Januar Februar Mai Juni Juli "
    "Oktober Dezember Figure Table Section Since Until Before After In From We They It He She You I Who This That These "
    "Those The Participants Respondents People Persons Users Women Men Data Study Studies Survey Surveys Answers "
    "Results Ratings Authors Researchers Nobody Others Work"
).split()


def cited(text: str) -> list[str]:
    """The keys that a text cites, as [@key], [@one; @two] or @key, in their order."""
    return list(
        dict.fromkeys(
            match[1] if text[match.end() : match.end() + 1] in ("]", ";") else match[1].rstrip(":-")
            for match in _AT.finditer(text)
        )
    )


def invented(
    text: str,
    references: Iterable[str],
    told: str = "",
    *,
    keys: Iterable[str] = (),
    works: Iterable[str] = (),
    about: str = "",
) -> list[str]:
    """What of a text refers to a publication that is in none of `references` (keys or entries) and on no line of `told` (what
    the user wrote). Authors count as given where one line holds the first of them and the year. `appeals` are references, too.

    keys: of what was retrieved. works: how those of them that the text cites may be named. about: what the design is made of.
    """
    references, works = list(references), list(works)
    entries = [*references, *works, *told.splitlines()]
    keys = {entry.strip() for entry in references} | set(keys)
    found = [
        f"[@{key}]"
        for group in _KEY.findall(text)
        for key in re.split(r"\s*;\s*@?", group.strip())
        if key.lstrip("@") not in keys
    ]
    plain = plain_text(_KEY.sub(" ", text))
    given = {plain_text(key) for key in keys}
    found += [f"@{key}" for key in cited(plain) if key not in given and f"@{key}" not in told]
    for pattern in (_NARRATIVE, _BRACKETS, _OTHERS, _SPOKEN, _UNDATED):
        for match in pattern.finditer(plain):
            authors, year = [group for group in match.groups() if group is not None][:2]
            if authors.isdigit():
                authors, year = year, authors
            first = re.split(r"[\s,]", authors)[0]
            given_to = any(
                first.removesuffix("'s").removesuffix("\u2019s") in entry and year in entry
                for entry in entries
            )
            if _is_name(first) and first not in _NOBODY and not given_to:
                found.append(" ".join(match.group().strip("([; ").split()))
    found += [
        match.group()
        for pattern in (_NUMBERED, _IDENTIFIER)
        for match in pattern.finditer(plain)
        if not any(match.group() in entry for entry in entries)
    ]
    return list(dict.fromkeys([*found, *appeals(text, keys, "\n".join(entries), about)]))


def _is_name(word: str) -> bool:
    """Whether a word can be a person's name by its first letter: a capital one, or of a script without them."""
    return not word[:1].islower()
