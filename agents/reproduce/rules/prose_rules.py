"""Numbers in the planner's prose: what designer and coder read may hold declared inputs and counts, and nothing else.

The planner has read what the paper found. A number it lets slip into a description, a criterion or a reason reaches agents
that must stay blind: one that states or brackets a result blocks the plan, and so does one that is neither declared (a quoted
input, an assumption, a material, a target's range) nor harmless (a count, a tolerance, a right angle).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from agents.reproduce.rules.redaction import (
    BLIND,
    COUNTS,
    cut,
    gives_away,
    known_input,
    secret_values,
    stated_in,
    states_a_result,
    withhold,
)
from agents.reproduce.rules.unread import places_told, unread
from schemas.reproduce.planning.parameters import Assumption, ExtractedParameter
from schemas.reproduce.planning.plan import Plan
from schemas.reproduce.simulations.features import as_feature
from schemas.reproduce.state import ReproState
from schemas.reproduce.words.same_number import same
from schemas.talking.adaptation import AdaptationRecord
from schemas.talking.review import Issue
from schemas.text.numbers import Number, numbers_in, quantities_in
from schemas.text.unit_forms import unit_name

_COUNTED = (
    "",
    "a",
    "m",
    "s",
    "pi",
    "wavelengths",
    "pi/a",
    "2pi/a",
)  # 2a, 0.5 pi; a letter behind a count is often a name
_RIGHT_ANGLES = frozenset({0.0, 90.0, 180.0, 360.0})
_LABEL = re.compile(
    r"(?:fig(?:ure)?s?|tab(?:le)?|eqs?|equations?|sec(?:tion)?|ref|stage|step|appendix|part)[. (\[]*\Z",
    re.IGNORECASE,
)
# How a number may hide in an identifier: between letters, dashes and underscores, with p for the point.
_JOINTS = (re.compile(r"(?<=\d)p(?=\d)"), re.compile(r"[_-]|(?<=[a-zA-Z])(?=\d)|(?<=\d)(?=[a-zA-Z])"))
_YEARS = range(1850, 2100)
_TOLERANCE = re.compile(
    r"(?:\bwithin|±|\+/-|\bplus (?:or|and) minus|\btolerances? of|\b(?:errors?|deviations?|"
    r"uncertainty) (?:of|below|under|up to|at most|less than))\s*(?:about\s*)?\Z",
    re.IGNORECASE,
)
_LOOSEST = 25  # per cent
_OF_DECIBELS = re.compile(r"(?i)\s*[*\u00b7]?\s*log(?:_?\{?10\}?)?\b")  # "20 log10(e) Im beta"
_SAMPLES = re.compile(r"(?i)\s*(?:equal(?:ly\s+spaced)?\s+)?(?:values|points|steps|samples|intervals)\b")
_MOST_SAMPLES = 1001  # of a curve
_ROUNDING = 1e-3


def prose_issues(
    plan: Plan,
    extracted: tuple[ExtractedParameter, ...],
    assumptions: tuple[Assumption, ...],
    drawn: Mapping[str, tuple[float, ...]] = MappingProxyType({}),
) -> list[Issue]:
    """A blocking issue for each number, name or range that states a result, and for each other number that nobody declared.

    drawn: target -> where the data that it is taken from begin and end; a range may begin and end there, whatever the results are.
    """
    inputs = _declared(plan, extracted, assumptions)
    secrets = secret_values(
        ReproState(
            paper_id="plan", run_id="plan", plan=plan, extracted_parameters=extracted, assumptions=assumptions
        )
    )
    issues = []
    for where, text in _prose(plan, extracted, assumptions):
        told = {
            n.start
            for n in gives_away(text, secrets)
            if not _is_label(n, text) and not _is_tolerance(n, text)
        }
        found = {
            n.start: n
            for n in reversed(numbers_in(text))
            if n.start in told or not (n.standing == "hidden" or _neutral(n, text) or _is_declared(n, inputs))
        }
        issues += [
            _issue(where, text[n.start : n.after].strip(), n.start in told) for _, n in sorted(found.items())
        ]
        issues += [_unread(where, text[start:end]) for start, end in unread(text)]
        issues += [_issue(where, text[start:end].strip(), True) for start, end in places_told(text)]
    for where, name in _names(plan, extracted, assumptions):
        if gives_away(_JOINTS[1].sub(" ", _JOINTS[0].sub(".", name)), secrets):
            issues.append(
                Issue(
                    severity="blocking",
                    where=where,
                    description=f"the name {name!r} states a result, and the blind agents read names",
                    fix="name the quantity, not its value",
                )
            )
    for stage, target in plan.targets():
        where = f"{stage.stage_id}/{target.target_id}"
        issues += [
            _range_issue(where, name, ends, drawn.get(target.target_id, ()) if name == "x_range" else ())
            for name, ends, unit in (
                ("x_range", target.x_range, target.x_unit),
                ("y_range", target.y_range, target.y_unit),
            )
            if ends
            and states_a_result(
                ends, unit, secrets, drawn.get(target.target_id, ()) if name == "x_range" else ()
            )
        ]
    return issues


def withhold_adaptations(
    records: tuple[AdaptationRecord, ...], state: ReproState
) -> tuple[AdaptationRecord, ...]:
    """All adaptations, those for blind agents with results masked, and every number that is no input and not harmless: the adaptor
    has read the abstract, and half a result or a sum tells it as well."""
    secrets = secret_values(state)
    return tuple(
        _masked(record, secrets) if record.adaptation.target_agent in BLIND else record for record in records
    )


def _masked(record: AdaptationRecord, secrets: frozenset[float]) -> AdaptationRecord:
    told = record.adaptation.content
    own = [
        n
        for n in numbers_in(told)
        if n.standing != "hidden" and not _neutral(n, told) and not known_input(n.value, n.any_unit, secrets)
    ]
    own += [Number(0.0, "", start, end, end) for start, end in (*unread(told), *places_told(told))]
    content = withhold(cut(told, own), secrets)
    return record.model_copy(update={"adaptation": record.adaptation.model_copy(update={"content": content})})


def _prose(
    plan: Plan, extracted: tuple[ExtractedParameter, ...], assumptions: tuple[Assumption, ...]
) -> Iterator[tuple[str, str]]:
    """(place, text) of all that designer and coder read of the planner's words; an input that is no bare number is words."""
    for stage in plan.stages:
        yield f"{stage.stage_id}, name", stage.name
        yield f"{stage.stage_id}, description", stage.description
        for number, criterion in enumerate(stage.validation_criteria, 1):
            yield f"{stage.stage_id}, validation_criteria {number}", criterion
        for target in stage.targets:
            yield f"{stage.stage_id}/{target.target_id}, description", target.description
    for parameter in extracted:
        if parameter.role == "input" and not stated_in(parameter.value):
            yield f"parameter {parameter.name}, value", parameter.value
    for assumption in assumptions:
        if not assumption.source == "user":
            yield f"assumption {assumption.assumption_id}, parameter", assumption.parameter
            yield f"assumption {assumption.assumption_id}, reason", assumption.reason


