"""Data that existed before the study: what is known of them as a protocol, and whether they can test the hypotheses."""

from __future__ import annotations

import re

from schemas.errors import InputError
from schemas.study.answers import DataAnswer
from schemas.study.design import Condition, Ethics, Participants, StudyProtocol, Variables
from schemas.study.scope import ResearchPlan
from schemas.study.settings import Framework
from tasks.study.participants.excluding import excluded, late_faults, rule_faults, without
from tasks.study.participants.raw_data import PARTICIPANT, read_rows
from tasks.study.participants.real_data import Imported
from tasks.study.results_file import by_person, plans_of, results_of


def variable_faults(
    answer: DataAnswer, plan: ResearchPlan, data: Imported, *, framework: Framework, seed: int
) -> tuple[list[str], dict[str, str]]:
    """What of a reading of real data does not fit the data or the plan, and hypothesis -> why the data cannot test it; no value of
    a result is in it, and no cell of the data: they are hostile text."""
    columns = (PARTICIPANT, *data.renamed.values())
    names = [item.name for item in answer.variables]
    faults = [
        f"the variable {name} is declared twice" for name in dict.fromkeys(names) if names.count(name) > 1
    ]
    faults += [
        f"the variable {name} is no column of the data; columns are {', '.join(columns)}"[:600]
        for name in names
        if name not in columns
    ]
    faults += rule_faults(answer.rules, columns, None)
    if faults:
        return faults, {}
    try:
        if late := late_faults(answer.rules, plan, answer.variables, data.data):
            return late, {}
        found = excluded(data.data, existing_protocol(answer, data), None, detailed=False)
        kept = without(data.data, {item.participant for item in found.left_out})
        plans = plans_of(plan.hypotheses, Variables(variables=answer.variables), columns)
        found_results = results_of(kept, by_person(plans, kept), framework=framework, seed=seed)
    except InputError as error:
        return [_without_cells(f"{error.what}: {error.found}")], {}
    return [], {item.id: _without_cells(item.because) for item in found_results.not_tested}


def _without_cells(words: str) -> str:
    """The words without the values that they quote."""
    words = re.sub(r"\bholds .*?, which the plan does not name", "holds levels that are not declared", words)
    return re.sub(r": ('[^']*'|\"[^\"]*\")", "", words)


def existing_protocol(answer: DataAnswer, data: Imported) -> StudyProtocol:
    """How the data came about, as far as it is known. Ethics say what code did, and what nobody can know from the data."""
    people = {row[PARTICIPANT] for row in read_rows(data.data)}
    left_out = (
        f"left out before anything was analysed: {', '.join(data.left_out)}"
        if data.left_out
        else "none was left out (the column that names participants is replaced by the numbers)"
    )
    return StudyProtocol(
        title=answer.title,
        assignment="single",
        participants=Participants(sample_size=max(2, len(people))),
        conditions=(
            Condition(
                name="as_collected", description="Data that existed before this study; no condition was set."
            ),
        ),
        procedure=(
            answer.collected or "The input does not say how the data were collected.",
            *(f"Not known: {item}" for item in answer.unknown),
        ),
        ethics=Ethics(
            consent="The input does not say what participants agreed to; whoever publishes this has to know.",
            risks=("people may be recognised from combinations of their answers",),
            data_protection=f"Participants are numbered; columns that may identify people: {left_out}.",
        ),
        rules=answer.rules,
        exclusions=answer.exclusions,
    )
