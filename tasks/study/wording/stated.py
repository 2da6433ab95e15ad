"""What a study's design states in numbers, as words: a text may count what the design has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from schemas.study.design import StudyProtocol, Variables
from schemas.study.inputs import TableProfile
from schemas.study.questionnaire import Questionnaire
from schemas.study.scope import ResearchPlan


def stated(
    plan: ResearchPlan,
    protocol: StudyProtocol | None = None,
    questionnaire: Questionnaire | None = None,
    variables: Variables | None = None,
    *,
    tables: Iterable[TableProfile] = (),
) -> str:
    """Lines such as "2 conditions" and "from 1 to 7, a 7-point scale", beside what the design says itself. Of the plan, which may
    interpret, only counts; of the tables that were given, where their columns begin and end."""
    lines = _of_plan(plan)
    if protocol is not None:
        lines += [protocol.model_dump_json(), *_of_protocol(protocol)]
    if questionnaire is not None:
        lines += [questionnaire.model_dump_json(), *_of_items(questionnaire)]
    if variables is not None:
        lines += [variables.model_dump_json(), *_of_variables(variables)]
    lines += [
        f"{column.name}: from {column.minimum:g} to {column.maximum:g}."
        for table in tables
        for column in table.columns
        if column.minimum is not None and column.maximum is not None
    ]
    return "\n".join(lines)


def made_of(*design: StudyProtocol | Questionnaire | Variables | None) -> str:
    """What a design is made of, as its words: conditions, procedure, items, variables; not the reasons that it gives."""
    return "\n".join(
        found.model_dump_json(exclude={"effect", "sample_size", "untestable", "ethics"})
        for found in design
        if found is not None
    )


def _of_plan(plan: ResearchPlan) -> list[str]:
    confirmatory = sum(item.confirmatory for item in plan.hypotheses)
    counts = {len(plan.hypotheses), confirmatory, len(plan.hypotheses) - confirmatory}
    lines = [f"{n} hypotheses, {n} tests, {n} analyses." for n in sorted(counts)]
    lines += [f"{len(plan.research_questions)} questions."]
    used = {len(item.predictors) for item in plan.hypotheses}
    return [*lines, *(f"{n} predictors, {n} attributes, {n} factors." for n in sorted(used))]


def _of_protocol(protocol: StudyProtocol) -> list[str]:
    n = len(protocol.conditions)
    lines = [f"{n} conditions, {n} ways, {n} groups, {n} sessions, {n} versions. 2 coders."]
    lines += ["2 orders."] if n == 2 and protocol.assignment == "within" else []
    lines += [f"{len(quota.shares)} groups of {quota.attribute}." for quota in protocol.participants.quotas]
    return [*lines, f"{len(protocol.procedure)} steps."]


def _of_items(questionnaire: Questionnaire) -> list[str]:
    items = questionnaire.items
    rated = [item for item in items if item.kind == "likert" and item.expected is None]
    scales = Counter(item.scale for item in items if item.scale)
    turned = Counter(item.scale for item in items if item.scale and item.reverse)
    counts = {len(items), len(rated), *scales.values(), *turned.values()}
    lines = [f"{n} items, {n} questions, {n} ratings." for n in sorted(counts)]
    lines += [f"{len(scales)} scales."] if scales else []
    for low, high in sorted({(item.minimum, item.maximum) for item in rated}):
        assert low is not None and high is not None
        lines.append(f"from {low:g} to {high:g}, a {high - low + 1:g}-point scale.")
    lines += [f"An attention check of {item.expected}." for item in items if isinstance(item.expected, float)]
    return lines


def _of_variables(variables: Variables) -> list[str]:
    counts = {len(item.levels) for item in variables.variables if item.levels}
    return [f"{n} levels, {n} groups, {n} categories, {n} steps." for n in sorted(counts)]
