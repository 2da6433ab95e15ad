"""What a run costs: pixels, steps and CPU seconds on one quiet core, by a model fitted to runs of the bundled papers.

Budgets count in these seconds: they are the same on every computer, busy or not, and for a run that was kept.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from simkit.estimator import estimate as model
from simkit.runs import AnyRun, BandsRun, Monitor, Run, Source
from simkit.uniform import narrowed

START_S = 0.05  # a fork, files; Meep itself is imported once a study, in half a second
TRANSITS = (
    4.0  # of the cell by light in vacuum, between the source's end and a settled field without resonance
)
WINDOWS = {
    "settled": 4.0,
    "decayed": 2.4,
}  # in which a field is tested; of one that decays they hold the transits
# Beside the model of the fields, fitted to 1400 runs of the bundled papers (docs/solving.md):
STEP_US, DFT_NS, PROBE_US = 6.0, 2.8, 1.0  # a step's own; per DFT value; per probe of a field in time
CHUNK_US = {"2D": 1.7, "3D": 11.0}  # per chunk, beyond the model's
LOOK_US, PERIODS_A_LOOK = (
    0.8,
    8,
)  # per pixel, to sum the energy of the cell; between two looks (simkit/solve/stops.py)
RADIAL = 3.6  # of the plane cell's time
MPB_NS, ALL_NS = (
    2000.0,
    9000.0,
)  # per pixel, band and k point; of one polarisation in a plane, of everything else
BLOCH_POINTS = (
    14  # k points of one frequency of a periodic guide: nine looked at, and those on the way to the mode
)
MPB_START_S, FIND_S = 0.03, 0.01  # besides; for each mode whose wave vector is looked for


@dataclass(frozen=True)
class Foreseen:
    """pixels; steps and cpu_s: as long as a field without resonance needs; most_cpu_s: to the bound on time; MiB."""

    pixels: int
    steps: int
    cpu_s: float
    most_cpu_s: float
    memory_mb: float


def foresee(run: AnyRun, lasted: float | None = None) -> Foreseen:
    """What a run will cost on one core, by the fitted model; thin complex cells can be far off (`calibrated` is not).

    lasted: the Meep time that it took, where that is known.
    """
    if isinstance(run, BandsRun):
        return _bands(run)
    run = narrowed(run) or run
    cell = _axes(run)
    time = run_time(run) if lasted is None else lasted
    longest = source_time(run) + run.stop.max_time
    absorber = [
        sum(
            layer.thickness * (2 if layer.side == "both" else 1) for layer in run.layers if layer.axis == axis
        )
        for axis, _ in cell
    ]
    values = dft_values(run)
    complex_fields = run.complex_fields or any(run.bloch or ()) or run.m != 0
    mirrors = "".join(axis for axis, _ in run.mirrors)
    found = model(
        [size for _, size in cell],
        run.resolution,
        time,
        absorber,
        mirrors,
        complex_fields,
        any(s.component.startswith("H") for s in run.sources),
        float(_poles(run)),
        values,
        run.courant,
    )
    chunks = math.prod(
        2 if axis in mirrors else 3 for (axis, _), thick in zip(cell, absorber, strict=True) if thick
    )
    probes = sum(m.kind in ("resonances", "ringdown") for m in run.monitors.values())
    each = (
        STEP_US + CHUNK_US.get(run.dimensions, 0.0) * chunks + PROBE_US * probes + 1e-3 * DFT_NS * values
    ) * 1e-6
    cpu = (
        found.run_s * (RADIAL if run.dimensions == "cylindrical" else 1.0)
        + found.steps * each
        + found.setup_s
    )
    if run.stop.kind != "decayed" and not any(layer.kind == "absorber" for layer in run.layers):
        lowest = min(f for monitor in (*run.monitors.values(), *run.sources) for f in _frequencies(monitor))
        cpu += looks(run, max(run.stop.window, PERIODS_A_LOOK / lowest), time) * LOOK_US * 1e-6 * found.pixels
    return Foreseen(
        found.pixels, found.steps, cpu + START_S, cpu * longest / time + START_S, found.memory_mib
    )


def cost_of(run: AnyRun, raw: Mapping[str, Any] | None = None) -> float:
    """CPU seconds by the model, for the Meep time that the raw data say it took; without data, as foreseen."""
    took = None if raw is None or "stats/meep_time" not in raw else float(np.real(raw["stats/meep_time"]))
    return foresee(run, took).cpu_s


def time_within(run: Run, cpu_s: float) -> float | None:
    """Meep time that these CPU seconds pay for by the model, never less than a field without resonance needs; None where they
    pay for all that the run's bound allows."""
    usual, bound = run_time(run), source_time(run) + run.stop.max_time
    least = foresee(run, usual).cpu_s
    each = (foresee(run, 2 * usual).cpu_s - least) / usual
    found = usual + (cpu_s - least) / each
    return None if found >= bound else max(found, usual)


