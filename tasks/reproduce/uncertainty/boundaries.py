"""Absorber, padding, decay, time and materials varied at the coarse rung; what matters is raised for all runs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from schemas.reproduce.simulations.numerics import Part
from simkit.arrange import Numerics
from simkit.runs import Run
from tasks.reproduce.measuring.unsettled import NEARLY
from tasks.reproduce.solving.one_run import Solver
from tasks.reproduce.solving.varying import Missing, Outcome
from tasks.reproduce.uncertainty.aims import Aim, counts
from tasks.reproduce.uncertainty.climbed import Climb
from tasks.reproduce.uncertainty.few_points import Beside

CHANGES: Mapping[Part, Callable[[Numerics], Numerics]] = {
    "absorber": lambda n: replace(n, absorber=2 * n.absorber),
    "padding": lambda n: replace(n, padding=2 * n.padding),
    "decay": lambda n: replace(n, decay=n.decay / 10),
    "run time": lambda n: replace(n, run_time=1.5 * n.run_time),
}
ADOPTED: Mapping[
    Part, Callable[[Numerics], Numerics]
] = {  # every grid pays for these, so less than what shows the error
    **CHANGES,
    "absorber": lambda n: replace(n, absorber=1.5 * n.absorber),
    "padding": lambda n: replace(n, padding=1.4 * n.padding),
}
_CALLED: Mapping[Part, str] = {"padding": "free distances", "run time": "bound on time"}
MOST_UPGRADES = 3
_CELL: tuple[Part, ...] = ("absorber", "padding")  # where the cell ends, in every run alike
SHARE = 0.4  # of the wanted uncertainty that one part but resolution may use up


def vary_boundaries(
    made: Climb, solver: Solver, wanted: Mapping[str, Aim], left: Callable[[], float]
) -> None:
    """Vary absorber, padding, decay and time at the coarse rung; adopt a change that matters and vary again.

    Of a sweep at few of its points: all of them are solved anew once, with what was adopted in the end.
    """
    found: dict[Part, Outcome] = {}
    nothing: dict[Part, str] = {}
    short: dict[Part, str] = {}
    upgrades = 0
    waiting = _open(made, nothing)
    beside, grid_s = Beside.of(made.group, made.coarse), made.second_grid_s
    first, numerics, at_first = made.coarse, made.numerics, found
    _announce(made, beside, solver, waiting)
    _ahead(made, beside, solver, waiting, left)
    while waiting:
        part = waiting.pop(0)
        if told := _told_already(part, made.coarse):
            nothing[part] = told
            continue
        if part == "run time" and made.coarse.cut:
            short[part] = "the run's share of the CPU time was used up"
            continue
        changed = CHANGES[part](made.numerics)
        needed = 2 * beside.cost_s + grid_s
        if needed > left() and not _begun(beside, changed, solver):
            short[part] = (
                f"about {needed:.0f} s of CPU time needed, with a second grid, {max(0.0, left()):.0f} s left"
            )
            continue
        outcome = beside.evaluate(changed, solver, anew=part == "decay")  # the same runs?
        made.outcomes.append((part, outcome))
        if outcome.same_runs(made.coarse):
            nothing[part] = "no run depends on it"
            continue
        found[part] = outcome
        if upgrades < MOST_UPGRADES and _matters(made, outcome, wanted):
            upgrades += 1
            at_first = dict(found) if upgrades == 1 else at_first
            made.remarks.append(f"{made.group.name}: {part} mattered and was raised for all runs")
            solver.tell(
                f"{made.group.name}: raised for all runs, because it matters: {_called(part)}; what was varied is varied again"
            )
            grid_s, beside = grid_s / (beside.cost_s or 1.0), _adopted(made, beside, part, solver)
            grid_s *= beside.cost_s or 1.0
            found.clear()
            waiting = [p for p in CHANGES if p not in nothing]
            _ahead(made, beside, solver, waiting, left)
    if used := _materials(made.group.materials, made.coarse):
        _materials_varied(made, beside, solver, used, left, short)
    else:
        nothing["materials"] = "no fitted table is used"
    varied = made.coarse.values
    if upgrades and beside.few is not beside.group:
        again_s = beside.cost_s * len(made.group.points) / len(beside.places)
        solver.tell(
            f"{made.group.name}: all {len(made.group.points)} points with what was raised, about {again_s:.0f} CPU s"
        )
        _solve_anew(made, solver)
    if upgrades and _lacks(
        made.coarse, first
    ):  # what was solved before stands, and what mattered is a part of its error
        made.coarse, made.numerics, found, varied = first, numerics, at_first, first.values
        made.remarks.append(
            f"{made.group.name}: there was no time to raise it, so that it counts as an error"
        )
    for name in made.group.ids:
        variants = made.variants_of(name)
        base = varied.get(name)
        if (
            base is None
            or isinstance(base, Missing)
            or isinstance(made.coarse.values.get(name, base), Missing)
        ):
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


def _announce(made: Climb, beside: Beside, solver: Solver, parts: Sequence[Part]) -> None:
    """What is varied beside the first grid, at which points, and what that takes."""
    asked = [_called(part) for part in parts if not _told_already(part, made.coarse)]
    asked += [f"the fit of {name}" for name in _materials(made.group.materials, made.coarse)]
    if asked and not solver.enough():
        cpu_s = len(asked) * beside.cost_s
        solver.tell(
            f"{made.group.name}: {', '.join(asked)} varied one at a time{beside.at}, about {cpu_s:.0f} CPU s"
        )


def _called(part: Part) -> str:
    return _CALLED.get(part, part)


def _lacks(now: Outcome, before: Outcome) -> bool:
    """Whether something that had a value has none any more because the time, or a person, ended it."""
    lost = [value for name, value in now.values.items() if not isinstance(before.values.get(name), Missing)]
    gone = [*(value for value in lost if isinstance(value, Missing)), *now.lost.values()]
    return any(value.failure_class == "budget" for value in gone)


def _told_already(part: Part, coarse: Outcome) -> str:
    """Why a longer run, or one that settles further, would tell nothing; '' where it may."""
    if part == "run time" and _settles(coarse):
        return "the fields settled before the bound on time"
    if part == "run time" and 0 < coarse.unsettled <= NEARLY:
        return (
            "the fields had nearly settled when the run had lasted very long; what was still to come counts"
        )
    if part == "decay" and settled_further(coarse):
        return "the fields had settled ten times further already"
    return "what was still to come counts as run time" if part == "decay" and coarse.unsettled else ""


def _adopted(made: Climb, beside: Beside, part: Part, solver: Solver) -> Beside:
    """What is varied beside, with a change for all runs: of a sweep solved at the few points, and laid over what all were before."""
    made.numerics = ADOPTED[part](made.numerics)
    if beside.few is beside.group:
        _solve_anew(made, solver)
        return Beside.of(made.group, made.coarse)
    made.coarse = beside.evaluate(made.numerics, solver, anew=True)
    made.outcomes.append(("coarse", made.coarse))
    return replace(beside, each_s=made.coarse.cost_s / len(beside.places))


def _solve_anew(made: Climb, solver: Solver) -> None:
    made.coarse = made.group.evaluate(made.numerics, solver)
    made.outcomes.append(("coarse", made.coarse))


def _open(made: Climb, nothing: dict[Part, str]) -> list[Part]:
    """What can be varied; the rest is said in `nothing`. A cell that is periodic or closed on all sides ends nowhere else
    with another absorber, though its runs differ where they start from what others showed."""
    begins = made.group.begins(made.numerics)
    closed = [p for p in _CELL if begins and made.group.begins(CHANGES[p](made.numerics)) == begins]
    nothing |= dict.fromkeys(closed, "no run depends on it")
    return [part for part in CHANGES if part not in closed]


def _begun(beside: Beside, changed: Numerics, solver: Solver) -> bool:
    """Whether the runs that a change begins with are those that were solved: of a ringing field none depends on `decay`."""
    begins = beside.few.begins(changed)
    return bool(begins) and all(digest in solver.costs for digest in begins)


def _ahead(
    made: Climb, beside: Beside, solver: Solver, parts: Sequence[Part], left: Callable[[], float]
) -> None:
    """Solve side by side what these parts, and the materials, will be varied to; should one of them matter, the others are
    varied again, and what was solved for them is lost."""
    coarse = made.coarse
    skipped = {part: _told_already(part, coarse) or (part == "run time" and coarse.cut) for part in parts}
    media = made.group.materials
    changed = [
        (CHANGES[part](made.numerics), None, part == "decay") for part in parts if not skipped.get(part)
    ]
    changed += [
        (made.numerics, {**media, name: disturbed(media[name])}, False) for name in _materials(media, coarse)
    ]
    affordable = max(0, int(left() / beside.cost_s) - 1) if beside.cost_s > 0 else 0
    solver.ahead([partial(_evaluated, beside, *one) for one in changed[:affordable]], beside.cost_s)


def _evaluated(
    beside: Beside,
    numerics: Numerics,
    materials: Mapping[str, Any] | None,
    anew: bool,
    solver: Solver,
) -> Outcome:
    return beside.evaluate(numerics, solver, materials, anew)


def _materials_varied(
    made: Climb,
    beside: Beside,
    solver: Solver,
    used: Sequence[str],
    left: Callable[[], float],
    short: dict[Part, str],
) -> None:
    """Each fitted material's permittivity changed by its fit's error."""
    for material in used:
        if 2 * beside.cost_s > left():
            short["materials"] = "no CPU time was left"
            return
        outcome = beside.evaluate(
            made.numerics,
            solver,
            {**made.group.materials, material: disturbed(made.group.materials[material])},
        )
        made.outcomes.append((f"material {material}", outcome))
        for name in made.group.ids:
            value = outcome.values.get(name, Missing("it was not measured"))
            if isinstance(value, Missing):
                short["materials"] = value.reason
            else:
                variants = made.variants_of(name)
                variants.changed["materials"] = (*variants.changed.get("materials", ()), value)


def disturbed(entry: Mapping[str, Any]) -> dict[str, Any]:
    """A fit with its permittivity changed by its own relative error: every term alike, vacuum's 1 kept."""
    if "axes" in entry:
        return {**entry, "axes": {axis: disturbed(part) for axis, part in entry["axes"].items()}}
    if "eps_inf" not in entry:
        return dict(entry)
    factor = 1 + float(entry.get("rms_relative_error", 0.0))
    return {
        **entry,
        "eps_inf": 1 + (float(entry["eps_inf"]) - 1) * factor,
        "poles": [{**pole, "sigma": float(pole["sigma"]) * factor} for pole in entry.get("poles", ())],
    }


