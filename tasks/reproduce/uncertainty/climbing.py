"""The cheapest ladder that reaches what is wanted: numerics fixed at the coarse rung, then finer grids."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from schemas.reproduce.simulations.numerics import Rung
from simkit.arrange import Numerics
from tasks.reproduce.measuring import Curve, Map
from tasks.reproduce.solving.groups import Group
from tasks.reproduce.solving.one_run import Solver
from tasks.reproduce.solving.run_cost import START_S, foresee
from tasks.reproduce.solving.varying import Missing, Outcome, Value
from tasks.reproduce.uncertainty.aims import NO_TARGET, Aim, counts, does, heavy, joined, worst
from tasks.reproduce.uncertainty.boundaries import vary_boundaries
from tasks.reproduce.uncertainty.climbed import Climb, dimensions_of
from tasks.reproduce.uncertainty.error_parts import Variants, difference
from tasks.reproduce.uncertainty.ladder import APART, fitting, next_rungs
from tasks.reproduce.uncertainty.sampling import sample, with_places

MOST_RUNGS = 6
GRID_SHARE = 0.8  # of what is wanted, that the grid may use up
DEAR_S = 30.0  # CPU seconds of a grid; a cheaper one is solved also where what is known already would do
MUCH_DEARER = 3.0  # times the grid that is asked for: a dear one that all lengths fit is not taken then
_MOST_TOLD = 3  # numbers on a line of the terminal
_ENOUGH = "no finer grid than {:g} pixels per unit: a person said that it is enough"


def climb(
    group: Group, solver: Solver, wanted: Mapping[str, Aim], allowance: float, most: int = MOST_RUNGS
) -> Climb:
    """The group's quantities at as many rungs as their aims need, within `allowance` CPU seconds.

    Nothing that is finished is lost when the allowance ends: the rungs so far stand, and the rest is said to be missing.
    """
    start = solver.budget.used
    made = _at_first(with_places(group, wanted))
    _tell(made, solver, made.numerics.resolution, foreseen_s(group, solver))

    def left() -> float:
        return min(allowance - (solver.budget.used - start), solver.budget.left)

    made.coarse = made.group.evaluate(made.numerics, solver)
    made.outcomes.append(("coarse", made.coarse))
    if most > 1 and any(not isinstance(value, Missing) for value in made.coarse.values.values()):
        sample(made, solver, wanted, left)
        vary_boundaries(made, solver, wanted, left)
    _record(made, made.numerics.resolution, made.coarse)
    go_on(made, solver, wanted, left, most)
    return made


def foreseen_s(group: Group, solver: Solver) -> float:
    """CPU seconds of a group's first grid by the model; 0 for what cannot be arranged."""
    made = _at_first(group)
    runs = {run.digest(): run for _, run in made.group.runs_at(made.numerics)}
    return sum(solver.foreseen_s(run) for run in runs.values())


def _at_first(group: Group) -> Climb:
    need = group.needs()
    first = fitting(need)
    return Climb(group.with_rung(first), Numerics(resolution=first), need)


def go_on(
    made: Climb,
    solver: Solver,
    wanted: Mapping[str, Aim],
    left: Callable[[], float],
    most: int = MOST_RUNGS,
    along: Sequence[Climb] = (),
) -> None:
    """Further rungs, as long as some aim asks for one and the CPU seconds that are left allow it.

    along: ladders on the same grids so far that climb grid for grid with this one: of numbers that make a target together nothing
    is known but on grids that both have, where most of each one's own error may drop out of it.
    """
    team = (made, *along)
    _end(team, "")
    last = {id(one): one.finest_outcome for one in team}
    while (known := _variants(team)) and (count := max(len(v.rungs) for v in known.values())) < most:
        factor, enough, why = _factors(team, wanted)
        if factor <= 1:
            break
        dimensions = max(dimensions_of(one.coarse) for one in team)
        costs = {
            rung: sum(_cost_s(one, last[id(one)].cost_s, rung, dimensions) for one in team)
            for rung in next_rungs(made.need, made.finest, factor, dimensions)
        }
        costs |= {
            rung: 0.0
            for rung in costs
            if costs[rung] > left() and all(_had(one, solver, rung) for one in team)
        }
        ranked = [rung for rung, foreseen in costs.items() if foreseen <= left()]
        if len(ranked) > 1 and costs[ranked[0]] > max(DEAR_S, MUCH_DEARER * costs[ranked[1]]):
            ranked = ranked[1:]  # a regular sequence is not worth that
        resolution = next(iter(ranked), None)
        if resolution is None:
            foreseen = min(costs.values())
            _end(
                team,
                f"no finer grid than {made.finest:g} pixels per unit; the next would need about {foreseen:.0f} s of "
                f"CPU time, {max(0.0, left()):.0f} s are left{why}",
            )
            break
        spent = sum(outcome.cost_s for one in team for _, outcome in one.outcomes)
        if costs[resolution] > max(spent, DEAR_S) and (does_for := _does(known, wanted)):
            _end(
                team,
                f"no finer grid than {made.finest:g} pixels per unit: {does_for}, and the next alone takes about "
                f"{costs[resolution]:.0f} s of CPU time{why}",
            )
            break
        whole = sum(outcome.cost_s for outcome in last.values()) * enough ** (dimensions + 1)
        if count > 3 and whole > left() and costs[resolution] > spent:
            _end(
                team,
                f"no finer grid than {made.finest:g} pixels per unit: what is wanted would need about {enough * made.finest:.0f} and "
                f"{whole:.0f} s of CPU time, {left():.0f} s are left, and the next grid alone takes {costs[resolution]:.0f} s{why}",
            )
            break
        if along:
            ahead = [partial(_there, one, resolution, last[id(one)]) for one in team]
            solver.ahead(ahead, costs[resolution] / len(team))
        for one in team:
            last[id(one)] = _on_grid(
                one, solver, resolution, costs[resolution] / len(team), last[id(one)], why
            )
        if any(max((len(v.rungs) for v in one.variants.values()), default=0) <= count for one in team):
            lost = last[id(made)]
            _end(team, _ENOUGH.format(made.finest) if solver.enough() else _out_of_time(made, lost))
            break  # nothing could be measured there


