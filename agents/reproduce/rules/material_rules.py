"""What code can check of a plan's materials against the paper: form of pages, tables it lists, and stated numbers.

A number of a stated model counts only if it stands in the paper, with its unit, in the words that are quoted for it.
"""

from __future__ import annotations

import math
import re

from agents.reproduce.rules.quoting import has_number, nearest, normal, number_fault, quoted, stands_whole
from agents.reproduce.rules.reference_rules import quotable
from schemas.reproduce.materials.prepared_material import MaterialChoice
from schemas.reproduce.materials.stated import NONLINEAR_UNITS, StatedNumber, ohmic
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.parameters import Assumption
from schemas.reproduce.planning.plan import Plan
from schemas.reproduce.simulations.spectral import printed_forms
from schemas.reproduce.words.clauses import sentence_of
from schemas.reproduce.words.written import matches, numbers_in, readable
from schemas.talking.review import Issue
from simkit.describe.numbers import evaluate

_LITERAL = re.compile(r"(?<![\w.])\d+\.?\d*(?:[eE][+-]?\d+)?")
_POWER = re.compile(
    r"\*\*\s{0,3}\(?-?(?:[1-4]|0?\.5|1/2)(?![\d.])\)?"
)  # it is of the relation, as + and - are
_FACTORS = (1.0, 2.0)  # of relations, and powers; they need no words
_COMPUTED = 1e-3
_PAGE = re.compile(r"[\w.+-]+/[^/\s][^/]*/[^/\s][^/]*\Z")


def material_issues(plan: Plan, paper: PaperInput, text: str) -> list[Issue]:
    """Everything wrong with the materials of a plan that the paper can settle; all blocking.

    text: all words of the paper that may be quoted.
    """
    issues: list[Issue] = []
    listed = [material.file for material in paper.materials]
    for choice in plan.materials:
        where = f"material {choice.name}"
        if choice.page is not None and (not _PAGE.match(choice.page) or ".." in choice.page):
            issues.append(
                _blocking(
                    where,
                    f"{choice.page!r} is no database page",
                    "give shelf/book/page, for example main/Au/Johnson, or a constant index",
                )
            )
        if choice.table and choice.table not in listed:
            issues.append(
                _blocking(
                    where,
                    f"{choice.table!r} is no table handed in with the paper",
                    f"use {', '.join(listed)}" if listed else "it brings none: use a page or what it states",
                )
            )
        issues += _number_issues(where, choice, text) + _index_issues(where, choice, text)
    return issues


def assumed_indices(
    plan: Plan, paper: PaperInput, assumptions: tuple[Assumption, ...]
) -> tuple[Assumption, ...]:
    """An entry for each number of a material that the paper does not state as it stands: an index that neither words of the
    paper nor an assumption of the planner's give, a number that follows from the paper's by a relation."""
    text = quotable(paper)
    listed = [number.low for entry in assumptions for number in numbers_in(entry.value)]
    made = [
        (f"index_{choice.name}", f"refractive index of {choice.name}", f"{choice.index:g}", choice.source)
        for choice in plan.materials
        if choice.index is not None
        and choice.index not in (1.0, *listed)
        and number_fault(choice.index, "1", choice.source, text)
    ] + [
        (
            f"{number.name}_{choice.name}_{place}",
            f"{number.name} of {choice.name}, {term.kind}",
            f"{number.value:g} {number.unit}",
            f"{number.follows}, from {number.quotation!r}",
        )
        for choice in plan.materials
        for place, term in enumerate(choice.terms, 1)
        for number in term.numbers
        if number.follows
    ]
    return tuple(
        Assumption(
            assumption_id=name,
            category="material",
            parameter=of,
            value=value,
            source="agent",
            reason=f"not the paper's words; {why}"[:300],
            sensitivity="high",
        )
        for name, of, value, why in made
    )


def _number_issues(where: str, choice: MaterialChoice, text: str) -> list[Issue]:
    issues = []
    for term in choice.terms:
        for number in term.numbers:
            fault = _fault(number, text)
            if fault:
                issues.append(
                    _blocking(f"{where}, {term.kind} {number.name} = {number.value:g} {number.unit}", *fault)
                )
    return issues


def _index_issues(where: str, choice: MaterialChoice, text: str) -> list[Issue]:
    """An index whose source is words of the paper stands in them; one said to be stated stands somewhere in the paper."""
    if choice.index is None:
        return []
    if quoted(choice.source, text):
        fault = number_fault(choice.index, "1", choice.source, text)
        where = f"{where}, index = {choice.index:g}"
        return [_blocking(where, fault, "quote the words that state it, or mend it")] if fault else []
    claims = any(number.low == choice.index for number in numbers_in(choice.source))
    known = any(matches(number, choice.index, "1") for number in numbers_in(text)) if claims else True
    return (
        []
        if known
        else [
            _blocking(
                f"{where}, index = {choice.index:g}",
                "the paper does not state this index",
                "quote the words that state it as source, or say that it is assumed and list it so",
            )
        ]
    )


_LOSS = re.compile(
    r"(?i)imaginary|\bIm\b|\bIm\s*\(|(?:\u03b5|eps\w*)_?\{?(?:''|\u2033|2\b|i\b)|complex\s+(?:relative\s+)?(?:permittivity|dielectric)|"
    r"(?:permittivity|dielectric|epsilon|\u03b5)[^.;]*[\d.]\s*i\b"
)


_ALWAYS = re.compile(
    r"(?i)\b(?:(?:at|for|over)\s+(?:all|every|any|each)\s+(?:\w+\s+)?(?:wavelengths?|frequenc\w+|colou?rs?)|whatever\s+the\s+(?:wavelength|frequency)|"
    r"(?:independent\w*|irrespective|regardless)\s+of\s+(?:the\s+)?(?:wavelength|frequency)|(?:wavelength|frequency)[- ]independent|"
    r"non-?\s?dispersive|dispersionless|without\s+dispersion|constant|throughout|everywhere\s+in\s+the\s+(?:band|spectrum|range))\b"
)


