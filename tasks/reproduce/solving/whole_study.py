"""One call for a description: values with uncertainty, oracle, witnesses, sensitivities, findings, cost."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from schemas.base import FileRef, digest
from schemas.reproduce.simulations.numerics import (
    ComputedNumber,
    QuantityResult,
    RunCost,
    Sensitivity,
    SimulatedParameter,
    StudyResult,
    Witness,
)
from simkit.describe.document import chosen, computed, used
from simkit.describe.light import Line
from simkit.describe.numbers import evaluate, retraced
from simkit.describe.problem import Problem
from tasks.files.store import atomic_write
from tasks.reproduce.describing.equal_parts import counted
from tasks.reproduce.describing.in_sandbox import Description
from tasks.reproduce.describing.lint import lint
from tasks.reproduce.drawing import draw_scenes
from tasks.reproduce.measuring import Curve, Scalar
from tasks.reproduce.solving.columns import described_as
from tasks.reproduce.solving.curve_files import write_curve, write_variants
from tasks.reproduce.solving.estimate import costs_of
from tasks.reproduce.solving.groups import Group, groups_of
from tasks.reproduce.solving.one_run import Solver
from tasks.reproduce.solving.varying import Missing
from tasks.reproduce.uncertainty.aims import Aim, Demand, counts, heavy, joined, missed, told, within
from tasks.reproduce.uncertainty.beside import SOON_CPU_S, THEORY_CPU_S, beside
from tasks.reproduce.uncertainty.climbed import Climb
from tasks.reproduce.uncertainty.climbing import climb, foreseen_s, go_on
from tasks.reproduce.uncertainty.error_parts import Variants, on_grids, parts_of, scale_of, total
from tasks.reproduce.uncertainty.free import described_by
from tasks.reproduce.uncertainty.free_witnesses import free_verdict, free_witnesses, with_sampling
from tasks.reproduce.uncertainty.sensitivity import Tables, sensitivities
from tasks.reproduce.uncertainty.witnesses import verdict, witnesses

WANTED = 0.005  # relative uncertainty, where nobody asks for another
WANTED_CURVE = 0.01  # of a curve, root mean square
LADDER_SHARE = 0.7  # of the budget; the rest is for witnesses and sensitivities
DOUBTS_S = 60.0  # sensitivities that cost less are computed, however cheap the values were
Say = Callable[[str], None]
_Step = Literal["begun", "counts", "whole"]


def study(
    description: Description,
    materials: Mapping[str, Any],
    solver: Solver,
    folder: Path,
    *,
    wanted: Mapping[str, Aim] | None = None,
    coarse: bool = False,
    examine: bool = True,
    witnessed: bool = True,
    say: Say | None = None,
    on_climb: Callable[[Climb], None] | None = None,
    elsewhere: Collection[str] = (),
    others: Tables | None = None,
) -> StudyResult:
    """The result of a description; files go to `folder`. The solver's sandbox is closed at the end.

    materials: confirmed fits by name, as in params.json. wanted: how well each quantity must be known; otherwise
    to WANTED for numbers, to WANTED_CURVE for curves.
    coarse: one rung only, nothing varied: a look, no evidence. examine: witnesses and sensitivities as well; without
    `witnessed` sensitivities alone: what a trusted reducer measured in trusted runs needs no witness, and witnesses cost more
    than the value. Functions of the writer's own always have theirs.
    on_climb: given every ladder with its values. elsewhere: parameters that other stages use, whose absence here is no finding.
    others: of a material other tables by page, which sensitivities try.
    One quantity that fails leaves the others alone, and when the budget of CPU time ends what is finished stands.
    Raises PrerequisiteError only.
    """
    solver.say = say
    try:
        return _studied(
            description,
            materials,
            solver,
            folder,
            wanted or {},
            coarse,
            examine,
            witnessed,
            on_climb or (lambda climb: None),
            elsewhere,
            others or {},
        )
    finally:
        solver.close()


def _studied(
    description: Description,
    materials: Mapping[str, Any],
    solver: Solver,
    folder: Path,
    wanted: Mapping[str, Aim],
    coarse: bool,
    examine: bool,
    witnessed: bool,
    on_climb: Callable[[Climb], None],
    elsewhere: Collection[str],
    others: Tables,
) -> StudyResult:
    groups = groups_of(description, materials)
    usual = usual_aims(description.problem)
    aims = {name: wanted.get(name, usual[name]) for group in groups for name in group.ids}
    results: list[QuantityResult] = []
    remarks: list[str] = []
    costs: dict[str, RunCost] = {}
    budget = solver.budget.left
    reserve = 0.0 if coarse or not examine else (1 - LADDER_SHARE) * budget
    share = max(0.0, (budget - reserve) / len(groups)) if groups else 0.0
    light = any(demand.light for aim in aims.values() for demand in aim)
    most = 1 if coarse else 2
    steps: tuple[_Step, ...] = ("begun",) if coarse else ("begun", *(("counts",) if light else ()), "whole")
    cheapest = sorted(range(len(groups)), key=lambda number: foreseen_s(groups[number], solver))
    if len(groups) > 1:  # side by side; the loop finds what they solved
        solver.ahead(
            [
                partial(
                    _ahead, groups[number], aims, share, reserve / len(groups), most, step, examine, others
                )
                for step in steps
                for number in sorted(cheapest, key=lambda number: not counts(aims, groups[number].ids))
                if step != "counts" or counts(aims, groups[number].ids)
            ],
            math.inf,
        )
    made_of: dict[int, Climb] = {}
    for number in cheapest:  # what it leaves is for the dear ones
        allowance = max(0.0, (solver.budget.left - reserve) / (len(groups) - len(made_of)))
        made_of[number] = climb(groups[number], solver, aims, allowance, most)
    climbs = [made_of[number] for number in range(len(groups))]
    if (
        not coarse
    ):  # no third grid before all have a second: with one nothing is known; last, what others left over
        teams = _teams(aims, [made_of[number] for number in cheapest])
        aims = _apart(aims, teams)
        if light:  # what counts for no verdict waits
            before = [team for team in teams if any(counts(aims, made.group.ids) for made in team)]
            _shared(before, solver, heavy(aims), reserve)
        _shared(teams, solver, aims, reserve)
        _shared([team for team in teams if team[0].ended], solver, aims, reserve)
    every = {name: v for made in climbs for name, v in made.variants.items()}
    for group, made in zip(groups, climbs, strict=True):
        with_sampling(made)
        on_climb(made)
        affordable = _affordable(solver, reserve / len(groups), solver.budget.used)
        seen: Mapping[str, tuple[Witness, ...]] = {}
        ranked: Mapping[str, tuple[Sensitivity, ...]] = {}
        if examine and not coarse:
            if witnessed:
                solver.tell(f"{group.name}: does it come from the fields?")
            seen = {
                **(witnesses(made, solver, affordable) if witnessed else {}),
                **free_witnesses(made, solver, affordable),
            }
            doubts = _affordable(solver, _worth(made, reserve / len(groups)), solver.budget.used)
            ranked = sensitivities(made, solver, doubts, others, aims)
        if not coarse:
            solver.tell(f"{group.name}: exact theory beside it, where there is one")
        results += [
            _result(
                made,
                name,
                joined(aims[name], every),
                materials,
                folder,
                seen.get(name, ()),
                ranked.get(name, ()),
                SOON_CPU_S if solver.enough() else THEORY_CPU_S,
            )
            for name in group.ids
        ]
        remarks += made.remarks
        if made.ended:
            remarks.append(f"{made.group.name}: {made.ended}")
        costs |= {cost.digest: cost for cost in costs_of(made, solver)}
    result = StudyResult(
        digest=digest(
            {
                "document": dict(description.parametric),
                "values": description.parameters.values(),
                "materials": dict(materials),
                "wanted": {name: told(aim) for name, aim in aims.items()},
                "coarse": coarse,
            },
            32,
        ),
        quantities=tuple(results),
        parameters=simulated(description),
        computed=computed_numbers(description),
        scenes=chosen_words(description),
        counted=tuple(found.words(description.parameters.scale) for found in counted(description)),
        findings=tuple(lint(description, materials, elsewhere)),
        runs=tuple(costs.values()),
        drawings=drawings(description, folder),
        cpu_s=sum(solver.ran.values()),
        solved={digest: round(cpu_s, 3) for digest, cpu_s in (solver.kept | solver.ran).items()},
        cost_s=solver.budget.used,
        budget_s=budget,
        meep_version=solver.meep.meep_version,
        remarks=tuple(remarks),
    )
    atomic_write(folder / "study.json", result.model_dump_json(indent=1))
    return result


def _teams(aims: Mapping[str, Aim], climbs: Sequence[Climb]) -> list[list[Climb]]:
    """Ladders that go on together: of scenes whose numbers make a target, and that ask for the same grids and had them so far."""
    of = {name: number for number, made in enumerate(climbs) for name in made.variants}
    teams = [[made] for made in climbs]
    for pair in [demand.pair for aim in aims.values() for demand in aim if demand.pair is not None]:
        if {pair.first, pair.second} <= of.keys():
            one, other = teams[of[pair.first]], teams[of[pair.second]]
            if one is not other and _grids(one[0]) == _grids(other[0]):
                one += other
                teams = [one if team is other else team for team in teams]
    return list({id(team): team for team in teams}.values())


def _grids(made: Climb) -> tuple[object, ...]:
    """What a ladder asks of its grids, and those it had."""
    rungs = next(iter(made.variants.values())).rungs
    return made.need.whole, made.need.periods, [round(resolution, 6) for resolution, _ in rungs]


def _apart(aims: Mapping[str, Aim], teams: Sequence[Sequence[Climb]]) -> dict[str, Aim]:
    """What is wanted of numbers that make a target with one of another ladder that climbs by itself, now that both have a value."""
    finest = {
        name: v.finest for team in teams for made in team for name, v in made.variants.items() if v.rungs
    }
    ladder = {name: number for number, team in enumerate(teams) for made in team for name in made.variants}

    def own(name: str, demand: Demand) -> Demand:
        pair = demand.pair
        one = pair is None or ladder.get(pair.first) == ladder.get(pair.second)
        return demand if one else demand.apart(name, finest)

    return {name: tuple(own(name, demand) for demand in aim) for name, aim in aims.items()}


def _shared(
    teams: Sequence[Sequence[Climb]], solver: Solver, aims: Mapping[str, Aim], reserve: float
) -> None:
    """Further grids of ladders, each with an equal share of what those before it left."""
    waiting = sum(len(team) for team in teams)
    for first, *along in teams:
        share = (1 + len(along)) / waiting
        end = solver.budget.left - (solver.budget.left - reserve) * share
        waiting -= 1 + len(along)
        go_on(first, solver, aims, partial(_until, solver, end), along=along)


def _ahead(
    group: Group,
    aims: Mapping[str, Aim],
    share: float,
    reserve: float,
    most: int,
    step: _Step,
    examine: bool,
    others: Tables,
    solver: Solver,
) -> None:
    """A group's ladder, for its runs: its first grids, further ones for what counts, or all and its sensitivities; it is allowed no more
    than what is left for it in any case."""
    end = solver.budget.used + share

    def left() -> float:
        return min(end - solver.budget.used, solver.budget.left)

    made = climb(group, solver, aims, share, most)
    if step != "begun" and counts(aims, group.ids):
        go_on(made, solver, heavy(aims), left)
    if step == "whole":
        go_on(made, solver, aims, left)
    if step == "whole" and examine:
        sensitivities(made, solver, _affordable(solver, _worth(made, reserve), solver.budget.used), others)


def usual_aims(problem: Problem) -> dict[str, Aim]:
    """How well each quantity and sweep is known where nobody asks for more or less."""
    lines = {scene.id for scene in problem.scenes if isinstance(getattr(scene, "band", None), Line)}
    curves = {q.id for q in problem.quantities if q.curve and q.scene not in lines} | {
        sweep.id for sweep in problem.sweeps
    }
    return {
        item.id: within(WANTED_CURVE if item.id in curves else WANTED)
        for item in (*problem.quantities, *problem.sweeps)
    }


def simulated(description: Description) -> tuple[SimulatedParameter, ...]:
    """Every parameter with its origin and the paper's words."""
    rests_on = used(description.parametric, description.parameters)
    values = description.parameters.values()
    out = []
    for name, item in description.parameters.items().items():
        value = description.parameters.told(name, values[name]) if item.value is None else item.value
        out.append(
            SimulatedParameter(
                id=name,
                value=value,
                unit=item.unit,
                origin=item.origin,
                meaning=item.meaning,
                quotation=item.quotation,
                assumption_id=item.assumption_id,
                expression=item.expression,
                used=name in rests_on or item.count,
            )
        )
    return tuple(out)


