"""One time-domain run: from simkit.runs.Run to raw arrays."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import meep as mp
import numpy as np

from simkit.cpu import cpu_s
from simkit.errors import FieldGrowth, ParameterError
from simkit.guard import Guard
from simkit.media import is_dispersive
from simkit.runs import Monitor, Run
from simkit.solve.errors import CannotSubtract, SolverFailed
from simkit.solve.layers import boundary_layers, sheet_objects, stack_objects
from simkit.solve.media import Media
from simkit.solve.monitors import Attached, attach, axes_of, direction
from simkit.solve.probes import Probe, probe
from simkit.solve.progress import Progress
from simkit.solve.shapes import objects
from simkit.solve.sources import band, sources
from simkit.solve.stops import StopRule, stop_rule
from simkit.solve.widening import widened
from simkit.uniform import narrowed
from simkit.walls import wall

DIMENSIONS = {"1D": 1, "2D": 2, "3D": 3, "cylindrical": mp.CYLINDRICAL}
REPORT_EVERY = 16
FALLEN = 20.0  # what a ringing must have fallen by, before fields grow, to be taken until then
UNKNOWN = 1e300  # stats/stop_reached of a run that ended before it was looked at: raw data are finite
SECOND_IN_1D = ("Ey", "Hx", "Dy", "Bx")
Subtracted = Mapping[str, Mapping[str, np.ndarray]]  # digest -> arrays of its raw.npz


@dataclass
class Built:
    """A simulation with its monitors, ready to run."""

    run: Run
    sim: Any
    media: Media
    monitors: dict[str, Attached]
    probes: dict[str, Probe]
    late: dict[str, Monitor] = field(default_factory=dict)  # not attached yet
    log: dict[str, Any] = field(default_factory=dict)


def build(run: Run) -> Built:
    """The simulation without monitors. Raises MaterialError for media that would blow up, GeometryError."""
    second = run.dimensions == "1D" and any(source.component in SECOND_IN_1D for source in run.sources)
    media = Media(run.materials, ("y" if second else "x") if run.dimensions == "1D" else "")
    background = media(run.background)
    periodic = periodic_axes(run)
    drawn = stack_objects(run, media)
    drawn += objects(run.geometry, media, run.cell, run.resolution, periodic, run.dimensions == "cylindrical")
    drawn += sheet_objects(run, media)
    media.check(run.resolution, run.courant, {"1D": 1, "2D": 2}.get(run.dimensions, 3))
    options: dict[str, Any] = {}
    if run.bloch is not None:
        options["k_point"] = mp.Vector3(*run.bloch)
    if run.dimensions == "cylindrical":
        options["m"] = run.m
    sim = mp.Simulation(
        cell_size=mp.Vector3(*run.cell),
        resolution=run.resolution,
        dimensions=DIMENSIONS[run.dimensions],
        geometry=drawn,
        default_material=background,
        sources=[],
        boundary_layers=boundary_layers(run),
        symmetries=[mp.Mirror(direction(run, axis), phase=phase) for axis, phase in run.mirrors],
        Courant=run.courant,
        eps_averaging=run.smoothing,
        force_complex_fields=run.complex_fields,
        ensure_periodicity=False,
        **options,
    )
    sim.change_sources(sources(run, sim))
    return Built(run, sim, media, {}, {})


def periodic_axes(run: Run) -> str:
    """Axes along which the structure goes on beyond the cell: Bloch-periodic and without an absorbing layer."""
    if run.bloch is None:
        return ""
    absorbing = {layer.axis for layer in run.layers}
    return "".join(
        axis
        for axis in axes_of(run)
        if axis not in absorbing and not (run.dimensions == "cylindrical" and axis == "x")
    )


def add_monitors(built: Built, subtracted: Subtracted, subtracting: bool = True) -> None:
    """Attach all monitors and load the fields to subtract. Raises CannotSubtract, ParameterError."""
    run = built.run
    for name, monitor in run.monitors.items():
        if monitor.start is not None:
            if monitor.kind not in ("fields", "far_field") or run.stop.kind != "time":
                raise ParameterError(
                    f"monitor {name}: only fields and far fields look late, and only in a run that stops "
                    "after a time."
                )
            built.late[name] = monitor
            continue
        found = attach(built.sim, run, name, monitor)
        if found is None:
            built.probes[name] = probe(built.sim, run, name, monitor)
        else:
            built.monitors[name] = found
    built.sim.init_sim()
    if run.bloch is not None and any(is_dispersive(medium) for medium in built.media):
        behind = [layer.axis for layer in run.layers if layer.side == "both" and layer.axis in axes_of(run)]
        wall(built.sim, [direction(run, axis) for axis in behind if direction(run, axis) != mp.R])
    for name, (digest, other) in run.subtract.items() if subtracting else ():
        if name not in built.monitors or (load := built.monitors[name].load) is None:
            raise CannotSubtract(f"subtract names {name!r}, which is no monitor with fields to subtract.")
        if digest not in subtracted:
            raise CannotSubtract(f"subtract/{digest}.npz is missing.")
        fields = {
            key.removeprefix(f"{other}/"): values
            for key, values in subtracted[digest].items()
            if key.startswith(f"{other}/")
        }
        try:
            load(fields)
        except CannotSubtract as error:
            raise CannotSubtract(f"monitor {name} minus {other} of {digest[:8]}: {error}") from error


def attach_late(built: Built) -> None:
    """Attach the monitors whose time has come."""
    since = built.sim.round_time() - float(built.sim.fields.last_source_time())
    for name, monitor in list(built.late.items()):
        if since >= float(monitor.start or 0.0):
            found = attach(built.sim, built.run, name, monitor)
            assert found is not None
            found.data()  # Meep makes it when it is first asked
            built.monitors[name] = found
            del built.late[name]


def solve(
    run: Run,
    subtracted: Subtracted,
    progress: Progress,
    log: dict[str, Any],
    until: float = math.inf,
    patience: float = math.inf,
) -> dict[str, np.ndarray]:
    """Run to the stop, or to Meep time `until` (less is enough from `patience` on).

    The raw arrays by name: 'MONITOR/quantity', 'stats/...'. A ringing that dies out before fields grow from rounding noise is run
    again until then (radial PML does so in cylindrical cells with a wave number along z).

    `log` is filled as the run goes: stop, warnings, growth. Raises FieldGrowth, CannotSubtract, MaterialError,
    GeometryError, SolverFailed.
    """
    try:
        return _solved(run, subtracted, progress, log, until, patience)
    except FieldGrowth as error:
        quiet = _quiet_for(run, log)
        if quiet is None:
            raise
        log.setdefault("warnings", []).append(
            f"run again for {quiet:.4g} after the sources instead of {run.stop.max_time:.4g}: then the ringing had died out, and later "
            f"fields grew from noise ({str(error).partition('. Likely')[0]})"
        )
    return _solved(
        replace(run, stop=replace(run.stop, max_time=quiet)), subtracted, progress, log, until, patience
    )


def _quiet_for(run: Run, log: Mapping[str, Any]) -> float | None:
    """How long after its sources the fields of a ringing had fallen furthest, before they grew; None where they had hardly fallen."""
    history = [(t, value) for t, value in log["growth"]["history"] if value is not None]
    if run.stop.kind != "time" or not history or not math.isfinite(log["sources_end"]):
        return None
    peak = max(range(len(history)), key=lambda i: history[i][1] if history[i][0] <= log["sources_end"] else 0)
    when, least = min(history[peak:], key=lambda sample: sample[1])
    quiet = when - log["sources_end"]
    late = max((monitor.start or 0.0 for monitor in run.monitors.values()), default=0.0)
    return quiet if least * FALLEN <= history[peak][1] and quiet > 2 * late else None


def _solved(
    run: Run, subtracted: Subtracted, progress: Progress, log: dict[str, Any], until: float, patience: float
) -> dict[str, np.ndarray]:
    began = cpu_s()
    whole, run = run, narrow_or_whole(run)
    built = build(run)
    add_monitors(built, subtracted)
    rule = stop_rule(run, list(built.monitors.values()), crossing_time(built))
    if run.stop.kind != "time":
        rule.until, rule.patience = until, patience
    guard = Guard("run", lambda sim: None)
    log["window"] = rule.window
    steps = [guard, *[p.step for p in built.probes.values()], _reporter(rule, progress)]

    def at_every_step(sim: Any) -> None:
        for look in steps:
            look(sim)
        if built.late:
            attach_late(built)

    try:
        built.sim.run(at_every_step, until=rule)
    except RuntimeError as error:
        if "NaN or Inf" in str(error):
            raise FieldGrowth(
                "run", built.sim.meep_time(), float("nan"), "Meep found NaN or Inf in the field"
            ) from error
        raise SolverFailed(f"Meep: {error}") from error
    finally:
        log["stop"] = {
            "kind": rule.kind,
            "by": rule.by,
            "reached": _finite(rule.reached),
            "met": rule.met,
            "second_tests": getattr(rule, "second_tests", 0),
        }
        log["sources_end"] = rule.sources_end
        log["growth"] = {
            "largest_field": _finite(guard.max_field),
            "samples": len(guard.history),
            "history": [[t, _finite(v)] for t, v in guard.history[:: max(1, len(guard.history) // 200)]],
        }
    if not rule.met:
        bound = (
            f"until {until:g}, when its CPU time was used up"
            if rule.cut
            else f"within {rule.max_time:g} after the sources"
        )
        log.setdefault("warnings", []).append(
            f"the stop rule ({rule.kind}) was not met {bound}: reached {rule.reached:.3g}, wanted {rule.by:g}."
        )
    raw = read(built) if run is whole else _widened(whole, built)
    raw |= {
        f"stats/{name}": np.array(value)
        for name, value in {
            "steps": built.sim.fields.t,
            "meep_time": built.sim.meep_time(),
            "cpu_s": cpu_s() - began,
            "pixels": pixels(run),
            "stop_met": int(rule.met),
            "stop_reached": min(rule.reached, UNKNOWN),
            "settled_to": min(rule.settled_to, UNKNOWN),
            "slowest": rule.slowest,
            "cut": int(rule.cut),
            "sources_end": rule.sources_end,
            "largest_field": guard.max_field,
        }.items()
    }
    return raw


def narrow_or_whole(run: Run) -> Run:
    """The run as it is solved: one pixel wide where nothing varies across. Of several processes each has its own part of the fields."""
    return (narrowed(run) if mp.count_processors() == 1 else None) or run


def _widened(whole: Run, built: Built) -> dict[str, np.ndarray]:
    cell = build(whole)
    add_monitors(cell, {})
    return widened(whole, cell.monitors, built.monitors)


def read(built: Built) -> dict[str, np.ndarray]:
    """Raw arrays of all monitors."""
    raw: dict[str, np.ndarray] = {}
    for name, monitor in built.run.monitors.items():
        try:
            found = (built.monitors.get(name) or built.probes[name]).read()
        except (RuntimeError, ValueError) as error:
            raise SolverFailed(f"monitor {name}: {error}") from error
        raw[f"{name}/frequency"] = np.array(monitor.frequencies, float)
        raw |= {f"{name}/{key}": np.asarray(value) for key, value in found.items()}
    return raw


def crossing_time(built: Built) -> float:
    """Time that light needs through the cell, at most: its longest side without absorbers in its densest medium."""
    run = built.run
    thickness = {axis: 0.0 for axis in "xyz"}
    for layer in run.layers:
        thickness[layer.axis] += layer.thickness * (2 if layer.side == "both" else 1)
    side = max(run.cell["xyz".index(axis)] - thickness[axis] for axis in axes_of(run))
    return max(side, 0.0) * built.media.largest_index(band(run))


def pixels(run: Run) -> int:
    """Pixels of the cell."""
    count = 1
    for axis in axes_of(run):
        count *= max(1, round(run.cell["xyz".index(axis)] * run.resolution))
    return count


def _reporter(rule: StopRule, progress: Progress) -> Any:
    def report(sim: Any) -> None:
        if sim.fields.t % REPORT_EVERY == 0:  # the clock costs more than a step of a small cell
            progress.report(rule.fraction, steps=sim.fields.t, meep_time=sim.round_time())

    return report


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
