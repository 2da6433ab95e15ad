"""Real data become raw_data.csv: numbered participants, plain column names, nothing that identifies, no simulated row."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

import pandas as pd

from schemas.errors import InputError
from schemas.study.inputs import TableProfile
from tasks.study.inputs.text_cells import is_missing
from tasks.study.participants.raw_data import PARTICIPANT, SIMULATED, is_simulated, write_rows

PERSONAL = ("name", "e-mail", "phone", "birth date", "IP address", "address", "place", "identity number")


@dataclass(frozen=True)
class Imported:
    """data: the CSV. renamed: column of the file -> column of raw_data. left_out: columns that identify people."""

    data: bytes
    renamed: dict[str, str]
    left_out: tuple[str, ...]


def imported(frame: pd.DataFrame, profile: TableProfile, *, keep: tuple[str, ...] = ()) -> Imported:
    """A table of real data as raw data. keep: flagged columns that the user wants kept.

    Participants become p0001, p0002, ... in the order of the file; cells that say "missing" become empty. Raises
    InputError for rows that are marked as simulated, or two columns whose plain names are the same.
    """
    personal = {flag.column for flag in profile.flags if flag.kind in PERSONAL or flag.kind == "identifier"}
    free = {flag.column for flag in profile.flags if flag.kind == "free text"}
    left_out = tuple(
        column
        for column in frame.columns
        if column in personal | free and column not in keep and column != profile.participant
    )
    names: dict[str, str] = {}
    for column in frame.columns:
        if column not in left_out and column != profile.participant and column.strip().lower() != SIMULATED:
            names[column] = plain_name(column)
    doubled = sorted({name for name in names.values() if [*names.values(), PARTICIPANT].count(name) > 1})
    if doubled:
        raise InputError(
            "columns have the same plain name", found=", ".join(doubled[:5]), fix="rename them in the file"
        )
    rows: list[dict[str, object]] = []
    numbers: dict[str, str] = {}
    for place, row in enumerate(frame.to_dict("records"), 1):
        try:
            simulated = is_simulated({str(name): str(value) for name, value in row.items()})
        except ValueError as error:
            raise InputError(
                "a row's mark cannot be read", found=f"row {place}: {error}", fix="write true or false"
            ) from None
        if simulated:
            raise InputError(
                "a row of the data is marked as simulated",
                found=f"row {place}",
                allowed="real rows only",
                fix="analyse simulated rows in a study of mode A; the two are never mixed",
            )
        who = str(row[profile.participant]).strip() if profile.participant else str(place)
        number = numbers.setdefault(who, f"p{len(numbers) + 1:04d}")
        rows.append(
            {
                PARTICIPANT: number,
                SIMULATED: False,
                **{
                    name: "" if is_missing(row[column]) else row[column].strip()
                    for column, name in names.items()
                },
            }
        )
    return Imported(write_rows([PARTICIPANT, *names.values(), SIMULATED], rows), names, left_out)


def open_answers(profile: TableProfile, asked: Collection[str] | None = None) -> tuple[str, ...]:
    """Columns in which people wrote, and which nothing marks as naming them. asked: the text items of the questionnaire; None
    where no questionnaire is known, then columns of long texts."""
    harmless = {"free text"} if asked is None else {"free text", "identifier"}  # every answer may differ
    kinds: dict[str, set[str]] = {}
    for flag in profile.flags:
        kinds.setdefault(flag.column, set()).add(flag.kind)
    return tuple(
        column.name
        for column in profile.columns
        if column.name != profile.participant
        and (found := kinds.get(column.name, set())) <= harmless
        and (bool(found) if asked is None else plain_name(column.name) in asked)
    )


def plain_name(column: str) -> str:
    """Small letters, digits and _, beginning with a letter, as variables are named; the same for the same column."""
    words = re.sub(r"([a-z])([A-Z])", r"\1_\2", column)
    slug = re.sub(r"[^a-z0-9]+", "_", words.lower()).strip("_")[:40].rstrip("_")
    return slug if slug[:1].isalpha() else f"v_{slug}"[:40]