def chosen_words(description: Description) -> tuple[str, ...]:
    """What each scene is and what is measured in it for which target: medium, side, angle, polarisation, order."""
    problem = description.problem
    return (
        *(f"{scene.id}: {chosen(scene)}" for scene in problem.scenes),
        *(
            f"{', '.join(q.answers) or 'no target'}: {chosen(q)} ({q.id}) of {q.scene}"
            for q in problem.quantities
        ),
        *(
            f"{', '.join(s.answers) or 'no target'}: {s.of} over {s.parameter} ({s.id})"
            for s in problem.sweeps
        ),
    )


def computed_numbers(description: Description) -> tuple[ComputedNumber, ...]:
    """Every number of structure and light that is no parameter as it stands."""
    values = description.parameters.values()
    return tuple(
        ComputedNumber(
            where=where,
            expression=expression,
            value=evaluate(expression, values),
            power=retraced(expression, description.parameters.traced).power,
        )
        for where, expression in computed(description.problem, description.parametric)
    )


def drawings(description: Description, folder: Path) -> tuple[FileRef, ...]:
    """A picture of each scene with its dimensions, below `folder`."""
    drawn = draw_scenes(
        description.parametric, description.resolved(), description.parameters, folder / "drawings"
    )
    return tuple(FileRef.of(path, folder) for path in drawn.values())


