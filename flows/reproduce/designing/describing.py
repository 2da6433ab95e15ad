"""A design that is a description: what code finds in it before anything is solved, and taking it as the stage's code."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from flows.calls.unreadable import FAULTS
from flows.reproduce.context import GENEROUS, Run, cpu_limit
from flows.reproduce.designing.axes_of_answers import axis_issues, blocking, length_issues
from flows.reproduce.judging.against_words import doubts_before
from schemas.reproduce.planning.declared import declared
from schemas.reproduce.planning.parameters import Assumption
from schemas.reproduce.planning.plan import DONE, Stage, Target
from schemas.reproduce.simulations.design import CodeNote, Design, SolvedBefore, Unanswerable
from schemas.reproduce.words.written import matches, numbers_in
from schemas.talking.review import Issue
from simkit.describe.document import used
from simkit.describe.parameters import Parameters
from simkit.describe.units import UNITS
from tasks.files.store import atomic_write
from tasks.reproduce.describing.in_sandbox import Description, DescriptionRefused, describe
from tasks.reproduce.describing.lengths import lengths_of
from tasks.reproduce.describing.lint import lint, media_of
from tasks.reproduce.describing.vocabulary import answering, form_of, materials_of
from tasks.reproduce.papers.paper_files import paper_pattern
from tasks.reproduce.references.against_data import abscissae
from tasks.reproduce.solving.estimate import costs_before

FINER_GRIDS = 5.0  # times the coarsest grid's cost: the least that a study with an uncertainty takes
_SEVERITY = {"error": "blocking", "warning": "major", "note": "minor"}
_OF_LIGHT = re.compile("wavelength|lambda", re.IGNORECASE)
_REMEDY = {
    "error": "describe it otherwise where the text says",
    "warning": "look whether it is meant; then leave it",
    "note": "nothing to change: numerics are the harness's",
}


def entries(run: Run, design: Design) -> list[dict[str, Any]]:
    """The parameters of a description: the paper's inputs as the plan quotes them, then what the designer adds."""
    own = declared(run.state.extracted_parameters).parameters
    return [parameter.model_dump(mode="json") for parameter in (*own, *design.parameters)]


def described(run: Run, design: Design) -> Description:
    """The checked description of a design; run once, then kept. Raises DescriptionRefused."""
    degraded = run.settings.allow_degraded_sandbox
    return describe(
        design.code,
        entries(run, design),
        store=run.store,
        patterns=[paper_pattern(run.paper_dir, pattern, degraded) for pattern in run.paper.patterns],
        allow_degraded=degraded,
    )


def fits(run: Run) -> dict[str, Any]:
    """The confirmed materials as the solver takes them, by name."""
    return {name: record.parameters() for name, record in run.materials().items()}


def other_tables(run: Run) -> dict[str, dict[str, Any]]:
    """Of each material the other tables that are tried with what is described: page -> as the solver takes it."""
    return {
        name: {str(other.page): other.parameters() for other in record.others}
        for name, record in run.materials().items()
        if record.others
    }


def description_findings(run: Run, stage: Stage, design: Design) -> tuple[Issue, ...]:
    """What is wrong with a description, by running and inspecting it; the first of them decide alone.

    Whatever goes wrong while it is read is the description's fault.
    """
    try:
        return _findings(run, stage, design)
    except FAULTS as error:
        run.console.say(
            f"the description cannot be read: {type(error).__name__}: {error}"[:600], stage=stage.stage_id
        )
        return (
            blocking(
                "code",
                f"code could not read the description: {type(error).__name__}: {error}"[:3000],
                "change what the message names",
            ),
        )


def _findings(run: Run, stage: Stage, design: Design) -> tuple[Issue, ...]:
    try:
        found = described(run, design)
    except DescriptionRefused as error:
        return (
            Issue(
                severity="blocking",
                where="code",
                description=f"{error.what}: {error.found or ''}"[:3000],
                fix=error.fix or "change the description where the message says",
            ),
        )
    issues = [
        blocking(
            "materials", f"{name!r} is no prepared material", f"use {', '.join(sorted(run.materials()))}"
        )
        for name in sorted(materials_of(found) - set(run.materials()))
    ]
    issues += assumption_issues(found.parameters, run.state.assumptions) + _answer_issues(
        found, stage, design
    )
    files = {figure.figure_id: [data.file for data in figure.data] for figure in run.paper.figures}
    drawn = {
        target.target_id: abscissae(target, files.get(target.figure_id, ()), run.paper_dir)
        for target in stage.targets
    }
    left_out = {entry.target for entry in design.unanswerable}
    attempted = [t for t in stage.numeric_targets if t.target_id not in left_out]
    lengths = lengths_of(found.parameters, run.state.extracted_parameters, attempted)
    issues += axis_issues(found, attempted, drawn, lengths) + length_issues(lengths, attempted)
    if issues:
        return tuple(issues)
    issues += [
        Issue(
            severity=_SEVERITY[f.level],
            where=f.where,
            description=f.text,
            fix=_REMEDY[f.level],
        )
        for f in lint(found, fits(run), used_elsewhere(run, stage) - _named(run, stage))
    ]
    issues += doubts_before(run, stage, attempted, found, fits(run))
    issues += _without_material(run, stage, found)
    issues += _cost(found, fits(run), cpu_limit(run, stage, GENEROUS))
    return tuple(issues)


