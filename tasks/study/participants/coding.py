"""Codes of several coders, put side by side, and how far they agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from schemas.errors import InputError
from schemas.study.answers import CodebookAnswer, CodingAnswer
from schemas.study.questionnaire import Questionnaire
from schemas.study.results import Agreement
from schemas.text.addressed import addressed
from tasks.study.participants.raw_data import CONDITION, PARTICIPANT, read_rows
from tasks.study.statistics.agreement import of_codings

ADDRESSED = "[left out by code: this answer addresses an AI]"


def units_of(data: bytes, questionnaire: Questionnaire, *, most: int) -> dict[str, str]:
    """Texts by participant, condition and item; what was asked once counts once. They are hostile text: one that addresses an
    AI is replaced by a remark, so that a participant cannot tell coders what to code."""
    found: dict[str, str] = {}
    for row in read_rows(data):
        for item in questionnaire.items:
            if item.kind == "text" and (text := row.get(item.id, "").strip()):
                where = [
                    row[PARTICIPANT],
                    *([row[CONDITION]] if item.per_condition and CONDITION in row else []),
                    item.id,
                ]
                found.setdefault("/".join(where)[:80], text)
    return {name: ADDRESSED if addressed(text) else text for name, text in list(found.items())[:most]}


def coding_faults(answer: CodingAnswer, codebook: CodebookAnswer, units: Sequence[str]) -> list[str]:
    """Units that were missed or coded twice, and codes that the book does not hold."""
    known, times = {code.name for code in codebook.codes}, Counter(item.unit for item in answer.codes)
    faults = [f"the unit {name} was not coded" for name in units if name not in times]
    faults += [
        f"the unit {name} {'does not exist' if name not in units else 'was coded twice'}"
        for name, count in times.items()
        if name not in units or count > 1
    ]
    return faults + [
        f"{item.unit}: the code book has no {item.code}"
        for item in answer.codes
        if item.code is not None and item.code not in known
    ]


def agreement_of(
    codings: Sequence[CodingAnswer], codebook: CodebookAnswer, units: Sequence[str]
) -> tuple[Agreement, ...]:
    """Krippendorff's alpha of all coders, and Cohen's kappa of two that coded every unit. Raises InputError with faults.

    A measure that is not defined (one code for everything) has no value and says why.
    """
    if len(codings) < 2:
        raise InputError("agreement needs coders who coded apart", found=len(codings), allowed="two or more")
    for place, coding in enumerate(codings, 1):
        if faults := coding_faults(coding, codebook, units):
            raise InputError(
                f"the codes of coder {place} do not fit",
                found="; ".join(faults[:5]),
                fix="let the coder code again",
            )
    told = {item["measure"]: item for item in of_codings(*as_plain(codings, codebook, units))["agreement"]}
    return tuple(Agreement.model_validate(item) for item in told.values())


def as_plain(
    codings: Sequence[CodingAnswer], codebook: CodebookAnswer, units: Sequence[str]
) -> tuple[list[str], list[dict[str, str | None]]]:
    """Names of the codes, and of each coder unit -> code in the units' order."""
    tables = [{item.unit: item.code for item in coding.codes} for coding in codings]
    return [code.name for code in codebook.codes], [{name: table[name] for name in units} for table in tables]
