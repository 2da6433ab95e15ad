"""One call for a description: values with uncertainty, oracle, witnesses, sensitivities, findings, cost."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

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
from simkit.describe.units import UNITS
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
from tasks.reproduce.uncertainty.aims import Aim, Demand, joined, missed, told, within
from tasks.reproduce.uncertainty.beside import beside
from tasks.reproduce.uncertainty.climbed import Climb
from tasks.reproduce.uncertainty.climbing import MOST_RUNGS, climb, go_on
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
    on_climb: given every ladder with its values, for those who keep files of their own. elsewhere: parameters that other
    stages use, whose absence here is no finding. others: of a material other tables by page, which sensitivities try.
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
    for most in (1,) if coarse else (2, MOST_RUNGS):
        if len(groups) > 1:  # each by itself beside the others; the loop finds what they solved
            solver.ahead(
                [
                    partial(_ahead, group, aims, share, reserve / len(groups), most, examine, others)
                    for group in groups
                ],
                math.inf,
            )
    climbs: list[Climb] = []
    for number, group in enumerate(groups):
        allowance = max(0.0, (solver.budget.left - reserve) / (len(groups) - number))
        climbs.append(climb(group, solver, aims, allowance, 1 if coarse else 2))
    if (
        not coarse
    ):  # no third grid before all have a second: with one nothing is known; last, what others left over
        aims = _apart(aims, climbs)
        _shared(climbs, solver, aims, reserve)
        _shared([made for made in climbs if made.ended], solver, aims, reserve)
    for group, made in zip(groups, climbs, strict=True):
        with_sampling(made)
        on_climb(made)
        affordable = _affordable(solver, reserve / len(groups), solver.budget.used)
        seen: Mapping[str, tuple[Witness, ...]] = {}
        ranked: Mapping[str, tuple[Sensitivity, ...]] = {}
        if examine and not coarse:
            solver.tell(f"{group.name}: {'witnesses and ' if witnessed else ''}sensitivities")
            seen = {
                **(witnesses(made, solver, affordable) if witnessed else {}),
                **free_witnesses(made, solver, affordable),
            }
            doubts = _affordable(solver, _worth(made, reserve / len(groups)), solver.budget.used)
            ranked = sensitivities(made, solver, doubts, others)
        results += [
            _result(
                made,
                name,
                joined(aims[name], made.variants),
                materials,
                folder,
                seen.get(name, ()),
                ranked.get(name, ()),
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
        cost_s=solver.budget.used,
        budget_s=budget,
        meep_version=solver.meep.meep_version,
        remarks=tuple(remarks),
    )
    atomic_write(folder / "study.json", result.model_dump_json(indent=1))
    return result


def _apart(aims: Mapping[str, Aim], climbs: Sequence[Climb]) -> dict[str, Aim]:
    """What is wanted of numbers that make a target with one of another ladder, now that both have a value."""
    finest = {name: v.finest for made in climbs for name, v in made.variants.items() if v.rungs}
    ladder = {name: number for number, made in enumerate(climbs) for name in made.variants}

    def own(name: str, demand: Demand) -> Demand:
        pair = demand.pair
        one = pair is None or ladder.get(pair.first) == ladder.get(pair.second)
        return demand if one else demand.apart(name, finest)

    return {name: tuple(own(name, demand) for demand in aim) for name, aim in aims.items()}


def _shared(climbs: Sequence[Climb], solver: Solver, aims: Mapping[str, Aim], reserve: float) -> None:
    """Further grids of ladders, each with an equal share of what those before it left."""
    for done, made in enumerate(climbs):
        end = solver.budget.left - (solver.budget.left - reserve) / (len(climbs) - done)
        go_on(made, solver, aims, partial(_until, solver, end))


def _ahead(
    group: Group,
    aims: Mapping[str, Aim],
    share: float,
    reserve: float,
    most: int,
    examine: bool,
    others: Tables,
    solver: Solver,
) -> None:
    """A group's ladder of at most so many grids, and its sensitivities if it is whole, for their runs; it is allowed no more than what
    is left for it in any case."""
    made = climb(group, solver, aims, share, most)
    if examine and most == MOST_RUNGS:
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
        value = values[name] / UNITS[item.unit].factor if item.value is None else item.value
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
        oracle=beside(made, described, told, points, uncertainty, materials),
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
