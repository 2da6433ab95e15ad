"""Columns that may identify people, found by name and by what the cells look like, before any model sees a row."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from datetime import date

from schemas.study.inputs import ColumnType, Flag, FlagKind

_WORDS: tuple[tuple[FlagKind, str], ...] = (
    ("e-mail", r"e_?mail|mail_?address"),
    ("phone", r"phone|mobile|telephone|cell_?number|fax"),
    ("IP address", r"(^|_)ip(_|$|addr)"),
    ("birth date", r"birth|(^|_)dob(_|$)|date_of_b|geburt|naissance"),
    (
        "identity number",
        r"(^|_)ssn(_|$)|social_security|passport|(^|_)iban(_|$)|national_id|tax_id|insurance_n|licen[cs]e_n",
    ),
    ("address", r"(^|_)(address|street|zip|zip_?code|postal|post_?code)(_|$)"),
    ("place", r"(^|_)(lat|latitude|lon|lng|longitude|gps|geo)(_|$)"),
    (
        "name",
        r"(^|_)(first|last|full|given|family|sur|middle|user|nick|real)_?name(_|$)|^names?$|_name$|vorname|nachname"
        r"|(participant|subject|respondent)_name",
    ),
    (
        "identifier",
        r"(^|_)(id|uid|uuid|guid|pid|sid|identifier)(_|$)"
        r"|^(participant|subject|respondent|worker|user|person|proband)(_?(id|no|nr|num|number|code))?$|prolific|mturk|worker_?id",
    ),
)
_WEAK = re.compile(
    r"(^|_)(pid|sid)(_|$)"
)  # as often a party or a site: names nobody where few values are shared by many
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}")
_PHONE = re.compile(r"\+?[0-9][0-9 ()./-]{6,20}\Z")
_PERSON = re.compile(
    r"[A-ZÀ-Þ][a-zß-ÿ'-]+(?: [A-ZÀ-Þ]\.)?(?: (?:van|von|de|der|la|di))?(?: [A-ZÀ-Þ][a-zß-ÿ'-]+){1,2}\Z"
)
_NUMBERS = re.compile(r"\d{3}-\d{2}-\d{4}\Z|[A-Z]{2}\d{2}[A-Z0-9 ]{11,30}\Z|(?:\d{4}[ -]){3}\d{4}\Z")
_LOOKED_AT = 5000


def flags_of(column: str, kind: ColumnType, cells: Sequence[str]) -> list[Flag]:
    """What a column may tell about people. cells: those that are not missing."""
    found: dict[FlagKind, str] = {}
    words = re.sub(r"([a-z])([A-Z])", r"\1_\2", column).lower()
    words = re.sub(r"[^a-z0-9]+", "_", words).strip("_")
    for flag, pattern in _WORDS:
        if re.search(pattern, words):
            if not (_WEAK.search(words) and "prolific" not in words and 2 * len(set(cells)) < len(cells)):
                found[flag] = "its name"
            break
    shown = [cell.strip() for cell in cells[:_LOOKED_AT]]
    for flag, count in (
        ("e-mail", sum(bool(_EMAIL.search(cell)) for cell in shown)),
        ("IP address", sum(_is_ip(cell) for cell in shown)),
        ("identity number", sum(bool(_NUMBERS.match(cell)) for cell in shown)),
        ("phone", _at_least(0.3, [_is_phone(cell) for cell in shown])),
        (
            "name",
            _at_least(0.5, [bool(_PERSON.match(cell)) for cell in shown])
            if len(set(shown)) > len(shown) / 2
            else 0,
        ),
    ):
        if count and not (flag == "phone" and "identity number" in found):
            found.setdefault(flag, f"{count} values look like it")
    if kind == "date" and _at_least(0.5, [_years_back(cell) for cell in shown]):
        found.setdefault("birth date", "dates that lie many years back")
    if kind == "text" and "identifier" not in found:
        distinct = len(set(shown)) == len(shown) and len(shown) >= 5
        if sum(map(len, shown)) > 30 * len(shown) or any(len(cell) > 100 for cell in shown):
            found.setdefault("free text", "long texts; people name themselves and others in them")
        elif distinct:
            found.setdefault("identifier", "every value is there once")
    return [Flag(kind=flag, column=column, because=because) for flag, because in found.items()]


def _at_least(share: float, hits: Sequence[bool]) -> int:
    return sum(hits) if hits and sum(hits) >= share * len(hits) else 0


def _is_ip(cell: str) -> bool:
    if cell.count(".") != 3 and cell.count(":") < 2:
        return False
    try:
        ipaddress.ip_address(cell)
    except ValueError:
        return False
    return True


def _is_phone(cell: str) -> bool:
    digits = sum(character.isdigit() for character in cell)
    return (
        bool(_PHONE.match(cell))
        and 7 <= digits <= 15
        and (cell[0] in "+0" or any(mark in cell for mark in " ()-/"))
        and not re.match(r"\d{4}-\d{1,2}-\d{1,2}", cell)
        and not re.match(r"0?\.\d+\Z|0\d*\.\d*\Z", cell)
    )


def _years_back(cell: str) -> bool:
    year = re.search(r"(?:19|20)\d\d", cell)
    return bool(year) and 10 <= date.today().year - int(year.group()) <= 110  # type: ignore[union-attr]
