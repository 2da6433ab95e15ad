"""The entries of a BibTeX file: kind, key, and fields as written, with the file's own abbreviations filled in."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass

MAX_ENTRIES, _MOST_FIELDS, _LONGEST_FIELD = 5000, 60, 20_000
_START = re.compile(r"@\s*([A-Za-z]+)\s*([{(])")
_KEY = re.compile(r"\s*([^\s,{}()]{1,200})\s*(?=[,})])")
_FIELD = re.compile(r"[\s,]*([A-Za-z][\w:.+-]{0,60})\s*=\s*")
_CLOSING = {"{": "}", '"': '"', "(": ")"}
_PLAIN = re.compile(r"[^\s,#{}()\"=]{1,200}")
_MONTHS = {name[:3].lower(): name for name in calendar.month_name[1:]}


@dataclass(frozen=True)
class Entry:
    """An entry; line: where it begins. Field names in small letters; values without their outer braces or quotes."""

    kind: str
    key: str
    fields: dict[str, str]
    line: int


class Unread(ValueError):
    """What stands at `place` of the file is no BibTeX."""

    def __init__(self, what: str, place: int):
        super().__init__(what)
        self.place = place


def entries_of(text: str) -> tuple[list[Entry], list[str]]:
    """All entries in order, and a sentence with the line for each that could not be read; reading goes on after it."""
    entries: list[Entry] = []
    faults: list[str] = []
    words, place, line, counted = dict(_MONTHS), 0, 1, 0
    while (start := _START.search(text, place)) and len(entries) < MAX_ENTRIES and len(faults) < 20:
        line, counted = line + text.count("\n", counted, start.start()), start.start()
        kind, place = start[1].lower(), start.end()
        try:
            if kind in ("comment", "preamble"):
                _, place = _enclosed(text, place - 1)
                continue
            if kind == "string":
                found, place = _fields(text, place, words)
                words |= found
                continue
            key = _KEY.match(text, place)
            if key is None:
                raise Unread("no key", place)
            fields, place = _fields(text, key.end(), words)
            entries.append(Entry(kind, key[1], fields, line))
        except Unread as error:
            faults.append(f"line {line}: an entry ({kind}) could not be read: {error}")
            place = max(place, start.end())
    return entries, faults + (
        [f"only the first {MAX_ENTRIES} entries were read"] if len(entries) == MAX_ENTRIES else []
    )


def _fields(text: str, place: int, words: dict[str, str]) -> tuple[dict[str, str], int]:
    """Fields up to the entry's closing brace, and the place behind it."""
    fields: dict[str, str] = {}
    while (field := _FIELD.match(text, place)) is not None:
        value, place = _value(text, field.end(), words)
        fields.setdefault(field[1].lower(), " ".join(value.split()))
        if len(fields) > _MOST_FIELDS:
            raise Unread(f"more than {_MOST_FIELDS} fields", place)
    end = re.compile(r"[\s,]*[})]").match(text, place)
    if end is None:
        raise Unread(f"no field and no end at {text[place : place + 30].strip()!r}", place)
    return fields, end.end()


def _value(text: str, place: int, words: dict[str, str]) -> tuple[str, int]:
    """A value: parts in braces or quotes, numbers and abbreviations, joined by #."""
    parts: list[str] = []
    length = 0
    while True:
        opened = text[place : place + 1]
        if opened in ("{", '"'):
            part, place = _enclosed(text, place)
        elif plain := _PLAIN.match(text, place):
            part, place = words.get(plain[0].lower(), plain[0]), plain.end()
        else:
            raise Unread("a field without a value", place)
        parts.append(part)
        length += len(part) + 1
        if length > _LONGEST_FIELD:
            raise Unread(f"a field of more than {_LONGEST_FIELD} characters", place)
        join = re.compile(r"\s*#\s*").match(text, place)
        if join is None:
            return "".join(parts), place
        place = join.end()


def _enclosed(text: str, place: int) -> tuple[str, int]:
    """What stands between the brace or quote at `place` and its partner; a quote inside braces is no partner."""
    closing, depth, begin = _CLOSING[text[place]], 0, place + 1
    for found in re.compile(r'\\.|[{}")]', re.DOTALL).finditer(text, begin, begin + _LONGEST_FIELD + 1):
        mark = found[0]
        if mark == closing and depth == 0:
            return text[begin : found.start()], found.end()
        depth += (mark == "{") - (mark == "}")
        if depth < 0:
            break
    raise Unread(f"a field that does not end within {_LONGEST_FIELD} characters", begin)
