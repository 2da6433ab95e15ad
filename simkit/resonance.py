"""Resonances by harmonic inversion, with evidence: half against full run length, error estimate, filters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import meep as mp

from simkit.errors import SimkitError
from simkit.inversion import invert

MAX_CHANGE_F = 1e-4
MAX_CHANGE_Q = 0.05
PERIODS_PER_Q = 10 / 3.14159  # run time for a trustworthy Q is 10 Q / (pi f)


@dataclass(frozen=True)
class Mode:
    """frequency, decay_rate (Im, c/um), Q, amplitude and error of Harminv over the full time.

    frequency_change and Q_change: relative, full against half run time (None: not found in half the time).
    reliable: found in both, frequency within 1e-4, Q within 5 % or beyond what the run time can tell (|Q| > 10 f time).
    """

    frequency: float
    decay_rate: float
    Q: float
    amplitude: float
    error: float
    frequency_change: float | None
    Q_change: float | None
    reliable: bool


def resonances(
    run: Any,
    build_sim: Callable[[], Any],
    component: int,
    point: Any,
    frequency: float,
    bandwidth: float,
    time: float | None = None,
    max_error: float = 1e-6,
    min_Q: float = 10.0,
    label: str = "resonances",
) -> list[Mode]:
    """Modes in frequency +- bandwidth/2 (c/um), strongest first; an empty list when there are none.

    build_sim() returns an mp.Simulation with its sources; the field is recorded at `point` after the sources are off
    for `time` (Meep units, default 15/bandwidth, at least 10 Q/(pi f) for a known Q) and again for as long, in one run.
    Centre narrowly on one mode: ring Q was 72-81 with a band of 0.1 and 77.3 with 0.05. Modes with |error| > max_error,
    |Q| < min_Q or outside the band are dropped. Above Q = 1e4 check with several times and absorbers.
    """
    if not (frequency > 0 and bandwidth > 0 and bandwidth < 2 * frequency):
        raise SimkitError(
            f"resonances: frequency {frequency} and bandwidth {bandwidth} must be positive, band above zero."
        )
    sim = build_sim()
    duration = 2 * (time or 15 / bandwidth)
    samples: list[complex] = []
    times: list[float] = []

    def collect(at: Any) -> None:
        times.append(at.meep_time())
        samples.append(at.get_field_point(component, point))

    run.label(label)
    sim.run(mp.after_sources(collect), until_after_sources=duration)
    if len(samples) < 20 or not any(abs(s) > 0 for s in samples):
        run.warn(
            f"{label}: no field at the probe {point}; it lies on a node or the source does not excite this component."
        )
        return []
    step = (times[-1] - times[0]) / (len(times) - 1)
    band = (frequency - bandwidth / 2, frequency + bandwidth / 2)
    short = _invert(samples[: len(samples) // 2], step, band)
    full = [m for m in _invert(samples, step, band) if m[3] <= max_error and abs(m[1]) >= min_Q]
    modes = [_compare(m, short, times[-1] - times[0]) for m in full]
    for mode in modes:
        if not mode.reliable:
            run.warn(
                f"{label}: mode f = {mode.frequency:.6g}, Q = {mode.Q:.4g} changes with run time (f by"
                f" {mode.frequency_change}, Q by {mode.Q_change}); run longer, about"
                f" {PERIODS_PER_Q * abs(mode.Q) / mode.frequency:.4g}."
            )
    return sorted(modes, key=lambda m: -m.amplitude)


def _invert(
    samples: list[complex], step: float, band: tuple[float, float]
) -> list[tuple[float, float, float, float, float]]:
    """(frequency, Q, amplitude, error, decay rate) of all modes in the band; [] when there are none."""
    return [
        (
            value.real,
            value.real / (-2 * value.imag) if value.imag else float("inf"),
            abs(amplitude),
            error,
            value.imag,
        )
        for value, amplitude, error in invert(samples, step, band)
    ]


def _compare(mode: tuple[float, float, float, float, float], short: list[Any], duration: float) -> Mode:
    frequency, quality, amplitude, error, decay = mode
    near = min(short, key=lambda m: abs(m[0] - frequency), default=None)
    if near is None or abs(near[0] - frequency) > max(0.01 * frequency, frequency / (2 * abs(quality))):
        return Mode(frequency, decay, quality, amplitude, error, None, None, False)
    df, dq = abs(near[0] / frequency - 1), abs(near[1] / quality - 1)
    unresolved = abs(quality) > 10 * frequency * duration
    return Mode(
        frequency,
        decay,
        quality,
        amplitude,
        error,
        df,
        dq,
        df < MAX_CHANGE_F and (dq < MAX_CHANGE_Q or unresolved),
    )
