"""What code can check of a plan: its structure, its quotations, its data, its figures and its budget.

Nothing here asks for digitised data: a plan that uses none is never sent back for the lack of it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from agents.reproduce.rules.feature_rules import bound
from agents.reproduce.rules.input_rules import input_issues, input_words
from agents.reproduce.rules.leak_rules import leak_issues
from agents.reproduce.rules.material_rules import material_issues
from agents.reproduce.rules.prose_rules import prose_issues
from agents.reproduce.rules.quoting import has_number
from agents.reproduce.rules.redaction import telling
from agents.reproduce.rules.reference_rules import (
    parameter_issues,
    quotable,
    quotation_fault,
    quoted_number_issues,
)
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.coverage import follows_by_hand, left_out, uncovered
from schemas.reproduce.planning.left import MAIN_CLAIM, Left, Taken, left_of
from schemas.reproduce.planning.parameters import Assumption, ExtractedParameter
from schemas.reproduce.planning.plan import MATERIALS, TEXT, Plan, Stage, Target
from schemas.reproduce.planning.plan_faults import plan_faults
from schemas.reproduce.planning.target_quantity import quantity_faults
from schemas.reproduce.settings import Limits
from schemas.reproduce.simulations.units import canonical
from schemas.reproduce.words.written import LEVEL, LOUDEST, shares
from schemas.talking.review import Issue

_SOURCES = {
    "curve": ("data",),
    "scalar": ("quotation", "feature", "data"),
    "map": ("data",),
    "image": ("image",),
}


def rule(
    plan: Plan,
    paper: PaperInput,
    data_columns: Mapping[str, tuple[str, ...]],
    *,
    extracted: tuple[ExtractedParameter, ...] = (),
    assumptions: tuple[Assumption, ...] = (),
    limits: Limits | None = None,
    candidates: tuple[str, ...] = (),
    taken: Mapping[str, Taken] | None = None,
) -> tuple[Issue, ...]:
    """Everything code finds wrong with a plan, each with its fix.

    data_columns: data file of the paper -> its columns. extracted: parameters whose quotations are checked
    too; with the assumptions they must not hold a result as an input. limits: run limits the stages' budgets are held against.
    candidates: places where code found that the paper may contradict itself. taken: what targets take from the paper's
    data, by target, in its unit.
    """
    issues = [_issue("blocking", "plan", fault) for fault in plan_faults(plan)]
    pictured = {figure.figure_id for figure in paper.figures if figure.image}
    figures = {figure.figure_id for figure in paper.figures} | {MATERIALS, TEXT}
    for stage, target in plan.all_targets():
        where = f"{stage.stage_id}/{target.target_id}"
        if target.figure_id not in figures:
            issues.append(
                _issue(
                    "blocking",
                    where,
                    f"figure {target.figure_id!r} is none of the paper's",
                    f"use one of {', '.join(sorted(figures))}",
                )
            )
        issues += _scope_issues(where, target, paper)
        issues += _reference_issues(where, target, paper, data_columns, pictured) + _range_issues(
            where, target
        )
        issues += _feature_issues(where, target, paper, extracted)
    issues += [
        _issue("minor", *fault) for fault in quantity_faults(plan)
    ]  # judged by the right one in any case
    issues += material_issues(plan, paper, quotable(paper))
    issues += prose_issues(
        plan, extracted, assumptions, {name: one.drawn for name, one in (taken or {}).items()}
    )
    issues += leak_issues(plan, extracted, assumptions, paper.words())
    issues += [
        _issue(
            "minor",
            "contradictions",
            f"the paper may contradict itself: {found}",
            "if it does, name it in contradictions and, where results differ, give each reading targets of its own",
        )
        for found in candidates
    ]
    for parameter in extracted:
        issues += parameter_issues(parameter, paper)
    issues += input_issues(input_words(extracted, plan.materials, quotable(paper)))
    return tuple(
        issues
        + _claim_issues(plan, paper)
        + _figure_issues(plan, paper)
        + _left_issues(plan, paper, extracted, taken)
        + _budget_issues(plan, limits or Limits())
    )


def _scope_issues(where: str, target: Target, paper: PaperInput) -> list[Issue]:
    """A target that the reader did not ask for; a number of the text without the words that state it."""
    issues = []
    if not paper.scope.covers(target.figure_id):
        issues.append(
            _issue(
                "blocking",
                where,
                f"{target.figure_id!r} is outside the reader's scope ({paper.scope.words()})",
                "leave it out",
            )
        )
    if target.figure_id == TEXT and target.reference.kind != "quotation":
        issues.append(
            _issue(
                "blocking",
                where,
                f"a number that stands only in the text is compared with a {target.reference.kind}",
                "quote the words that state it, or name the figure it belongs to",
            )
        )
    return issues


def _claim_issues(plan: Plan, paper: PaperInput) -> list[Issue]:
    """Readings said to be the paper's whose words it does not hold; a claim that rests on nothing in particular."""
    issues = [
        issue
        for reading in plan.readings
        if reading.quotation
        for issue in quotation_fault("blocking", f"reading {reading.name}", reading.quotation, paper)
    ]
    issues += [
        _issue(
            "blocking",
            f"reading {reading.name}",
            fault,
            "quote the words that name the parameter and its value, or "
            "leave the quotation out: then it is an inferred reading",
        )
        for reading in plan.readings
        if (fault := reading.fault())
    ]
    results = {target.target_id: target.reference.value for _, target in plan.targets()}
    issues += [
        _issue(
            "blocking",
            f"reading {reading.name}",
            f"its value {reading.value!r} is what {name} is compared with: a "
            "result is no reading of an input",
            "read what the simulation takes in, not what it is to find",
        )
        for reading in plan.readings
        for name in reading.targets
        if reading.quotation
        and (result := results.get(name)) is not None
        and telling(result)
        and has_number(result, reading.value)
    ]
    carrying = [target.target_id for stage, target in plan.targets() if plan.role(stage, target) == "claim"]
    if not plan.claim_targets and len(carrying) > 1:
        issues.append(
            _issue(
                "major",
                "claim_targets",
                f"it names none of the {len(carrying)} major targets, so the claim "
                "rests on all of them alike",
                "name those without which main_claim would not hold",
            )
        )
    return issues