def _sentences_of(quotation: str, text: str) -> str:
    """The sentences of the paper that hold quoted words; the words themselves where these are not found as they stand."""
    plain, words = " ".join(text.split()), " ".join(quotation.split())
    place = plain.find(words)
    return plain[slice(*sentence_of(plain, place, place + len(words)))] if words and place >= 0 else words


def _fault(number: StatedNumber, text: str) -> tuple[str, str] | None:
    """What is wrong with a number's quotation and how to mend it; None if it holds."""
    if not number.quotation.strip():
        if number.name == "k" and number.value == 0:
            return None  # "lossless" needs no number
        return (
            "no words of the paper are quoted for it",
            "quote the words that state the number with its unit",
        )
    if not quoted(number.quotation, text):
        close = nearest(number.quotation, text)
        return (
            f"these words are not in the paper: {number.quotation[:160]!r}",
            "quote verbatim" + (f"; the closest passage is: {close!r}" if close else ""),
        )
    if number.name == "loss" and not _LOSS.search(number.quotation):
        return (
            f"its words do not call it an imaginary part of the permittivity: {number.quotation[:160]!r}",
            'quote the words that do ("an imaginary part of epsilon of 0.3"); an extinction coefficient k, a loss tangent or a '
            "gain is another number",
        )
    if number.name == "loss" and _ALWAYS.search(_sentences_of(number.quotation, text)):
        return (
            f"its words call it the same at all wavelengths, and a conductivity's falls with frequency: {number.quotation[:160]!r}",
            "give the index and the extinction coefficient k at the light's wavelength",
        )
    whole = normal(number.quotation)
    if number.follows:
        if fault := _follows(number):
            return fault
        places = [whole]
    else:
        stated = stands_whole(number.value, number.quotation, text)
        if not stated:
            return (
                f"the value does not stand in its quotation {number.quotation[:160]!r}",
                "quote the words that state it, and give the value in the unit of the paper; where the paper gives it by a "
                "relation only, give that arithmetic in `follows`",
            )
        joined = "..." in number.quotation or "\u2026" in number.quotation
        places = [words[:40] for words in stated] + ([whole] if joined else [])
    forms = _unit_forms(number.unit)
    if (unit := _OHMIC.get(ohmic(number.unit))) is not None:
        plain = readable(number.quotation)
        behind = (n for n in numbers_in(plain) if number.follows or n.low == number.value)
        there = any(unit.match(plain, n.end) for n in behind)
    else:
        there = not forms or any(normal(form) in words for form in forms for words in places)
    if not there:
        return (
            f"the unit {number.unit!r} does not stand in its quotation {number.quotation[:160]!r}",
            "quote the unit too (a table's head may be joined with '...'), or correct the unit",
        )
    return None


# The whole unit right behind its number: no "kohm cm", no "4.1 MS/m", no "5 um is made".
_OHM, _DOT = r"\s?(?:\u03a9|\u2126|\\?[Oo]mega|[Oo]hms?)", r"(?:\\,|[\s\u00b7\u22c5*.-]){0,3}"
_OHMIC = {
    **{
        f"S/{length}": re.compile(
            rf"\s?S(?:\s?/\s?{length}|{_DOT}{length}\s?\^?\s?\(?\{{?[-\u2212]\s?1)(?![A-Za-z0-9])"
        )
        for length in ("m", "cm")
    },
    **{f"ohm {length}": re.compile(rf"{_OHM}{_DOT}{length}(?![A-Za-z0-9^])") for length in ("m", "cm")},
}


def _follows(number: StatedNumber) -> tuple[str, str] | None:
    """What is wrong with a number that is computed from its quotation's; None if each of these stands there and it is the result."""
    foreign = [
        digits
        for digits in _LITERAL.findall(_POWER.sub("", number.follows))
        if float(digits) not in _FACTORS and not has_number(float(digits), number.quotation)
    ]
    if foreign:
        return (
            f"{', '.join(foreign)} in {number.follows!r} stands in no words of its quotation {number.quotation[:160]!r}",
            "quote the words with all numbers of the relation ('...' may join parts)",
        )
    try:
        value = evaluate(number.follows, {})
    except (ValueError, KeyError, ArithmeticError) as error:
        return (
            f"{number.follows!r} is no arithmetic: {error}"[:200],
            "numbers of the quotation with + - * / ** ( ) and sqrt(), pi",
        )
    if not math.isclose(value, number.value, rel_tol=_COMPUTED):
        return (
            f"{number.follows!r} is {value:.6g}, not {number.value:g}",
            "give what the relation gives, or mend it",
        )
    return None


def _unit_forms(unit: str) -> tuple[str, ...]:
    """How a unit may be printed: a spectral one in its usual spellings, a power or a nonlinear one by its symbols."""
    if unit in ("", "1"):
        return ()
    if any(unit in allowed for allowed in NONLINEAR_UNITS.values()):
        head, _, tail = unit.replace("^2", "2").partition("/")
        return (
            unit,
            f"{head}/{tail}",
            f"{head}{tail}-1",
            f"{head}{tail}^-1",
            f"{head}{tail}-2",
            f"{head}{tail}^-2",
        )
    if match := re.fullmatch(r"(nm|um)\^(-?\d+)", unit):
        return (unit, f"{match[1]}{match[2]}")
    return printed_forms(unit)


def _blocking(where: str, description: str, fix: str) -> Issue:
    return Issue(severity="blocking", where=where, description=description, fix=fix)
