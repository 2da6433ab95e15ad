"""Cost and memory of the runs of a description before they run, and what they took."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from schemas.reproduce.simulations.numerics import RunCost
from simkit.runs import AnyRun, Run
from tasks.reproduce.describing.in_sandbox import Description
from tasks.reproduce.solving.groups import groups_of
from tasks.reproduce.solving.one_run import Solver
from tasks.reproduce.solving.run_cost import START_S, STEP_US, Foreseen, foresee, looks, run_time, source_time
from tasks.reproduce.solving.run_left import RunFailed
from tasks.reproduce.uncertainty.climbed import Climb


def calibrated(run: AnyRun, solver: Solver) -> Foreseen:
    """The same from timed steps on this machine, a third of a second of them. Raises RunFailed: it cannot be set up."""
    guess = foresee(run)
    found = solver.probe(
        run, min(20_000, max(100, int(0.3 * guess.steps / max(guess.cpu_s - START_S, 1e-3))))
    )
    each, setup, bound = found["cpu_s_per_step"], found["setup_cpu_s"], found["steps_bound"]
    steps, most = bound, 0.0
    if isinstance(run, Run):
        steps = min(guess.steps, bound)
        each += STEP_US * 1e-6
        most = looks(run, found["window"], source_time(run) + run.stop.max_time) * found["cpu_s_per_look"]
        setup += looks(run, found["window"], run_time(run)) * found["cpu_s_per_look"]
    return Foreseen(
        guess.pixels,
        int(steps),
        setup + steps * each + START_S,
        setup + most + bound * each + START_S,
        found["memory_bytes"] / 2**20,
    )


def costs_before(
    description: Description, materials: Mapping[str, Any], solver: Solver | None = None
) -> tuple[RunCost, ...]:
    """Every run of the coarse rung with its foreseen cost, those of sweeps at each point; what cannot be arranged has none (lint says
    why).

    solver: times some steps of each run instead of trusting the model; a run whose steps cannot be timed says so.
    """
    out: dict[str, RunCost] = {}
    for group in groups_of(description, materials):
        for name, run in group.coarsest():
            if run.digest() in out:
                continue
            remark = ""
            try:
                found = foresee(run) if solver is None else calibrated(run, solver)
            except RunFailed as error:
                found = foresee(run)
                remark = f"not timed, by the model instead: {' '.join(str(error).split())[:300]}"
            out[run.digest()] = RunCost(
                name=f"{group.name} {name}",
                digest=run.digest(),
                pixels=found.pixels,
                steps=found.steps,
                estimated_cpu_s=round(found.cpu_s, 2),
                estimated_mb=round(found.memory_mb, 1),
                remark=remark,
            )
    return tuple(out.values())


def costs_of(made: Climb, solver: Solver) -> Iterable[RunCost]:
    """Every run of a climb: foreseen beside measured."""
    for label, outcome in made.outcomes:
        for name, run in outcome.runs.items():
            foreseen = foresee(run)
            yield RunCost(
                name=f"{made.group.name} {name}, {label}",
                digest=run.digest(),
                pixels=foreseen.pixels,
                steps=foreseen.steps,
                estimated_cpu_s=round(foreseen.cpu_s, 2),
                estimated_mb=round(foreseen.memory_mb, 1),
                cpu_s=solver.kept.get(run.digest()),
            )
