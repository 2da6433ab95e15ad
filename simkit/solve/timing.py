"""What a run costs on this machine: memory, seconds a step, and its bound of steps. Calibrates estimates."""

from __future__ import annotations

import math
import resource
from dataclasses import replace
from typing import Any

from simkit.cpu import cpu_s
from simkit.runs import AnyRun, BandsRun, Run

WARM_UP = 5
FINDING, MORE, DEAR_S = (
    6,
    4,
    2.0,
)  # k points for each k that is looked for; tried beside one, unless that takes so long
STEP = 0.05  # between those of a k that is looked for


def timed(run: AnyRun, steps: int) -> dict[str, Any]:
    """Plain numbers: cpu_s_per_step, cpu_s_per_look (once in `window`), setup_cpu_s, memory_bytes, pixels, steps_bound.

    For bands a step is one k point, of all bands. Monitors are in place, fields are real ones (sources on); nothing is read,
    subtracted or written.
    """
    return _bands(run) if isinstance(run, BandsRun) else _fdtd(run, max(1, steps))


def memory_bytes() -> int:
    """Most memory this process had so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _fdtd(run: Run, steps: int) -> dict[str, Any]:
    from simkit.solve import fdtd
    from simkit.solve.sources import last_time
    from simkit.solve.stops import stop_rule

    run = fdtd.narrow_or_whole(run)
    before, began = memory_bytes(), cpu_s()
    built = fdtd.build(run)
    fdtd.add_monitors(built, {}, subtracting=False)
    setup = cpu_s() - began
    sim = built.sim
    rule = stop_rule(run, list(built.monitors.values()), fdtd.crossing_time(built))
    looks = [probe.step for probe in built.probes.values()]

    def go(count: int) -> float:
        """CPU seconds of a step, as Meep's own loop makes it."""
        left = [count]

        def enough(_: Any) -> bool:
            left[0] -= 1
            return left[0] < 0

        def at_every_step(at: Any) -> None:
            for look in looks:
                look(at)

        begun = cpu_s()
        sim.run(at_every_step, until=enough)
        return (cpu_s() - begun) / count

    go(WARM_UP)
    each = go(steps)
    ends = last_time(run, sim)
    bound = (ends + run.stop.max_time) * run.resolution / run.courant
    return {
        "kind": "fdtd",
        "cpu_s_per_step": each,
        "cpu_s_per_look": _look(sim, rule),
        "window": rule.window,
        "setup_cpu_s": setup,
        "memory_bytes": memory_bytes(),
        "memory_of_run_bytes": memory_bytes() - before,
        "pixels": fdtd.pixels(run),
        "steps": steps,
        "steps_bound": math.ceil(bound),
        "sources_end": ends,
    }


def _look(sim: Any, rule: Any) -> float:
    """CPU seconds of one window's end: the DFT fields are compared, the energy of the cell is summed."""
    began = cpu_s()
    rule.look(sim, 0.0)
    if rule.energy_counts:
        sim.fields.field_energy_in_box(sim.fields.total_volume())
    return cpu_s() - began


def _bands(run: BandsRun) -> dict[str, Any]:
    from simkit.solve import bands
    from simkit.solve.progress import Progress

    tried = run.k_points[: 1 + MORE]
    if not tried:  # each starts from the fields of the one before, so that the same again would cost nothing
        x, y, z = run.k_direction
        tried = tuple(
            (x * part, y * part, z * part) for part in (1 + STEP * number for number in range(1 + MORE))
        )
    solves = len(run.k_points) or FINDING * len(run.find_k_at)

    def took(points: int) -> float:
        began = cpu_s()
        bands.solve(replace(run, find_k_at=(), k_points=tried[:points]), Progress(None, writer=False), {})
        return cpu_s() - began

    before, one = memory_bytes(), took(1)
    if one < DEAR_S:  # mostly what comes before the first point
        one = took(1)
        each = max((took(len(tried)) - one) / max(len(tried) - 1, 1), 0.0)
    else:
        each = one
    return {
        "kind": "bands",
        "cpu_s_per_step": each,
        "cpu_s_per_look": 0.0,
        "window": 0.0,
        "setup_cpu_s": max(one - each, 0.0),
        "memory_bytes": memory_bytes(),
        "memory_of_run_bytes": memory_bytes() - before,
        "pixels": bands.pixels(run),
        "steps": 1,
        "steps_bound": solves,
    }