def materials_of(outcome: Outcome) -> list[str]:
    """The materials that the runs of an outcome use."""
    return sorted({name for run in outcome.runs.values() for name in run.materials})


def _materials(materials: Mapping[str, Any], outcome: Outcome) -> list[str]:
    return sorted(
        name for name in materials_of(outcome) if disturbed(materials[name]) != dict(materials[name])
    )


def _matters(made: Climb, outcome: Outcome, wanted: Mapping[str, Aim]) -> bool:
    """Whether a change is more than what is wanted allows; what counts for no verdict raises nothing for what does."""
    heavy = counts(wanted, made.group.ids)
    for name, value in made.coarse.values.items():
        other = outcome.values.get(name)
        if other is None or isinstance(value, Missing) or isinstance(other, Missing):
            continue
        asked = [demand for demand in wanted[name] if not (heavy and demand.light)]
        if any(demand.change(value, other) > SHARE for demand in asked):
            return True
    return False


def _settles(outcome: Outcome) -> bool:
    runs = [run for run in outcome.runs.values() if isinstance(run, Run)]
    met = all(
        bool(np.all(data["stats/stop_met"])) for data in outcome.raw.values() if "stats/stop_met" in data
    )
    return met and all(run.stop.kind != "time" for run in runs)


def settled_further(outcome: Outcome) -> bool:
    """Whether of every run no more is still to come, in its fields and its energy, than a tenth of its bound."""
    settling = {
        name: run.stop
        for name, run in outcome.runs.items()
        if isinstance(run, Run) and run.stop.kind != "time"
    }
    return bool(settling) and all(
        float(np.real(outcome.raw.get(name, {}).get("stats/settled_to", math.inf))) <= stop.by / 10
        for name, stop in settling.items()
    )
