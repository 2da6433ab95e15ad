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
from tasks.study.statistics.agreement import cohens_kappa, krippendorff_alpha

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
    table = [[{item.unit: item.code for item in coding.codes}[name] for name in units] for coding in codings]
    shared = {"units": len(units), "coders": len(codings)}
    found = []
    try:
        found.append(Agreement(measure="krippendorff_alpha", value=krippendorff_alpha(table), **shared))
    except ValueError as error:
        found.append(Agreement(measure="krippendorff_alpha", value=None, detail=str(error), **shared))
    if len(table) == 2 and all(code is not None for row in table for code in row):
        try:
            value, low, high = cohens_kappa(*table)
            found.append(Agreement(measure="cohens_kappa", value=value, low=low, high=high, **shared))
        except ValueError as error:
            found.append(Agreement(measure="cohens_kappa", value=None, detail=str(error), **shared))
    return tuple(found)