def _until(solver: Solver, end: float) -> float:
    """What may be used before no more than `end` is left of the budget."""
    return solver.budget.left - end


def _worth(made: Climb, share: float) -> float:
    """CPU seconds for a group's sensitivities, assumptions first: of its share no more than its values took."""
    return min(share, max(DOUBTS_S, sum(outcome.cost_s for _, outcome in made.outcomes)))


def _affordable(solver: Solver, share: float, began: float) -> Callable[[float], bool]:
    return lambda cost: cost <= min(share - (solver.budget.used - began), solver.budget.left)


def _result(
    made: Climb,
    name: str,
    aim: Aim,
    materials: Mapping[str, Any],
    folder: Path,
    seen: tuple[Witness, ...],
    ranked: tuple[Sensitivity, ...],
    theory_s: float,
) -> QuantityResult:
    described = described_as(made.group.description, name)
    common: dict[str, Any] = {
        "id": name,
        "kind": described.type,
        "scene": getattr(described, "scene", getattr(described, "of", "")),
        "answers": described.answers,
        "rungs": tuple(made.rungs.get(name, ())),
        "ended": made.ended,
    }
    if (free := described_by(made.group.description.problem, name)) is not None:
        common |= {"code": free.printed(), "made_of": free.sees()}
    variants = made.variants.get(name)
    if variants is None or not variants.rungs:
        missing = made.missing.get(name, Missing("it was not measured"))
        return QuantityResult(**common, status="no value", reason=missing.reason, cause=missing.failure_class)
    common |= {"unsettled": variants.unsettled, "lost": made.lost.get(name, "")}
    parts, order, points = parts_of(variants)
    told = on_grids(variants).value
    known = missed(aim, variants)
    common["wanted"] = min(demand.relative(variants) for demand in aim)
    if isinstance(told, Scalar):
        uncertainty = total(parts)
        common |= {"value": told.value, "power": told.power}
    else:
        sure = len(variants.rungs) > 1 and points is not None
        uncertainty = float(np.max(points)) if sure and points is not None else None
        common |= {
            "axis": told.axis,
            "power": told.power,
            "curve": FileRef.of(write_curve(folder, name, told, points if sure else None), folder),
            "variants": FileRef.of(write_variants(folder, name, variants), folder),
        }
    reason = _doubt(made.ended, parts, known)
    return QuantityResult(
        **common,
        status="not converged" if reason else "converged",
        reason=reason,
        scale=scale_of(told),
        uncertainty=uncertainty,
        parts=parts,
        observed_order=order,
        formal_order=variants.formal,
        oracle=beside(made, described, told, points, uncertainty, materials, theory_s),
        witnesses=seen,
        sensitivities=ranked,
        from_fields=verdict(seen) if free is None else free_verdict(made, seen),
    )