def _cost(found: Description, materials: Mapping[str, Any], limit_s: float) -> list[Issue]:
    """What the coarsest grid will take beside what the stage may use, for whoever decides whether it is worth that."""
    costs = costs_before(found, materials)
    if not costs:
        return []
    spent = sum(cost.estimated_cpu_s or 0.0 for cost in costs)
    worst = max(costs, key=lambda cost: cost.estimated_cpu_s or 0.0)
    short = FINER_GRIDS * spent > limit_s
    return [
        Issue(
            severity="major" if short else "minor",
            where="cost",
            description=f"the coarsest grid: {len(costs)} runs, about {spent:.0f} CPU s; most of one run: {worst.estimated_cpu_s:.0f} s, "
            f"{worst.name}. A study with finer grids and variants is 5 to 20 times that; the stage may use {limit_s:.0f} CPU s",
            fix="a shorter sweep, a narrower band or a smaller scene, where the targets allow it; else leave it: what fits is solved "
            "and the rest is said to be missing"
            if short
            else "nothing to change",
        )
    ]


def used_elsewhere(run: Run, stage: Stage) -> frozenset[str]:
    """The paper's inputs that another stage uses, or may use because it has no description yet."""
    assert run.state.plan is not None
    inputs = frozenset(parameter.id for parameter in declared(run.state.extracted_parameters).parameters)
    taken: frozenset[str] = frozenset()
    for other in run.state.plan.stages:
        if other.stage_id == stage.stage_id or other.stage_type == "MATERIAL_VALIDATION":
            continue
        design = run.designs.get(other.stage_id)
        if design is None or not design.described:
            return inputs
        try:
            found = described(run, design)
        except DescriptionRefused:  # still being written
            return inputs
        taken |= used(found.parametric, found.parameters)
    return inputs & taken


def _named(run: Run, stage: Stage) -> frozenset[str]:
    """Lengths of the structure that the stage's own words name: that another stage uses them is no reason to leave them out here."""
    words = set(re.findall(r"\w+", stage.description))
    return frozenset(
        item.id
        for item in declared(run.state.extracted_parameters).parameters
        if item.id in words and UNITS[item.unit].power == 1 and not _OF_LIGHT.search(item.id)
    )


def _without_material(run: Run, stage: Stage, found: Description) -> list[Issue]:
    """Materials that the plan gives the stage, and nothing described is made of, by name or with the same constant index."""
    media = [medium for scene in found.resolved().scenes for _, medium in media_of(scene, scene.id)]
    indices = [medium.index or medium.epsilon for medium in media if medium.kind == "medium"]
    plain = [float(value) for value in indices if isinstance(value, (int, float))]
    known, issues = run.materials(), []
    for name in stage.materials:
        index = known[name].index if name in known else 1.0
        same = index is not None and any(
            math.isclose(value, own, rel_tol=1e-3) for value in (*plain, 1.0) for own in (index, index**2)
        )
        if name not in materials_of(found) and not same:
            issues.append(
                Issue(
                    severity="major",
                    where="materials",
                    description=f"{name!r} is a material of this stage, and nothing described is made of it",
                    fix=_REMEDY["warning"],
                )
            )
    return issues


def assumption_issues(parameters: Parameters, ledger: Sequence[Assumption]) -> list[Issue]:
    """Parameters said to be assumptions that the ledger, which the report shows, does not hold with their value."""
    entries_by_id = {entry.assumption_id: entry for entry in ledger}
    issues = []
    for item in parameters.items().values():
        if item.origin != "assumption" or item.value is None:
            continue
        entry = entries_by_id.get(item.assumption_id)
        told = numbers_in(entry.value) if entry else ()
        if any(
            item.value in (number.low, number.high) or matches(number, item.value, item.unit)
            for number in told
        ):
            continue
        said = f"says {entry.value[:80]!r}" if entry else "does not exist"
        issues.append(
            blocking(
                f"parameter {item.id}",
                f"it is {item.value:g} {item.unit} by assumption {item.assumption_id}, which {said}",
                "state the value and its unit in new_assumptions, with why",
            )
        )
    return issues


def solved_before(run: Run, stage: Stage) -> tuple[SolvedBefore, ...]:
    """The newest two descriptions of other stages that were solved: working code to start from, what it cost and said."""
    found = [
        SolvedBefore(
            stage_id=name,
            code=run.designs[name].code,
            parameters=run.designs[name].parameters,
            cpu_s=sum(e.cpu_s for e in outputs.executions),
            remarks=outputs.study.remarks,
        )
        for name in (
            p.stage_id for p in run.state.progress if p.opens in DONE and p.stage_id != stage.stage_id
        )
        if name in run.designs
        and (outputs := run.outputs.get(name)) is not None
        and outputs.study is not None
    ]
    return tuple(found[-2:])