def _end(team: Sequence[Climb], why: str) -> None:
    for one in team:
        one.ended = why


def _variants(team: Sequence[Climb]) -> dict[str, Variants]:
    """Of the quantities of all ladders that climb together; none where one of them has no value."""
    found = [one.variants for one in team]
    return {name: v for variants in found for name, v in variants.items()} if all(found) else {}


def _on_grid(
    made: Climb, solver: Solver, resolution: float, cpu_s: float, last: Outcome, why: str
) -> Outcome:
    """One more rung of a ladder."""
    if resolution not in made.group.rungs:  # it may have been asked for before, and not begun
        made.group = made.group.with_rung(resolution)
    if not solver.enough():  # then it is taken where it is there already, and nothing of it begins
        _tell(made, solver, resolution, cpu_s, why)
    outcome = _there(made, resolution, last, solver)
    made.outcomes.append((f"resolution {resolution:g}", outcome))
    _record(made, resolution, outcome)
    return outcome


def _there(made: Climb, resolution: float, last: Outcome, solver: Solver) -> Outcome:
    """The values on another grid, starting from what the last one knows."""
    group = made.group if resolution in made.group.rungs else made.group.with_rung(resolution)
    return group.evaluate(replace(made.numerics, resolution=resolution), solver, known=last.known)


def _out_of_time(made: Climb, outcome: Outcome) -> str:
    """That a grid was not begun, or not finished, for lack of CPU time, where it was; the runs' own foresight may be higher."""
    lost = [value for value in outcome.values.values() if isinstance(value, Missing)]
    reason = next((value.reason for value in lost if value.failure_class == "budget"), "")
    return f"no finer grid than {made.finest:g} pixels per unit: {reason}" if reason else ""


def _cost_s(made: Climb, last_s: float, rung: float, dimensions: int) -> float:
    """CPU seconds of another grid, from what the finest so far took: as the model of costs has them grow, which knows what a step and
    a run cost whatever their pixels; with the pixels and steps alone where nothing can be arranged."""
    here, there = (
        made.group.with_rung(r).runs_at(replace(made.numerics, resolution=r)) for r in (made.finest, rung)
    )
    fixed = min(last_s, START_S * len({run.digest() for _, run in here}))
    now, then = (
        sum(max(0.0, foresee(run).cpu_s - START_S) for run in {run.digest(): run for _, run in runs}.values())
        for runs in (here, there)
    )
    if not now or not then:
        return last_s * (rung / made.finest) ** (dimensions + 1)
    return fixed + (last_s - fixed) * then / now


def _does(known: Mapping[str, Variants], wanted: Mapping[str, Aim]) -> str:
    """Why what is known of every quantity still does, in words, '' where it does not; two grids may agree by chance."""
    if any(len(v.rungs) < 3 for v in known.values()):
        return ""
    if all(does(joined(wanted[name], known), v) for name, v in known.items()):
        return "what it leaves open does for the verdict"
    asked = {name: joined(aim, known) for name, aim in heavy({name: wanted[name] for name in known}).items()}
    if counts(wanted, known) and all(
        does(aim, known[name]) for name, aim in asked.items() if aim[0].words != NO_TARGET
    ):
        return "what it leaves open of the targets that count does for the verdict"
    return ""


