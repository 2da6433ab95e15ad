"""Frequency-domain solves (Meep's solve_cw and MPB) are entered in the manifest like time-domain runs."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

import meep as mp

from simkit.errors import FieldGrowth
from simkit.guard import largest_field
from simkit.lint import findings
from simkit.recording import simulation_entry

if TYPE_CHECKING:
    from simkit.run import Run


def watch_solve_cw(run: Run) -> None:
    """Make mp.Simulation.solve_cw report to `run`."""
    original = mp.Simulation.solve_cw

    def recorded(sim: Any, *args: Any, **kwargs: Any) -> Any:
        label, began = run.next_label(), time.monotonic()
        for text in findings(sim):
            run.warn(text)
        if run.debug:
            from simkit.diagnosis import record_cell

            record_cell(run, sim, label)
        run.progress.report(f"{label}: solve_cw", force=True)
        converged = original(sim, *args, **kwargs)
        stop = {"criterion": "solve_cw tolerance", "reached": None, "met": bool(converged)}
        entry = simulation_entry(sim, label + " (solve_cw)", 0, time.monotonic() - began, stop)
        value = largest_field(sim)
        entry["max_field"] = value if math.isfinite(value) else 1e300
        run.record_simulation(entry, [])
        if not math.isfinite(value):
            raise FieldGrowth(label, sim.meep_time(), value, "solve_cw returned NaN or Inf")
        return converged

    recorded.__doc__ = original.__doc__
    mp.Simulation.solve_cw = recorded


def watch_mode_solver(run: Run) -> None:
    """Make MPB's mode solver report to `run`, where MPB is installed (a Meep with MPI often comes without it)."""
    try:
        from meep import mpb

        original = mpb.ModeSolver.run_parity
    except (ImportError, AttributeError):
        return

    def recorded(solver: Any, *args: Any, **kwargs: Any) -> Any:
        label, began = run.next_label(), time.monotonic()
        run.progress.report(f"{label}: MPB, {len(solver.k_points)} k-points", force=True)
        result = original(solver, *args, **kwargs)
        run.record_simulation(_mode_solver_entry(solver, label, time.monotonic() - began), [])
        return result

    recorded.__doc__ = original.__doc__
    mpb.ModeSolver.run_parity = recorded


def _mode_solver_entry(solver: Any, label: str, wall_s: float) -> dict[str, Any]:
    size = solver.geometry_lattice.size
    sides = [float(s) if s and s < 1e19 else 0.0 for s in (size.x, size.y, size.z)]
    given = solver.resolution
    resolution = float(given[0] if isinstance(given, (list, tuple)) else given)
    return {
        "label": label + " (MPB)",
        "dimensions": sum(1 for side in sides if side),
        "cell": sides,
        "resolution": resolution,
        "courant": 0.0,
        "pixels": math.prod(max(1, round(side * resolution)) if side else 1 for side in sides),
        "time_steps": 0,
        "meep_time": 0.0,
        "wall_s": round(wall_s, 4),
        "stop": {"criterion": "eigensolver tolerance", "reached": float(solver.tolerance), "met": True},
        "max_field": 0.0,
    }
