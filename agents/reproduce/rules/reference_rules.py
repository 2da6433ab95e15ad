"""What a quoted number must be: the paper's words, outside its list of references, stating it whole and with its unit."""

from __future__ import annotations

import re

from agents.reproduce.rules.quoting import input_fault, nearest, number_fault, quoted
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.declared import unknown_unit
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.planning.plan import Target
from schemas.reproduce.words.written import numbers_in
from schemas.talking.review import Issue

_NUMBER = r"[-+]?\.?\d[\d.]*(?:[eE][-+]?\d+)?"
_PLAIN_NUMBERS = re.compile(rf"{_NUMBER}(?:\s*(?:,|;|and|to|-|/|\s)\s*{_NUMBER})*")


def quoted_number_issues(where: str, target: Target, paper: PaperInput) -> list[Issue]:
    """Why the quotation of a target does not bind its value to the paper."""
    reference = target.reference
    fault = quotation_fault("blocking", where, reference.quotation, paper)
    if fault or reference.value is None:
        return fault
    said = number_fault(reference.value, target.unit, reference.quotation, quotable(paper), reference.upper)
    remedy = (
        'quote the words that state the number with its unit, as "a dip at 720.7 nm" for value 720.7, unit nm, or a table\'s whole row '
        '("crown | 55.1 | 157.1"; its unit stands in the head); give the value in the target\'s unit; a range the paper states is '
        "value and upper"
    )
    return [Issue(severity="blocking", where=where, description=said, fix=remedy)] if said else []


def parameter_issues(parameter: ExtractedParameter, paper: PaperInput) -> list[Issue]:
    """The same for a parameter; words, formulas and database pages are only looked for as words."""
    where = f"parameter {parameter.name}"
    number = _PLAIN_NUMBERS.fullmatch(parameter.value.strip()) is not None
    issues = quotation_fault("blocking" if number else "major", where, parameter.quotation, paper)
    if number and parameter.role == "input" and (fault := unknown_unit(parameter.unit)):
        issues.append(
            _issue(
                "blocking", where, fault, "give it in one of these; what no simulation takes in is no input"
            )
        )
    if issues or not number:
        return issues
    for given in numbers_in(parameter.value):
        if given.low == given.high and (
            said := input_fault(given.low, parameter.unit or "1", parameter.quotation, quotable(paper))
        ):
            issues.append(
                Issue(
                    severity="blocking",
                    where=where,
                    description=said,
                    fix='quote the words that state it with its unit, as "a thickness of 95 nm" for value "95", unit "nm", '
                    "or make it an assumption",
                )
            )
    return issues


def quotation_fault(severity: str, where: str, quotation: str, paper: PaperInput) -> list[Issue]:
    """Words that the paper does not hold, or holds only in its list of references."""
    if quoted(quotation, quotable(paper)):
        return []
    if quoted(quotation, paper.words()):
        return [
            _issue(
                "blocking",
                where,
                f"these words stand only in the paper's list of references: {quotation[:160]!r}",
                "quote what this paper states of its own results",
            )
        ]
    close = nearest(quotation, quotable(paper))
    return [
        _issue(
            severity,
            where,
            f"these words are not in the paper: {quotation[:160]!r}",
            "quote verbatim, parts between '...' with 12 characters or more, as \"the reflectance ... a dip at 720.7 nm\""
            + (f"; the closest passage is: {close!r}" if close else ""),
        )
    ]


def quotable(paper: PaperInput) -> str:
    """All words of the paper that may state a result: without its list of references."""
    return paper.words(bibliography=False)


def _issue(severity: str, where: str, description: str, fix: str) -> Issue:
    return Issue.model_validate(
        {"severity": severity, "where": where, "description": description, "fix": fix}
    )
