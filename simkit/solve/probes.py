"""Monitors that look at every step: a field in time, its resonances, the local density of states."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import meep as mp
import numpy as np

from simkit.errors import ParameterError
from simkit.inversion import invert as harmonics
from simkit.runs import Monitor, Run
from simkit.solve.sources import band, component

Arrays = dict[str, np.ndarray]
SAMPLES_A_PERIOD = 20
LEAST_SAMPLES = 20
LOSSLESS = 1e300  # Q of a mode without any decay: raw data are finite


@dataclass
class Probe:
    """step: a step function of Meep; read: raw arrays, without the monitor's name."""

    step: Callable[..., None]
    read: Callable[[], Arrays]


def probe(sim: Any, run: Run, name: str, monitor: Monitor) -> Probe:
    """The probe of a monitor. Raises ParameterError."""
    if monitor.kind == "ldos":
        return _ldos(sim, monitor)
    if monitor.kind in ("resonances", "ringdown"):
        return _in_time(sim, run, name, monitor)
    raise ParameterError(f"monitor {name} of kind {monitor.kind!r} is unknown.")


def _ldos(sim: Any, monitor: Monitor) -> Probe:
    found = mp.Ldos(list(monitor.frequencies))

    def step(at: Any) -> None:
        found.update(at.fields)

    def read() -> Arrays:
        return {
            "ldos": np.array(mp._dft_ldos_ldos(found), float),
            "F": np.array(mp._dft_ldos_F(found), complex),
            "J": np.array(mp._dft_ldos_J(found), complex),
        }

    return Probe(step, read)


class _Record:
    """The field at a point, some twenty times a period."""

    def __init__(self, run: Run, monitor: Monitor) -> None:
        name = (monitor.components or (run.sources[0].component,))[0]
        self.component, self.point = component(run, name), mp.Vector3(*monitor.center)
        highest = max([band(run)[1], *monitor.frequencies])
        self.every = max(1, math.floor(run.resolution / run.courant / (SAMPLES_A_PERIOD * highest)))
        self.times: list[float] = []
        self.values: list[complex] = []

    def __call__(self, sim: Any) -> None:
        if sim.fields.t % self.every == 0:
            self.times.append(sim.round_time())
            self.values.append(complex(sim.get_field_point(self.component, self.point)))


def _in_time(sim: Any, run: Run, name: str, monitor: Monitor) -> Probe:
    record = _Record(run, monitor)

    def ringdown() -> Arrays:
        return {"time": np.array(record.times), "value": np.array(record.values)}

    def resonances() -> Arrays:
        time, value = np.array(record.times), np.array(record.values)
        value = value[time > sim.fields.last_source_time()]
        step = record.every * run.courant / run.resolution
        limits = (min(monitor.frequencies), max(monitor.frequencies))
        whole, half = invert(value, step, limits), invert(value[: len(value) // 2], step, limits)
        return {
            **whole,
            "first_half_frequency": half["frequency"],
            "first_half_Q": half["Q"],
            "duration": np.array(len(value) * step),
        }

    if monitor.kind == "ringdown":
        return Probe(record, ringdown)
    if len(set(monitor.frequencies)) < 2:
        raise ParameterError(f"monitor {name}: resonances need the two ends of their band as frequencies.")
    return Probe(record, resonances)


def invert(values: np.ndarray, step: float, limits: tuple[float, float]) -> Arrays:
    """Harmonic inversion: frequency, decay, Q, amplitude (complex), error of all modes in the band, strongest first.

    decay: imaginary part of the frequency, negative for a decaying mode. Empty arrays where there is no signal.
    """
    found = harmonics(list(values), step, limits) if len(values) >= LEAST_SAMPLES else []
    modes = [
        (value.real, value.imag, value.real / (-2 * value.imag) if value.imag else LOSSLESS, amplitude, error)
        for value, amplitude, error in found
    ]
    modes.sort(key=lambda mode: -abs(mode[3]))
    names = ("frequency", "decay", "Q", "amplitude", "error")
    return {
        name: np.array([mode[i] for mode in modes], complex if name == "amplitude" else float)
        for i, name in enumerate(names)
    }