def _reference_issues(
    where: str,
    target: Target,
    paper: PaperInput,
    data_columns: Mapping[str, tuple[str, ...]],
    pictured: set[str],
) -> list[Issue]:
    reference = target.reference
    issues: list[Issue] = []
    if canonical(target.unit) == LEVEL:
        left, gained = shares(min(abs(reference.value or 0.31), LOUDEST))
        issues.append(
            _issue(
                "blocking",
                where,
                "its unit is dB, in which nothing is compared: what is computed are shares of power and ratios of them",
                f"give the unit '1' and as value the share that is left, 10^(-dB/10) = {left:.6g}, or the ratio, 10^(dB/10) = "
                f"{gained:.6g}; the quotation keeps its dB, and no bound is wider than a tenth of them",
            )
        )
    if reference.kind not in _SOURCES[target.kind]:
        issues.append(
            _issue(
                "blocking",
                where,
                f"a {target.kind} cannot be compared with a {reference.kind}",
                f"use a reference of kind {' or '.join(_SOURCES[target.kind])}, or the other target kind",
            )
        )
    if reference.kind == "image" and target.figure_id not in pictured:
        issues.append(
            _issue(
                "blocking",
                where,
                f"the paper brings no picture of {target.figure_id!r}",
                f"judge by eye only figures with a picture ({', '.join(sorted(pictured)) or 'there is none'})",
            )
        )
    if reference.kind == "quotation":
        issues += quoted_number_issues(where, target, paper)
    elif reference.quotation:
        issues += quotation_fault("blocking", where, reference.quotation, paper)
    if reference.kind in ("data", "feature"):
        columns = data_columns.get(reference.file or "")
        if columns is None:
            allowed = ", ".join(sorted(data_columns)) or "none; the paper brings no data files"
            issues.append(
                _issue(
                    "blocking",
                    where,
                    f"data file {reference.file!r} does not exist (there are: {allowed})",
                    "use one of these files, or a number the paper states as a quotation",
                )
            )
        else:
            issues += [
                _issue(
                    "blocking",
                    where,
                    f"{reference.file} has no column {name!r}",
                    f"use one of {', '.join(columns)}",
                )
                for name in _columns_used(target)
                if name not in columns
            ]
    return issues


_TAKE = 'name in reference.feature what takes it from the curve, as {"kind": "value", "extremum": "maximum"} or {"kind": "width"}'


def _feature_issues(
    where: str, target: Target, paper: PaperInput, extracted: tuple[ExtractedParameter, ...]
) -> list[Issue]:
    """A feature that the quoted words do not name; numbers of it that nothing states."""
    figure = next((f for f in paper.figures if f.figure_id == target.figure_id), None)
    found = bound(target, quotable(paper), extracted, figure.caption if figure else "")
    named = target.reference.feature is not None
    return (
        [
            _issue(
                "blocking",
                where,
                fault,
                "take the feature that the quoted words name, quote a sentence that names this one in the clause of the number (what '...' "
                "joins is another clause), compare with the figure's data, or give `made_of` for a difference or ratio of two results",
            )
            for fault in found.refused
        ]
        + [
            _issue(
                "major",
                where,
                f"{fault}: at most PARTIAL",
                'quote words that state it, give it as an input of the paper\'s (extracted_parameters: value "0.5", quotation "T = 0.5"), '
                "or leave it out"
                if named
                else f"{_TAKE}, or quote other words",
            )
            for fault in found.loose
        ]
        + [
            _issue(
                "major",
                where,
                f"nothing states the range {low:g} to {high:g} {target.x_unit.removesuffix('1')}".rstrip()
                + " that it is looked for in: at most PARTIAL",
                "leave x_range and the feature's window out, so that the whole curve counts, or take a range that the paper states",
            )
            for low, high in (() if figure and figure.data else found.windows)
        ]
    )


