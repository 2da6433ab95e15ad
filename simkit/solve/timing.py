"""What a run costs on this machine: memory, seconds a step, and its bound of steps. Calibrates estimates."""

from __future__ import annotations

import math
import resource
import time
from dataclasses import replace
from typing import Any

from simkit.runs import AnyRun, BandsRun, Run

WARM_UP = 5


def timed(run: AnyRun, steps: int) -> dict[str, Any]:
    """Plain numbers: cpu_s_per_step, setup_cpu_s, memory_bytes, pixels, steps_bound. For bands a step is one k point.

    Monitors are in place, fields are real ones (sources on); nothing is read, subtracted or written.
    """
    return _bands(run) if isinstance(run, BandsRun) else _fdtd(run, max(1, steps))


def memory_bytes() -> int:
    """Most memory this process had so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _fdtd(run: Run, steps: int) -> dict[str, Any]:
    from simkit.solve import fdtd
    from simkit.solve.sources import last_time

    before, began = memory_bytes(), time.process_time()
    built = fdtd.build(run)
    fdtd.add_monitors(built, {}, subtracting=False)
    setup = time.process_time() - began
    fields = built.sim.fields
    for _ in range(WARM_UP):
        fields.step()
    probes = [probe.step for probe in built.probes.values()]
    began = time.process_time()
    for _ in range(steps):
        for look in probes:
            look(built.sim)
        fields.step()
    each = (time.process_time() - began) / steps
    ends = last_time(run, built.sim)
    bound = (ends + run.stop.max_time) * run.resolution / run.courant
    return {"kind": "fdtd", "cpu_s_per_step": each, "setup_cpu_s": setup, "memory_bytes": memory_bytes(),
            "memory_of_run_bytes": memory_bytes() - before, "pixels": fdtd.pixels(run), "steps": steps,
            "steps_bound": math.ceil(bound), "sources_end": ends}


def _bands(run: BandsRun) -> dict[str, Any]:
    from simkit.solve import bands
    from simkit.solve.progress import Progress

    first = run.k_points[:1] or (run.k_direction,)
    solves = len(run.k_points) or 8 * run.count * len(run.find_k_at)
    one = replace(run, find_k_at=(), k_points=first)
    before, began = memory_bytes(), time.process_time()
    bands.solve(one, Progress(None, writer=False), {})
    return {"kind": "bands", "cpu_s_per_step": time.process_time() - began, "setup_cpu_s": 0.0,
            "memory_bytes": memory_bytes(), "memory_of_run_bytes": memory_bytes() - before, "pixels": bands.pixels(run),
            "steps": 1, "steps_bound": solves}
