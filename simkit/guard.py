"""Watches the largest |E| in the cell while a simulation runs, and stops it when it grows without a source."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import meep as mp

from simkit.cpu import cpu_s
from simkit.errors import FieldGrowth

FIRST_INTERVAL_STEPS = (
    23  # not commensurate with common periods, so that nodes in time are not hit every time
)
MPI_INTERVAL_STEPS = 211  # with MPI every process must sample at the same steps
MOST_STEPS = 1000  # between samples, however dear they are: growth is seen after 32 of them
SAMPLES_PER_WINDOW = 8
MAX_TIME_SHARE = 0.03
GROWTH_FACTOR = 10.0
LARGE_GROWTH_FACTOR = 1e3
RISING_WINDOWS = 4
RELEVANT_LEVEL = 1e-3  # of the peak while the sources were on; growth below that is rounding noise
RUNAWAY_FACTOR = 1e8  # over the field a source could make, while it is on


class Guard:
    """A step function for one Meep run. `history` keeps (Meep time, largest |E|)."""

    def __init__(self, label: str, on_sample: Callable[[Any], None]) -> None:
        self.label, self.on_sample = label, on_sample
        self.history: list[tuple[float, float]] = []
        self.max_field = 0.0
        self._interval = MPI_INTERVAL_STEPS if mp.count_processors() > 1 else FIRST_INTERVAL_STEPS
        self._countdown = self._interval
        self._began = cpu_s()
        self._spent = 0.0
        self._source_peak = 0.0
        self._window: list[float] = []
        self._windows: list[float] = []

    def __call__(self, sim: Any) -> None:
        self._countdown -= 1
        if self._countdown > 0:
            return
        started = cpu_s()
        self._sample(sim)
        now = cpu_s()
        self._spent += now - started
        if mp.count_processors() == 1 and self._spent > MAX_TIME_SHARE * (now - self._began):
            self._interval = min(2 * self._interval - 1, MOST_STEPS)
        self._countdown = self._interval

    def _sample(self, sim: Any) -> None:
        value = largest_field(sim)
        now = sim.meep_time()
        self.history.append((now, value))
        if not math.isfinite(value):
            raise FieldGrowth(self.label, now, value, "the field became NaN or Inf")
        self.max_field = max(self.max_field, value)
        if value > RUNAWAY_FACTOR * source_scale(sim):
            raise FieldGrowth(self.label, now, value, "the field ran away")
        if sim.round_time() <= sim.fields.last_source_time():
            self._source_peak = max(self._source_peak, value)
        else:
            self._after_sources(now, value)
        self.on_sample(sim)

    def _after_sources(self, now: float, value: float) -> None:
        self._window.append(value)
        if len(self._window) < SAMPLES_PER_WINDOW:
            return
        self._windows.append(max(self._window))
        self._window = []
        last = self._windows[-RISING_WINDOWS:]
        rising = len(last) == RISING_WINDOWS and all(a < b for a, b in itertools.pairwise(last))
        lowest = max(min(self._windows), 1e-300)
        growth = last[-1] / lowest
        # A pulse that comes to a focus rises too, but not above what the sources made, nor a thousandfold.
        beyond_source = growth > GROWTH_FACTOR and last[-1] > self._source_peak
        relevant = growth > LARGE_GROWTH_FACTOR and last[-1] > RELEVANT_LEVEL * self._source_peak
        if rising and (beyond_source or relevant):
            raise FieldGrowth(
                self.label,
                now,
                value,
                f"with all sources off the field grew {growth:.1f}-fold",
            )


def largest_field(sim: Any) -> float:
    """Largest |E| component in the whole cell, PML included."""
    fields = sim.fields
    everywhere = fields.total_volume()
    present = [c for c in (mp.Ex, mp.Ey, mp.Ez, mp.Er, mp.Ep) if fields.have_component(c)]
    return max((float(fields.max_abs(c, everywhere)) for c in present), default=0.0)


def source_scale(sim: Any) -> float:
    """Upper estimate of the field the sources themselves make (a point current makes about amplitude x resolution^2)."""
    amplitude = sum(abs(complex(s.amplitude)) for s in sim.sources) or 1.0
    return amplitude * max(1.0, float(sim.resolution)) ** 2
