"""References that nobody gave: keys, authors with years, numbers and identifiers of publications, found by pattern."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tasks.study.placeholders import plain_text

_NAME = r"[A-Z\u00c0-\u00de][\w'\u2019-]+"
_AUTHORS = rf"{_NAME}(?:(?:,? (?:and|und|et|y|e) |,? & |, ){_NAME})*(?:,? et al\.?)?"
_YEAR = r"((?:18|19|20)\d\d)[a-z]?"
_NARRATIVE = re.compile(rf"({_AUTHORS})(?:['\u2019]s)?\s*[(\[]\s*{_YEAR}\s*[)\],;:]")
_BRACKETS = re.compile(rf"[(\[;]\s*(?:see |e\.g\.,? |cf\. |vgl\. )*({_AUTHORS}),?\s+{_YEAR}\b")
_OTHERS = re.compile(rf"({_NAME}(?: et al\b|,? and (?:colleagues|co-?workers)\b| und Koll\w+))()")
_KEY = re.compile(r"\[@([^\]]+)\]")
_NUMBERED = re.compile(r"(?<![\w\]])\[\d{1,3}(?:\s*[,\u2013-]\s*\d{1,3})*\](?!\()")
_IDENTIFIER = re.compile(r"\bdoi\.org/\S+|\bdoi:\s*\S+|\barxiv(?::\s*|\.org/)\S+|\b10\.\d{4,9}/\S+", re.IGNORECASE)
_AT = re.compile(r"(?<![\w.@/])@([A-Za-z][A-Za-z0-9_:-]*)")  # @key; no mail address
_MONTHS = ("January February March April May June July August September October November December Januar Februar Mai Juni Juli "
           "Oktober Dezember Figure Table Section Since Until Before After In From").split()


def cited(text: str) -> list[str]:
    """The keys that a text cites, as [@key], [@one; @two] or @key, in their order."""
    return list(dict.fromkeys(match[1] if text[match.end():match.end() + 1] in ("]", ";") else match[1].rstrip(":-")
                              for match in _AT.finditer(text)))


def invented(text: str, references: Iterable[str], told: str = "", *, keys: Iterable[str] = (), works: Iterable[str] = ()
             ) -> list[str]:
    """What of a text refers to a publication that is in none of `references` (keys or entries) and on no line of `told` (what
    the user wrote). Authors count as given where one line holds the first of them and the year.

    keys: of what was retrieved. works: how those of them that the text cites may be named.
    """
    references, works = list(references), list(works)
    entries = [*references, *works, *told.splitlines()]
    keys = {entry.strip() for entry in references} | set(keys)
    found = [f"[@{key}]" for group in _KEY.findall(text) for key in re.split(r"\s*;\s*@?", group.strip())
             if key.lstrip("@") not in keys]
    plain = plain_text(_KEY.sub(" ", text))
    given = {plain_text(key) for key in keys}
    found += [f"@{key}" for key in cited(plain) if key not in given and f"@{key}" not in told]
    for pattern in (_NARRATIVE, _BRACKETS, _OTHERS):
        for match in pattern.finditer(plain):
            first = re.split(r"[\s,]", match[1])[0]
            if first not in _MONTHS and not any(first in entry and match[2] in entry for entry in entries):
                found.append(" ".join(match.group().strip("([; ").split()))
    found += [match.group() for pattern in (_NUMBERED, _IDENTIFIER) for match in pattern.finditer(plain)
              if not any(match.group() in entry for entry in entries)]
    return list(dict.fromkeys(found))
