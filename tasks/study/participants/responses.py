"""A participant's answers against the questionnaire, and all participants' answers as raw data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from schemas.errors import InputError
from schemas.study.checked_response import Problem, ResponseProblem, ResponseReport, ResponseSuspicion
from schemas.study.persona import ItemAnswer, PersonaProfile, PersonaResponse
from schemas.study.questionnaire import Item, Questionnaire
from tasks.study.participants.raw_data import CONDITION, ORDER, PARTICIPANT, SIMULATED, write_rows

STRAIGHT_FROM = 5  # rating items in one condition, from which answering all alike is a pattern


def asked(questionnaire: Questionnaire) -> dict[str, object]:
    """The questionnaire as a participant sees it: without scales, turned items and the right answers of attention checks."""
    hidden = {"expected", "scale", "reverse"}
    return {
        "title": questionnaire.title,
        "instructions": questionnaire.instructions,
        "items": [
            item.model_dump(mode="json", exclude=hidden, exclude_none=True) for item in questionnaire.items
        ],
    }


def check(response: PersonaResponse, questionnaire: Questionnaire, profile: PersonaProfile) -> ResponseReport:
    """Types, ranges, options, required items, conditions met; attention checks and straight-lining are flagged."""
    items = {item.id: item for item in questionnaire.items}
    expected = {
        (item.id, condition)
        for item in questionnaire.items
        for condition in (profile.conditions if item.per_condition else ("",))
    }
    problems: list[ResponseProblem] = []
    seen: set[tuple[str, str]] = set()
    for answer in response.answers:
        place = (answer.item, answer.condition)
        problem: tuple[Problem, str] | None
        if answer.item not in items:
            problem = ("unknown item", ", ".join(items)[:200])
        elif place not in expected:
            problem = (
                "unknown condition",
                ", ".join(sorted(where or "no condition" for name, where in expected if name == answer.item)),
            )
        elif place in seen:
            problem = ("twice", "one answer")
        else:
            seen.add(place)
            problem = _problem(items[answer.item], answer)
        if problem:
            problems.append(
                ResponseProblem(
                    problem=problem[0],
                    item=answer.item,
                    condition=answer.condition,
                    found=str(answer.value)[:80],
                    allowed=problem[1],
                )
            )
    problems += [
        ResponseProblem(problem="missing", item=name, condition=where, allowed="an answer")
        for name, where in sorted(expected - seen)
        if items[name].required
    ]
    if response.persona_id != profile.persona_id:
        raise InputError(
            "the answers are another participant's", found=response.persona_id, allowed=profile.persona_id
        )
    return ResponseReport(
        persona_id=response.persona_id,
        problems=tuple(problems),
        suspicions=tuple(suspicions(response.answers, questionnaire)),
    )


def _problem(item: Item, answer: ItemAnswer) -> tuple[Problem, str] | None:
    value = answer.value
    if value is None or value == "" or value == ():
        return ("missing", "an answer") if item.required else None
    if item.kind in ("likert", "number"):
        assert item.minimum is not None and item.maximum is not None  # the item's own check
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            return "wrong type", "a number"
        if not item.minimum <= value <= item.maximum:  # true for NaN too
            return "out of range", f"{item.minimum:g} to {item.maximum:g}"
        return (
            ("wrong type", "a whole number")
            if item.kind == "likert" and not float(value).is_integer()
            else None
        )
    if item.kind == "multiple":
        if not isinstance(value, tuple):
            return "wrong type", "a list of options"
        foreign = [option for option in value if option not in item.options]
        return (
            ("no such option", ", ".join(item.options)) if foreign or len(set(value)) < len(value) else None
        )
    if not isinstance(value, str):
        return "wrong type", "a text"
    if item.kind == "choice":
        return None if value in item.options else ("no such option", ", ".join(item.options))
    return None if len(value) <= item.longest else ("too long", f"{item.longest} characters")


def value_problem(item: Item, cell: str) -> tuple[Problem, str] | None:
    """What is wrong with the cell of a table as an answer to the item, and what is allowed; None where nothing is."""
    value: str | float | tuple[str, ...] = cell
    if item.kind in ("likert", "number"):
        try:
            value = float(cell)
        except ValueError:
            return "wrong type", "a number"
    elif item.kind == "multiple":
        value = tuple(part.strip() for part in cell.split(";"))
    elif item.kind == "text":
        return None
    return _problem(item, ItemAnswer(item=item.id, value=value))


def suspicions(answers: Sequence[ItemAnswer], questionnaire: Questionnaire) -> list[ResponseSuspicion]:
    """What is doubtful in one participant's answers: failed attention checks, straight-lining."""
    items = {item.id: item for item in questionnaire.items}
    found = []
    for answer in answers:
        item = items.get(answer.item)
        if item is not None and item.expected is not None and answer.value != item.expected:
            found.append(
                ResponseSuspicion(
                    suspicion="attention check failed",
                    detail=f"{item.id} {answer.condition}: {str(answer.value)[:40]}",
                )
            )
    for condition in dict.fromkeys(answer.condition for answer in answers):
        rated = [
            (items[answer.item].reverse, _shown(answer.value))
            for answer in answers
            if answer.condition == condition
            and answer.item in items
            and items[answer.item].kind == "likert"
            and items[answer.item].expected is None
        ]
        # the same number on items of opposite sense is no opinion; on items of one sense it may be
        if (
            len(rated) >= STRAIGHT_FROM
            and len({value for _, value in rated}) == 1
            or (
                len(rated) >= 3
                and len({value for _, value in rated}) == 1
                and len({turned for turned, _ in rated}) == 2
            )
        ):
            found.append(
                ResponseSuspicion(
                    suspicion="straight-lining",
                    detail=f"{condition or 'once'}: {len(rated)} items, all {rated[0][1]}",
                )
            )
    return found


