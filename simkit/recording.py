"""Every Meep run of the process is guarded, timed and entered in the manifest, whoever calls it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import meep as mp

from simkit.cell import is_cylindrical
from simkit.errors import FieldGrowth, TimeLimit
from simkit.guard import Guard
from simkit.lint import findings
from simkit.stops import describe

if TYPE_CHECKING:
    from simkit.run import Run

_ORIGINAL_RUN = mp.Simulation.run


def watch(run: Run) -> None:
    """Make mp.Simulation.run report to `run`; called once by sk.start()."""

    def recorded(sim: Any, *step_functions: Any, **kwargs: Any) -> Any:
        return _recorded(run, sim, step_functions, kwargs)

    recorded.__doc__ = _ORIGINAL_RUN.__doc__
    mp.Simulation.run = recorded


def _recorded(run: Run, sim: Any, step_functions: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    label = run.next_label()
    for text in findings(sim):
        run.warn(text)
    condition = kwargs.get("until_after_sources", kwargs.get("until"))
    if isinstance(kwargs.get("until_after_sources"), list):
        kwargs["until_after_sources"] = _merged(kwargs["until_after_sources"])
    if sim.fields is None:
        sim.init_sim()
    if run.debug:
        from simkit.diagnosis import record_cell

        record_cell(run, sim, label)
    first_step, first_time, began = sim.fields.t, sim.meep_time(), time.monotonic()
    guard = Guard(
        label, on_sample=lambda s: _tick(run, s, label, _duration(s, kwargs, first_time), first_time)
    )
    failed = True
    try:
        # A lambda, because Meep wants a plain function.
        result = _ORIGINAL_RUN(sim, *step_functions, lambda s: guard(s), **kwargs)
        failed = False
        return result
    except RuntimeError as error:
        if "NaN or Inf" in str(error):
            raise FieldGrowth(
                label, sim.meep_time(), float("nan"), "Meep found NaN or Inf in the field"
            ) from error
        raise
    finally:
        stop = describe(condition, sim.meep_time() - first_time)
        if failed:
            stop = {
                "criterion": stop["criterion"] + " (run aborted)",
                "reached": stop["reached"],
                "met": False,
            }
        entry = simulation_entry(sim, label, sim.fields.t - first_step, time.monotonic() - began, stop)
        entry["max_field"] = min(1e300, guard.max_field)
        run.record_simulation(entry, guard.history)


def _merged(conditions: list[Any]) -> list[Any]:
    # Meep 1.25 evaluates only the last callable of such a list (late binding), and fails when a number is last.
    numbers = [c for c in conditions if not callable(c)]
    calls = [c for c in conditions if callable(c)]

    def combined(sim: Any) -> bool:
        answers = [c(sim) for c in calls]  # all of them, so that each sees every step
        return any(answers)

    return [*numbers, combined] if calls else numbers


def _duration(sim: Any, kwargs: dict[str, Any], first_time: float) -> float | None:
    after, until = kwargs.get("until_after_sources"), kwargs.get("until")
    if isinstance(after, (int, float)):
        return max(0.0, sim.fields.last_source_time() - first_time) + after
    return float(until) if isinstance(until, (int, float)) else None


def _tick(run: Run, sim: Any, label: str, duration: float | None, first_time: float) -> None:
    done = min(1.0, (sim.meep_time() - first_time) / duration) if duration else None
    run.progress.report(f"{label}: Meep time {sim.meep_time():.1f}", done)
    if mp.count_processors() == 1 and run.progress.cpu_s > run.deadline_s:
        raise TimeLimit(
            f"{label}: {run.progress.cpu_s:.0f} s of CPU used of time_limit_s = {run.params.time_limit_s:.0f} s at Meep"
            f" time {sim.meep_time():.1f}. Datasets saved so far are kept. Lower the resolution, shorten the run"
            " (sk.estimate), use symmetry, or ask for a larger limit."
        )


def dimensions(sim: Any) -> int:
    """1, 2 or 3; a cylindrical cell counts as 2."""
    if sim.dimensions in (1, 2, 3) and sim.dimensions != 3:
        return int(sim.dimensions)
    if is_cylindrical(sim):
        return 2
    return 2 if sim.cell_size.z == 0 else 3


def pixels(sim: Any) -> int:
    """Pixels of the full cell, symmetry not counted."""
    count = 1
    for size in (sim.cell_size.x, sim.cell_size.y, sim.cell_size.z):
        count *= max(1, round(size * sim.resolution)) if size else 1
    return int(count)


def simulation_entry(sim: Any, label: str, steps: int, wall_s: float, stop: dict[str, Any]) -> dict[str, Any]:
    """The manifest's entry of a simulation, max_field still 0."""
    return {
        "label": label,
        "dimensions": dimensions(sim),
        "cell": [float(sim.cell_size.x), float(sim.cell_size.y), float(sim.cell_size.z)],
        "resolution": float(sim.resolution),
        "courant": float(sim.Courant),
        "pixels": pixels(sim),
        "time_steps": int(steps),
        "meep_time": float(sim.meep_time()),
        "wall_s": round(wall_s, 4),
        "stop": stop,
        "max_field": 0.0,
    }