def _names(
    plan: Plan, extracted: tuple[ExtractedParameter, ...], assumptions: tuple[Assumption, ...]
) -> Iterator[tuple[str, str]]:
    for stage in plan.stages:
        yield stage.stage_id, stage.stage_id
        for target in stage.targets:
            yield f"{stage.stage_id}/{target.target_id}", target.target_id
    yield from ((f"parameter {p.name}", p.name) for p in extracted if p.role == "input")
    yield from ((f"assumption {a.assumption_id}", a.assumption_id) for a in assumptions)
    yield from ((f"material {m.name}", m.name) for m in plan.materials)


def _declared(
    plan: Plan, extracted: tuple[ExtractedParameter, ...], assumptions: tuple[Assumption, ...]
) -> list[tuple[float, str]]:
    found = [
        (value, unit or p.unit) for p in extracted if p.role == "input" for value, unit in stated_in(p.value)
    ]
    found += [pair for assumption in assumptions for pair in quantities_in(assumption.value)]
    for material in plan.materials:
        found += [(end, "um") for end in material.band_um]
        found += [(material.index, "1")] if material.index is not None else []
        numbers = [number for term in material.terms for number in term.numbers]
        found += [(number.value, number.unit) for number in numbers]
        found += [pair for number in numbers if number.follows for pair in quantities_in(number.quotation)]
    for _, target in plan.all_targets():
        found += [(end, target.x_unit) for end in target.x_range or ()] + [
            (end, target.y_unit) for end in target.y_range
        ]
        if (
            target.reference.feature is not None
        ):  # where it is read; a number that is a result is masked before
            for part in as_feature(target.reference.feature).parts:
                found += [(place, target.x_unit) for place in (*part.at, *part.window)]
                found += [(level, "1") for level in part.level]
    return [(abs(value), unit_name(unit) if unit else "") for value, unit in found]