def same_answers(answers: Mapping[str, Sequence[ItemAnswer]]) -> dict[str, ResponseSuspicion]:
    """Participant -> whose answers are all those of an earlier one; no answers are nobody's copy."""
    found: dict[str, ResponseSuspicion] = {}
    first: dict[tuple[tuple[str, str, str], ...], str] = {}
    for who, given in answers.items():
        pattern = tuple(sorted((answer.item, answer.condition, str(answer.value)) for answer in given))
        if pattern and pattern in first:
            found[who] = ResponseSuspicion(
                suspicion="same as another", detail=f"every answer is that of {first[pattern]}"
            )
        first.setdefault(pattern, who)
    return found


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def check_all(
    responses: Sequence[PersonaResponse], questionnaire: Questionnaire, profiles: Sequence[PersonaProfile]
) -> tuple[ResponseReport, ...]:
    """Each participant's report; who answered everything like an earlier one is flagged. Raises InputError for strangers."""
    known = {profile.persona_id: profile for profile in profiles}
    strangers = [item.persona_id for item in responses if item.persona_id not in known]
    doubled = [name for name, times in Counter(item.persona_id for item in responses).items() if times > 1]
    if strangers or doubled:
        raise InputError(
            "answers do not belong to the participants",
            found=f"strangers: {strangers[:5]}, twice: {doubled[:5]}",
            allowed="one set of answers for each participant",
        )
    copies = same_answers({response.persona_id: response.answers for response in responses})
    reports = []
    for response in responses:
        report = check(response, questionnaire, known[response.persona_id])
        if response.persona_id in copies:
            report = report.model_copy(
                update={"suspicions": (*report.suspicions, copies[response.persona_id])}
            )
        reports.append(report)
    return tuple(reports)


def raw_data(
    responses: Sequence[PersonaResponse],
    questionnaire: Questionnaire,
    profiles: Sequence[PersonaProfile],
    *,
    simulated: bool,
) -> bytes:
    """raw_data.csv: a row per participant and condition, with attributes, items, scale means, and whether it was simulated.

    Raises InputError if a set of answers is not valid.
    """
    reports = check_all(responses, questionnaire, profiles)
    if bad := [report for report in reports if not report.valid]:
        first = bad[0].problems[0]
        raise InputError(
            "answers that do not fit the questionnaire cannot become data",
            found=f"{len(bad)} participants, such as {bad[0].persona_id}: {first.item}: {first.problem} "
            f"({first.found})",
            allowed=first.allowed,
            fix="let these participants answer again",
        )
    known = {profile.persona_id: profile for profile in profiles}
    scales = sorted({item.scale for item in questionnaire.items if item.scale})
    attributes = sorted({name for profile in profiles for name in profile.attributes})
    items = [item.id for item in questionnaire.items]
    clash = sorted({*attributes} & {*items, *scales, PARTICIPANT, CONDITION, ORDER, SIMULATED})
    if clash:
        raise InputError(
            "an attribute of participants has the name of another column",
            found=", ".join(clash),
            fix="rename the attribute in the protocol's quotas",
        )
    rows = []
    for response in responses:
        profile = known[response.persona_id]
        given = {(answer.item, answer.condition): answer.value for answer in response.answers}
        for order, condition in enumerate(profile.conditions, 1):
            values = {
                item.id: given.get((item.id, condition if item.per_condition else ""))
                for item in questionnaire.items
            }
            rows.append(
                {
                    PARTICIPANT: response.persona_id,
                    CONDITION: condition,
                    ORDER: order,
                    SIMULATED: simulated,
                    **profile.attributes,
                    **{
                        name: "; ".join(value) if isinstance(value, tuple) else value
                        for name, value in values.items()
                    },
                    **{scale: scale_mean(scale, values, questionnaire) for scale in scales},
                }
            )
    return write_rows([PARTICIPANT, CONDITION, ORDER, *attributes, *items, *scales, SIMULATED], rows)


def scale_mean(scale: str, values: Mapping[str, object], questionnaire: Questionnaire) -> float | None:
    """Mean of a scale's items, reversed ones turned; missing where an item is."""
    found = []
    for item in questionnaire.items:
        if item.scale == scale:
            value = values[item.id]
            if not isinstance(value, (int, float)) or item.minimum is None or item.maximum is None:
                return None
            found.append(item.minimum + item.maximum - value if item.reverse else value)
    return sum(found) / len(found)