def _columns_used(target: Target) -> tuple[str, ...]:
    reference = target.reference
    if target.kind == "map" and not reference.z_column:
        return ()  # a matrix names its axes itself
    names = (reference.x_column, reference.y_column, reference.z_column, reference.second_column)
    return tuple(name for name in names if name)


def _range_issues(where: str, target: Target) -> list[Issue]:
    if target.x_range is None:
        return []
    low, high = target.x_range
    if math.isfinite(low) and math.isfinite(high) and low < high:
        return []
    return [
        _issue(
            "blocking",
            where,
            f"x_range {low:g} to {high:g} is no range",
            "give two finite numbers, the smaller first, in x_unit",
        )
    ]


def _figure_issues(plan: Plan, paper: PaperInput) -> list[Issue]:
    return [
        _issue(
            "blocking",
            figure_id,
            "no target and no reason why it is not attempted",
            "add a target (kind image where there are no numbers), or an entry to not_reproducible with the reason in words, as "
            f'"{figure_id}: it shows a photograph"',
        )
        for figure_id in left_out(plan, paper)
    ] + [
        _issue(
            "major",
            figure_id,
            "no target that counts attempts it, and no reason names what is missing (data that came with it are not): the run "
            "cannot be called reproduced",
            "add a target with a number or curve, or an entry to not_reproducible that says what its simulation would take, as "
            f'"{figure_id}: three dimensions, 40 hours of runs"',
        )
        for figure_id in uncovered(plan, paper)
        if figure_id not in left_out(plan, paper)
    ]


def _left_issues(
    plan: Plan,
    paper: PaperInput,
    extracted: tuple[ExtractedParameter, ...],
    taken: Mapping[str, Taken] | None,
) -> list[Issue]:
    """Results that abstract, conclusions and main claim state and that no target answers."""
    return [
        _issue(
            "major",
            entry.what,
            f"no target answers this number of the {entry.place} ({entry.words[:160]}): the run cannot be called reproduced"
            + _not_enough(entry),
            f"add a target whose value it is; or, where its words only say for which {entry.what} another number holds, declare it as an "
            f'input; or an entry of its own to not_reproducible, as "{TEXT}: {entry.what}: no data of it are given": '
            "the number with its unit, and what is missing (data, hours, pixels, other physics), or 'by hand' where it follows "
            "from inputs" + ("; or state main_claim without it" if entry.place == MAIN_CLAIM else ""),
        )
        for entry in left_of(plan, extracted, paper, taken=taken)
        if entry.counts and not entry.figure
    ]


def _not_enough(entry: Left) -> str:
    """Why a reason that the plan gives for a number does not excuse it; '' where it gives none."""
    if not entry.reason:
        return ""
    why = (
        "no arithmetic on inputs, answers of targets and the numbers that the reason names gives it (name them with their units: "
        "'by hand: 3.0 um / 0.5 um')"
        if follows_by_hand(entry.reason)
        else "it does not say what is missing, in words like data, spectrum, hours, pixels, experiment, other physics"
    )
    return f". The plan's own reason ({entry.reason[:120]!r}) does not count: {why}"


def _budget_issues(plan: Plan, limits: Limits) -> list[Issue]:
    issues = [
        _stage_budget(stage)
        for stage in plan.stages
        if stage.estimated_runtime_s > stage.runtime_budget_minutes * 60
    ]
    total = sum(stage.estimated_runtime_s for stage in plan.stages)
    # Not less than a run may take by default: with a lower cap a resumed run would ask about its plan, and all after it, anew.
    allowed = max(limits.max_total_runtime_hours, Limits().max_total_runtime_hours) * 3600
    if total > allowed:
        issues.append(
            _issue(
                "blocking",
                "plan",
                f"its stages need {total:.0f} s in all, the run may take {allowed:.0f} s",
                "reduce dimensions, resolution or sweep points, or leave the costliest figure out",
            )
        )
    return issues


def _stage_budget(stage: Stage) -> Issue:
    return _issue(
        "major",
        stage.stage_id,
        f"estimated {stage.estimated_runtime_s:.0f} s, budget {stage.runtime_budget_minutes * 60:.0f} s",
        "raise runtime_budget_minutes or simulate less",
    )


def _issue(severity: str, where: str, description: str, fix: str = "") -> Issue:
    return Issue.model_validate(
        {"severity": severity, "where": where, "description": description, "fix": fix}
    )