def looks(run: Run, window: float, time: float) -> float:
    """How often a run that lasts this long compares its fields and sums the cell's energy, twice as often in the pulse."""
    pulse = source_time(run)
    if run.stop.kind == "time":  # the energy, while there is a pulse
        return 2 * (pulse + window) / window
    return (time + pulse / 2) / window


def run_time(run: Run) -> float:
    """Meep time a run without resonances takes: the pulse, transits of the cell, the windows that prove it settled."""
    if run.stop.kind == "time":
        return source_time(run) + run.stop.max_time
    quiet = (TRANSITS * max(run.cell) if run.stop.kind == "settled" else 0.0) + WINDOWS[
        run.stop.kind
    ] * run.stop.window
    return source_time(run) + min(quiet, run.stop.max_time)


def source_time(run: Run) -> float:
    """When the last pulse ends: ten widths in time, as Meep cuts a Gaussian at five on either side."""
    return max(
        (
            source.start + 10 / source.width
            for source in run.sources
            if source.width > 0 and source.kind != "continuous"
        ),
        default=0.0,
    )


def _bands(run: BandsRun) -> Foreseen:
    sides = [
        abs(size) * math.hypot(*vector) for size, vector in zip(run.size, run.lattice, strict=True) if size
    ]
    pixels = math.prod(max(1, round(side * run.resolution)) for side in sides)
    points = max(len(run.k_points), len(run.find_k_at) * (BLOCH_POINTS if run.periodic else 6), 1)
    plane = run.polarisation in ("tm", "te") and sum(size > 0 for size in run.size) < 3
    # In a cell that is longer than wide the bands lie closer, and more steps are needed to part them.
    slower = math.sqrt(max(sides) / min(sides)) if len(sides) > 1 else 1.0
    cpu = (
        (MPB_NS if plane else ALL_NS) * 1e-9 * slower * pixels * run.count * points
        + MPB_START_S
        + FIND_S * len(run.find_k_at) * run.count
    )
    return Foreseen(pixels, points, cpu, 10 * cpu, 80 + pixels * run.count * 16 * 12 / 2**20)


def _axes(run: Run) -> list[tuple[str, float]]:
    named = [(axis, size) for axis, size in zip("xyz", run.cell, strict=True) if size > 0]
    return [("z", run.cell[2])] if run.dimensions == "1D" else named


def dft_values(run: Run) -> int:
    """Complex numbers that are added to at every step: points, of boxes those of their faces, times frequencies, components."""
    usual = {"1D": 2, "2D": 2}.get(run.dimensions, 4)
    total = 0
    for monitor in run.monitors.values():
        if monitor.kind in ("ldos", "resonances", "ringdown"):
            continue
        points = _points(run, monitor.size)
        if monitor.kind in ("flux_box", "far_field") and all(
            monitor.size["xyz".index(axis)] > 0 for axis, _ in _axes(run)
        ):
            sides = [axis for axis, _ in _axes(run) if monitor.size["xyz".index(axis)] > 0]
            points = sum(
                2
                * _points(
                    run,
                    tuple(  # type: ignore[arg-type]
                        0.0 if axis == side else size for axis, size in zip("xyz", monitor.size, strict=True)
                    ),
                )
                for side in sides
            )
        each = len(monitor.components) or usual * (2 if monitor.kind == "flux" else 1)
        total += max(1, len(monitor.frequencies)) * points * each
    return total // 2 ** len(run.mirrors)


def _frequencies(of: Monitor | Source) -> tuple[float, ...]:
    return of.frequencies if isinstance(of, Monitor) else (of.frequency,)


def _points(run: Run, size: tuple[float, float, float]) -> int:
    count = 1
    for length in size:
        count *= max(1, round(min(length, 1e4) * run.resolution))
    return count


def _poles(run: Run) -> int:
    used = [entry for entry in run.materials.values() if isinstance(entry, dict)]
    return max((len(entry.get("poles", ())) for entry in used), default=0)