def _tell(made: Climb, solver: Solver, resolution: float, cpu_s: float, why: str = "") -> None:
    """Which grid is solved now, for what, what that takes, what asks for it, and what is known so far."""
    points = f" at {len(made.group.points)} points" if made.group.sweep else ""
    solver.tell(
        f"{made.group.name}: {', '.join(made.group.ids)}{points}, grid {len(made.group.rungs)} of at most {MOST_RUNGS} "
        f"({resolution:.4g} pixels per unit), about {cpu_s:.0f} CPU s{why}{_so_far(made)}"
    )


def _so_far(made: Climb) -> str:
    """The last grid's numbers, and how far the one before was off."""
    last = {name: rungs[-1] for name, rungs in made.rungs.items() if rungs and rungs[-1].value is not None}
    told = [
        f"{name} = {rung.value:.4g}"
        + ("" if rung.change is None else f" ({rung.change:.2g} from the grid before)")
        for name, rung in list(last.items())[:_MOST_TOLD]
    ]
    return f"; so far {', '.join(told)}" if told else ""


def _had(made: Climb, solver: Solver, resolution: float) -> bool:
    """Whether this study has the runs of a grid already: another sweep of the same spectra asked for them."""
    runs = made.group.with_rung(resolution).runs_at(replace(made.numerics, resolution=resolution))
    return bool(runs) and all(run.digest() in solver.costs for _, run in runs)


def _record(made: Climb, resolution: float, outcome: Outcome) -> None:
    for name in made.group.ids:
        value, lost = outcome.values.get(name, Missing("it was not measured")), outcome.lost.get(name)
        rungs = made.rungs.setdefault(name, [])
        if lost is not None and _shorter(value, made.variants.get(name)):
            value = lost  # what the coarser grid has of all points is worth more than this grid's of some
        if rungs and rungs[-1].resolution == resolution:
            rungs.pop()
        if isinstance(value, Missing):
            made.missing[name] = value
            rungs.append(
                Rung(
                    resolution=resolution, cpu_s=outcome.cpu_s, reason=value.reason, cause=value.failure_class
                )
            )
            continue
        made.missing.pop(name, None)
        variants = made.variants_of(name)
        variants.unsettled = outcome.unsettled
        made.lost[name] = "" if lost is None else lost.reason
        change = difference(value, variants.rungs[-1][1]) if variants.rungs else None
        variants.rungs.append((resolution, value))
        rungs.append(
            Rung(
                resolution=resolution,
                value=getattr(value, "value", None),
                cpu_s=outcome.cpu_s,
                change=None if change is None or not math.isfinite(change) else change,
            )
        )
    kinds: dict[str, list[Variants]] = {}
    for item in made.group.description.problem.quantities:
        if len(made.variants.get(item.id, Variants()).rungs) > 1:
            kinds.setdefault(item.type, []).append(made.variants[item.id])
    for alike in kinds.values():
        typical = typical_step([variants.step for variants in alike])
        for variants in alike:
            variants.typical = typical


def _shorter(value: Value, variants: Variants | None) -> bool:
    """Whether a sweep's curve has lost an end that the grid before has."""
    before = variants.rungs[-1][1] if variants is not None and variants.rungs else None
    if not isinstance(value, Curve) or not isinstance(before, Curve) or isinstance(value, Map):
        return False
    return bool(value.x[0] > before.x[0] or value.x[-1] < before.x[-1])


def typical_step(steps: Sequence[float]) -> float:
    """What quantities of a kind moved by: the median, or of two the larger. Their mean would be neither; and which of two
    agreed by chance, and so is more uncertain than its own step says, cannot be told from the other."""
    return float(np.median(steps) if len(steps) > 2 else max(steps))


def _factors(team: Sequence[Climb], wanted: Mapping[str, Aim]) -> tuple[float, float, str]:
    """How much finer the next grid should be for the worst quantity, 1 where all are good enough; how much finer, by the order that
    was seen, one would be that is; and which quantity asks for most, in words."""
    next_one, enough, asks, known = 1.0, 1.0, (1.0, ""), _variants(team)
    asked = [n for n in known if any(demand.words != NO_TARGET for demand in wanted[n])]
    for name in asked or known:  # what nobody asks for comes along on the grids of what somebody does
        variants = known[name]
        if len(variants.rungs) < 2:
            next_one = max(next_one, 1.4)
            continue
        left, order = worst(joined(wanted[name], known), variants)
        if (over := left / GRID_SHARE) > 1:
            finer = over ** (1 / min(max(order or 1.0, 1.0), variants.formal))
            most = 2.0 if len(variants.rungs) > 2 else 1.5  # two rungs know no order: the third may be cheap
            reached = over ** (1 / min(max(order or variants.formal, 1.0), variants.formal))
            next_one, enough = max(next_one, min(most, max(APART, finer))), max(enough, reached)
            asks = max(
                asks,
                (over, f"; of {name} the grid leaves {over:.2g} times what it may"),
            )
    return next_one, enough, asks[1]
