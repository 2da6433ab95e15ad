"""The cheapest ladder that reaches a wanted uncertainty: numerics fixed at the coarse rung, then finer grids."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from schemas.reproduce.numerics import Part, Rung
from simkit.arrange import Needs, Numerics
from simkit.runs import BandsRun, Run
from tasks.reproduce.measuring import Curve, Map
from tasks.reproduce.solving.ladder import APART, fitting, next_rung
from tasks.reproduce.solving.sampling import MOST_POINTS, refined, turning
from tasks.reproduce.solving.solving import Solver
from tasks.reproduce.solving.uncertainty import (
    Variants,
    axis_errors,
    difference,
    parts_of,
    sampling_error,
    scale_of,
    typical_difference,
)
from tasks.reproduce.solving.varying import Group, Missing, Outcome

CHANGES: Mapping[Part, Callable[[Numerics], Numerics]] = {
    "absorber": lambda n: replace(n, absorber=2 * n.absorber), "padding": lambda n: replace(n, padding=2 * n.padding),
    "decay": lambda n: replace(n, decay=n.decay / 10), "run time": lambda n: replace(n, run_time=1.5 * n.run_time)}
ADOPTED: Mapping[Part, Callable[[Numerics], Numerics]] = {  # every grid pays for these, so less than what shows the error
    **CHANGES, "absorber": lambda n: replace(n, absorber=1.5 * n.absorber),
    "padding": lambda n: replace(n, padding=1.4 * n.padding)}
MOST_RUNGS, MOST_SAMPLES, MOST_UPGRADES = 6, 801, 3
FINER = 1.5  # how much finer the second grid is at most
_SAMPLED = 0.005  # features are read from curves: their sampling is never coarser than this asks for
_SHARE = 0.4  # of the wanted uncertainty that one part but resolution may use up


@dataclass
class Climb:
    """What a group's ladder gave: variants by quantity, what has no value, the rungs, and the coarse outcome."""

    group: Group
    numerics: Numerics
    need: Needs
    variants: dict[str, Variants] = field(default_factory=dict)
    missing: dict[str, Missing] = field(default_factory=dict)
    rungs: dict[str, list[Rung]] = field(default_factory=dict)
    coarse: Outcome = field(default_factory=lambda: Outcome({}))
    outcomes: list[tuple[str, Outcome]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def finest(self) -> float:
        """The finest grid so far, pixels per unit length."""
        return max((v.rungs[-1][0] for v in self.variants.values() if v.rungs), default=self.numerics.resolution)


def climb(group: Group, solver: Solver, wanted: Mapping[str, float], allowance: float, most: int = MOST_RUNGS) -> Climb:
    """The group's quantities at as many rungs as their wanted relative uncertainties need, within `allowance` CPU seconds.

    Nothing that is finished is lost when the allowance ends: the rungs so far stand, and the rest is said to be missing.
    """
    start = solver.budget.used
    need = group.needs()
    made = Climb(group, Numerics(resolution=fitting(need.whole, need.resolution)), need)

    def left() -> float:
        return min(allowance - (solver.budget.used - start), solver.budget.left)

    made.coarse = group.evaluate(made.numerics, solver)
    made.outcomes.append(("coarse", made.coarse))
    if most > 1:
        _sample(made, solver, wanted, left)
        _boundaries(made, solver, wanted, left)
    _record(made, made.numerics.resolution, made.coarse)
    while made.variants and (count := max(len(v.rungs) for v in made.variants.values())) < most:
        factor = _factor(made, wanted)
        if factor is None:
            break
        resolution = next_rung(made.need, made.finest, factor)
        foreseen = made.outcomes[-1][1].cost_s * (resolution / made.finest) ** (_dimensions(made.coarse) + 1)
        if foreseen > left():
            made.remarks.append(f"{group.name}: no finer grid than {made.finest:g} pixels per unit; the next "
                                f"would need about {foreseen:.0f} s of CPU time, {max(0.0, left()):.0f} s are left")
            break
        outcome = made.group.evaluate(replace(made.numerics, resolution=resolution), solver, known=made.outcomes[-1][1].known)
        made.outcomes.append((f"resolution {resolution:g}", outcome))
        _record(made, resolution, outcome)
        if max((len(v.rungs) for v in made.variants.values()), default=0) == count:
            break  # nothing could be measured there
    return made


def _record(made: Climb, resolution: float, outcome: Outcome) -> None:
    for name in made.group.ids:
        value = outcome.values.get(name, Missing("it was not measured"))
        rungs = made.rungs.setdefault(name, [])
        if isinstance(value, Missing):
            made.missing[name] = value
            rungs.append(Rung(resolution=resolution, cpu_s=outcome.cpu_s, reason=value.reason))
            continue
        made.missing.pop(name, None)
        variants = made.variants.setdefault(name, Variants())
        change = difference(value, variants.rungs[-1][1]) if variants.rungs else None
        variants.rungs.append((resolution, value))
        rungs.append(Rung(resolution=resolution, value=getattr(value, "value", None), cpu_s=outcome.cpu_s,
                          change=None if change is None or not math.isfinite(change) else change))
    kinds: dict[str, list[Variants]] = {}
    for item in made.group.description.problem.quantities:
        if len(made.variants.get(item.id, Variants()).rungs) > 1:
            kinds.setdefault(item.type, []).append(made.variants[item.id])
    for alike in kinds.values():
        typical = typical_step([variants.step for variants in alike])
        for variants in alike:
            variants.typical = typical


def typical_step(steps: Sequence[float]) -> float:
    """What quantities of a kind moved by: the median, or of two the larger. Their mean would be neither; and which of two
    agreed by chance, and so is more uncertain than its own step says, cannot be told from the other."""
    return float(np.median(steps) if len(steps) > 2 else max(steps))


def _factor(made: Climb, wanted: Mapping[str, float]) -> float | None:
    """How much finer the next grid should be: as fine as the worst quantity needs; None when all are good enough."""
    factors = []
    for name, variants in made.variants.items():
        if len(variants.rungs) < 2:
            factors.append(1.4)
            continue
        parts, order, points = parts_of(replace(variants, changed={}))
        error = float(np.sqrt(np.mean(points**2))) if points is not None else parts[0].value or 0.0
        goal = 0.8 * wanted[name] * scale_of(variants.finest)
        if error > goal > 0:
            most = 2.0 if len(variants.rungs) > 2 else 1.5  # two rungs know no order: the third may be cheap
            factors.append(min(most, max(APART, (error / goal) ** (1 / min(max(order or 1.0, 1.0), 2.0)))))
    return max(factors, default=None)


def _sample(made: Climb, solver: Solver, wanted: Mapping[str, float], left: Callable[[], float]) -> None:
    """More frequencies, or more points of a sweep, until the curves and a sweep's extrema are resolved."""
    while True:
        coarse = {name: value for name, value in made.coarse.values.items() if isinstance(value, Curve)}
        rough = {name: value for name, value in coarse.items()
                 if sampling_error(value) > _SHARE * min(wanted[name], _SAMPLED) * scale_of(value)}
        chart = next((value for value in rough.values() if isinstance(value, Map)), None)
        if made.group.sweep is not None and (chart is None or axis_errors(chart)[1] >= axis_errors(chart)[0]):
            points = _points(made, next(iter(coarse.values()), None), bool(rough), left())
            if points is None:
                return
            made.group = made.group.with_points(points)
        elif not rough or made.numerics.samples * 2 - 1 > MOST_SAMPLES or 2 * made.coarse.cost_s > left():
            return
        else:
            made.numerics = replace(made.numerics, samples=2 * made.numerics.samples - 1)
        finer = made.group.evaluate(made.numerics, solver)
        grown = any(isinstance(finer.values.get(name), Curve) and finer.values[name].x.size > value.x.size  # type: ignore[union-attr]
                    for name, value in coarse.items())
        if not grown:
            made.numerics = replace(made.numerics, samples=(made.numerics.samples + 1) // 2)
            return
        made.coarse = finer
        made.outcomes.append(("sampling", finer))


def _points(made: Climb, curve: Curve | None, rough: bool, left: float) -> list[float] | None:
    """The points of a sweep with those that resolve it, and its extrema, better; None where there are none to add.

    Every point is solved again for each variant and on a finer grid: no more are added than leave CPU time for these.
    """
    if curve is None or made.group.whole or (isinstance(curve, Map) and not rough):
        return None
    known = len(made.group.points)
    each = made.coarse.cost_s / known
    again = len(CHANGES) - 1 + FINER ** (_dimensions(made.coarse) + 1)  # of the variants one has nothing to vary
    if isinstance(curve, Map):
        choices = [np.linspace(curve.grid[1][0], curve.grid[1][-1], 2 * known - 1)]
    else:
        turns = np.union1d(curve.x, turning(curve, _SHARE * _SAMPLED))
        choices = [np.union1d(refined(curve), turns) if rough else turns, turns]
    for points in choices:
        if known < points.size <= MOST_POINTS and each * (points.size - known + again * points.size) <= left:
            return [float(x) for x in points]
    return None


def _boundaries(made: Climb, solver: Solver, wanted: Mapping[str, float], left: Callable[[], float]) -> None:
    """Vary absorber, padding, decay and time at the coarse rung; adopt a change that matters and vary again."""
    found: dict[Part, Outcome] = {}
    nothing: dict[Part, str] = {}
    short: dict[Part, str] = {}
    upgrades = 0
    waiting: list[Part] = list(CHANGES)
    while waiting:
        part = waiting.pop(0)
        if part == "run time" and _settles(made.coarse):
            nothing[part] = "the fields settled before the bound on time"
            continue
        if part == "decay" and settled_further(made.coarse):
            nothing[part] = "the fields had settled ten times further already"
            continue
        if 2 * made.coarse.cost_s > left():
            short[part] = f"about {2 * made.coarse.cost_s:.0f} s of CPU time needed, {max(0.0, left()):.0f} s left"
            continue
        changed = CHANGES[part](made.numerics)
        outcome = made.group.evaluate(changed, solver, known=made.coarse.known if part != "decay" else ())  # the same runs?
        made.outcomes.append((part, outcome))
        if _same_runs(outcome, made.coarse):
            nothing[part] = "no run depends on it"
            continue
        found[part] = outcome
        if upgrades < MOST_UPGRADES and _matters(made, outcome, wanted):
            upgrades += 1
            made.remarks.append(f"{made.group.name}: {part} mattered and was raised for all runs")
            made.numerics = ADOPTED[part](made.numerics)
            made.coarse = outcome if made.numerics == changed else made.group.evaluate(made.numerics, solver)
            made.outcomes.append(("coarse", made.coarse))
            found.clear()
            waiting = [p for p in CHANGES if p not in nothing]
    if used := _materials(made.group.materials, made.coarse):
        _materials_varied(made, solver, used, left, short)
    else:
        nothing["materials"] = "no fitted table is used"
    for name in made.group.ids:
        variants = made.variants.setdefault(name, Variants())
        base = made.coarse.values.get(name)
        if base is None or isinstance(base, Missing):
            made.variants.pop(name)
            continue
        variants.base, variants.nothing = base, {**variants.nothing, **nothing}
        variants.missing.update(short)
        for part, outcome in found.items():
            value = outcome.values.get(name, Missing("it was not measured"))
            if isinstance(value, Missing):
                variants.missing[part] = value.reason
            else:
                variants.changed[part] = (value,)


def _materials_varied(made: Climb, solver: Solver, used: Sequence[str], left: Callable[[], float],
                      short: dict[Part, str]) -> None:
    """Each fitted material's permittivity changed by its fit's error."""
    for material in used:
        if 2 * made.coarse.cost_s > left():
            short["materials"] = "no CPU time was left"
            return
        outcome = made.group.evaluate(made.numerics, solver, materials={
            **made.group.materials, material: disturbed(made.group.materials[material])}, known=made.coarse.known)
        made.outcomes.append((f"material {material}", outcome))
        for name in made.group.ids:
            value = outcome.values.get(name, Missing("it was not measured"))
            if isinstance(value, Missing):
                short["materials"] = value.reason
            else:
                variants = made.variants.setdefault(name, Variants())
                variants.changed["materials"] = (*variants.changed.get("materials", ()), value)


def disturbed(entry: Mapping[str, Any]) -> dict[str, Any]:
    """A fit with its permittivity changed by its own relative error: every term alike, vacuum's 1 kept."""
    if "axes" in entry:
        return {**entry, "axes": {axis: disturbed(part) for axis, part in entry["axes"].items()}}
    if "eps_inf" not in entry:
        return dict(entry)
    factor = 1 + float(entry.get("rms_relative_error", 0.0))
    return {**entry, "eps_inf": 1 + (float(entry["eps_inf"]) - 1) * factor,
            "poles": [{**pole, "sigma": float(pole["sigma"]) * factor} for pole in entry.get("poles", ())]}


def materials_of(outcome: Outcome) -> list[str]:
    """The materials that the runs of an outcome use."""
    return sorted({name for run in outcome.runs.values() for name in run.materials})


def _materials(materials: Mapping[str, Any], outcome: Outcome) -> list[str]:
    return sorted(name for name in materials_of(outcome) if disturbed(materials[name]) != dict(materials[name]))


def _matters(made: Climb, outcome: Outcome, wanted: Mapping[str, float]) -> bool:
    for name, value in made.coarse.values.items():
        other = outcome.values.get(name)
        if other is None or isinstance(value, Missing) or isinstance(other, Missing):
            continue
        if typical_difference(value, other) > _SHARE * wanted[name] * scale_of(value):
            return True
    return False


def _same_runs(one: Outcome, other: Outcome) -> bool:
    def digests(outcome: Outcome) -> list[str]:
        return [run.digest() for run in outcome.runs.values()]

    return digests(one) == digests(other)


def _settles(outcome: Outcome) -> bool:
    runs = [run for run in outcome.runs.values() if isinstance(run, Run)]
    met = all(bool(np.all(data["stats/stop_met"])) for data in outcome.raw.values() if "stats/stop_met" in data)
    return met and all(run.stop.kind != "time" for run in runs)


def settled_further(outcome: Outcome) -> bool:
    """Whether of every run no more is still to come, in its fields and its energy, than a tenth of its bound."""
    settling = {name: run.stop for name, run in outcome.runs.items() if isinstance(run, Run) and run.stop.kind != "time"}
    return bool(settling) and all(
        float(np.real(outcome.raw.get(name, {}).get("stats/settled_to", math.inf))) <= stop.by / 10
        for name, stop in settling.items())


def _dimensions(outcome: Outcome) -> int:
    found = [2 if isinstance(run, BandsRun) else {"1D": 1, "2D": 2, "cylindrical": 2, "3D": 3}[run.dimensions]
             for run in outcome.runs.values()]
    return max(found, default=3)