def take_description(run: Run, stage: Stage) -> None:
    """The design's description as the stage's code; it was reviewed with the design, so nobody is asked."""
    design = run.state.design
    assert design is not None
    run.update(
        "generate_code",
        code=design.code,
        reviewer_feedback="",
        code_note=CodeNote(explanation="the design is the description; trusted code solves and measures it"),
    )
    atomic_write(run.run_dir / stage.stage_id / "code.py", design.code)
    run.console.say("the description is solved as it is: no script is written", stage=stage.stage_id)


def without_unanswered(run: Run, stage: Stage, design: Design) -> Design:
    """The design with the targets that its description is silent about among those that it does not answer: where no version is left,
    what can be computed is, and a target alone sends no stage back to a person."""
    try:
        answered = answering(described(run, design))
    except (DescriptionRefused, *FAULTS):
        return design
    wanted = {target.target_id for target in stage.targets} - {entry.target for entry in design.unanswerable}
    silent = sorted(wanted - set(answered))
    if not silent or not wanted & set(answered):
        return design
    run.console.say(f"not attempted, no quantity answers: {', '.join(silent)}", stage=stage.stage_id)
    reason = "the designer's last version answers it with no quantity and gives no reason"
    left = tuple(Unanswerable(target=name, reason=reason) for name in silent)
    return design.model_copy(update={"unanswerable": (*design.unanswerable, *left)})


def _answer_issues(found: Description, stage: Stage, design: Design) -> list[Issue]:
    answers = answering(found)
    wanted = {target.target_id: target for target in stage.targets}
    left_out = {entry.target for entry in design.unanswerable}
    issues = [
        blocking("answers", f"{name!r} is no target of the stage", f"use {', '.join(wanted)}")
        for name in sorted((set(answers) | left_out) - set(wanted))
    ]
    issues += [
        blocking(
            "unanswerable",
            f"target {name!r} is answered by {answers[name][0][0]}",
            "take it out of one of the two",
        )
        for name in sorted(left_out & set(answers))
    ]
    if left_out >= set(wanted):
        return [
            *issues,
            blocking(
                "unanswerable",
                "no target of the stage is left",
                "answer those that a scene can; where none can be described, the design has form script",
            ),
        ]
    wanted = {name: target for name, target in wanted.items() if name not in left_out}
    for name, target in wanted.items():
        given = answers.get(name, ())
        if not given:
            issues.append(
                blocking(
                    "answers",
                    f"no quantity answers target {name!r}",
                    f"name it in the answers of a quantity, as answers=({name!r},) of one of "
                    f"{', '.join(_could(found, target)) or 'its own'}; or in unanswerable, with the reason",
                )
            )
        elif len(given) > _most(target):
            issues.append(
                blocking(
                    "answers",
                    f"target {name!r} is answered by {', '.join(i for i, _ in given)}",
                    "name it once",
                )
            )
        elif target.reference.made_of and len(given) < 2:
            issues.append(
                blocking(
                    "answers",
                    f"target {name!r} is the {target.reference.made_of} of two results, and {given[0][0]} answers it alone",
                    "let two quantities answer it, of one scene or two, the first one first",
                )
            )
        elif (
            target.kind == "scalar"
            and target.reference.feature is None
            and any(form != "number" for _, form in given)
        ):
            issues.append(
                blocking(
                    "answers",
                    f"target {name!r} is a number, {given[0][0]} is a {given[0][1]}",
                    "measure it at one wavelength (band=Line(...)) in a scene of its own, or by a single-number quantity",
                )
            )
        elif target.kind in ("scalar", "curve") and any(form == "map" for _, form in given):
            issues.append(
                blocking(
                    "answers",
                    f"target {name!r} is read from a curve, {given[0][0]} is a map",
                    "let start and end differ along one axis: a line",
                )
            )
        elif target.kind == "curve" and not any(form == "curve" for _, form in given):
            issues.append(
                blocking(
                    "answers",
                    f"target {name!r} is a curve, {given[0][0]} is a single number",
                    "measure over a band, or add a Sweep of that quantity",
                )
            )
        elif target.kind == "map" and not any(form == "map" for _, form in given):
            issues.append(
                blocking(
                    "answers",
                    f"target {name!r} is a map, {given[0][0]} is a {given[0][1]}",
                    "a field between corners start and end that differ along two axes, or a Sweep of a "
                    "spectrum over a parameter",
                )
            )
    return issues


def _could(found: Description, target: Target) -> list[str]:
    """Quantities and sweeps of a description whose form a target can take: a number may be read from a curve."""
    forms = {"scalar": ("number", "curve"), "curve": ("curve",), "map": ("map",)}.get(
        target.kind, ("number", "curve", "map")
    )
    problem = found.resolved()
    return [item.id for item in (*problem.quantities, *problem.sweeps) if form_of(problem, item) in forms]


def _most(target: Target) -> int:
    feature = target.reference.feature
    if target.reference.made_of:
        return 2
    return 2 if feature is not None and not isinstance(feature, str) and feature.curves == 2 else 1