def _is_declared(number: Number, inputs: list[tuple[float, str]]) -> bool:
    """Whether it is an input in any unit, or twice or half of one: a diameter for a radius."""
    return any(
        same(number.value * factor, number.any_unit, *one, _ROUNDING)
        for one in inputs
        for factor in (1.0, 2.0, 0.5)
    )


def _neutral(number: Number, text: str) -> bool:
    value, before, unit = abs(number.value), text[: number.start], number.any_unit
    sampled = value <= _MOST_SAMPLES and _SAMPLES.match(text, number.end) is not None
    if not number.unit and value.is_integer() and (value <= COUNTS or sampled):
        return True
    if _is_label(number, text) or _is_tolerance(number, text):
        return True
    if value in (10, 20) and _OF_DECIBELS.match(text, number.end):
        return True
    if unit == "deg":
        return value in _RIGHT_ANGLES
    if unit == "%":
        return value in (0.0, 100.0)
    if unit not in _COUNTED:
        return value in (0, 1)  # "one micrometre" is the unit itself
    if value == 0.5 or (value.is_integer() and value <= COUNTS):
        return True
    return value in _YEARS and (before.rstrip().endswith("(") or bool(re.search(r"[A-Z]\w+,? \Z", before)))


def _is_label(number: Number, text: str) -> bool:
    return number.any_unit == "" and bool(_LABEL.search(text[: number.start]))


def _is_tolerance(number: Number, text: str) -> bool:
    """A share that says how closely something must agree; where it equals a result it is still masked."""
    return (
        (number.any_unit == "%" and abs(number.value) <= _LOOSEST)
        or (not number.any_unit and 0 < number.value <= _LOOSEST / 100)
    ) and bool(_TOLERANCE.search(text[: number.start]))


def _range_issue(where: str, name: str, ends: tuple[float, ...], drawn: Sequence[float]) -> Issue:
    whole = bool(drawn) and all(
        math.isclose(end, own, rel_tol=1e-9) for end, own in zip(ends, (min(drawn), max(drawn)), strict=True)
    )
    return Issue(
        severity="blocking",
        where=where,
        description=f"{name} {ends[0]:g} to {ends[1]:g} begins or ends at a result, "
        "or is so tight around one that it states it"
        + (", though the data begin and end there" if whole else ""),
        fix=f"leave {name} out: without it all of the data are compared, and no blind agent reads where they end"
        if whole
        else "use the range of the figure's axis; or leave it out, and the whole curve counts",
    )


def _unread(where: str, words: str) -> Issue:
    return Issue(
        severity="blocking",
        where=where,
        description=f"{words!r} may say a number that code cannot read",
        fix="write in English, and a number in digits before its unit",
    )


def _issue(where: str, number: str, result: bool) -> Issue:
    if result:
        return Issue(
            severity="blocking",
            where=where,
            description=f"{number!r} states or brackets a result of the paper, and "
            "the agents that read this must not know it",
            fix="leave it out: name the quantity, not its value",
        )
    return Issue(
        severity="blocking",
        where=where,
        description=f"{number!r} is no declared input",
        fix="declare it (a quoted input parameter, an assumption with its value, or x_range), or say it without the number "
        "(steps and grids are the designer's); a tolerance is told as 'within 0.01'",
    )