def _doubt(ended: str, parts: tuple[Any, ...], known: tuple[float, float] | None) -> str:
    """Why a value is not converged; the error of a material's fit is no question of convergence."""
    if known is None:
        return "one resolution: nothing is known about the error" + (f"; {ended}" if ended else "")
    absent = [part.part for part in parts if part.state == "not computed"]
    if absent:
        return f"not computed: {', '.join(absent)}"
    found, goal = known
    if found > goal:
        worst = max((part for part in parts if part.part != "materials"), key=lambda part: part.value or 0.0)
        return f"numerical uncertainty {found:.2g}, wanted {goal:.2g}; the largest part is {worst.part}"
    return ""


def feature_uncertainty(variants: Variants, feature: Callable[[Curve], float]) -> tuple[float, float | None]:
    """A number read from a curve (an extremum's place, a width) and its uncertainty from all variants and the sampling.

    Sampling: the number read from every other sample, a quarter of the change.
    """
    read = variants.read(lambda value: feature(value) if isinstance(value, Curve) else value.value)
    parts, _, _ = parts_of(read)
    finest, value = variants.finest, on_grids(read).value.value
    sparse = 0.0
    if isinstance(finest, Curve) and finest.x.size >= 9:
        sparse = abs(feature(replace(finest, x=finest.x[::2], y=finest.y[::2])) - feature(finest)) / 4
    known = total(parts)
    return value, None if known is None else math.hypot(known, sparse)
