"""Harmonics and phase of strong light, from the steady field in time before and behind plain films."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from simkit.arrange import Arrangement
from simkit.describe.unit_cell import HarmonicEfficiency, KerrPhase
from simkit.runs import Run
from tasks.reproduce.measuring.values import NotMeasured, Raw, Scalar

HIGHEST = 7  # harmonics that the record is fitted with: what is not fitted would leak into what is
OFF = 0.01  # of the incident amplitude: what it may differ from the stated one
STEADY = 1e-3  # what an amplitude may differ between the two halves of the record
DARK = 1e-3  # of the incident amplitude


def measure(quantity: HarmonicEfficiency | KerrPhase, arrangement: Arrangement, raw: Raw) -> Scalar:
    """The efficiency, or the phase in radian. Raises NotMeasured: another intensity than stated, a field that is not steady."""
    told, side = arrangement.facts["pump"], quantity.side
    indices = told["indices"]
    if not indices["1"][side]:
        raise NotMeasured(f"{quantity.id}: nothing is transmitted through an opaque half-space")
    incident = _harmonics(quantity.id, arrangement, "clear", raw, "reflected", (1,))[0]
    if not abs(abs(incident) - 1) < OFF:
        raise NotMeasured(
            f"{quantity.id}: the incident wave has not the stated intensity",
            found=f"{abs(incident):.4g} of its field",
            allowed=f"1 within {OFF:g}",
            fix="a finer grid",
        )
    name = told["run"][quantity.id]
    amplitude = float(told["amplitude"][name]) * incident
    if isinstance(quantity, HarmonicEfficiency):
        h = quantity.harmonic
        found = _harmonics(quantity.id, arrangement, name, raw, side, (h,))[0]
        return Scalar(abs(found / amplitude) ** 2 * indices[str(h)][side] / indices["1"]["reflected"])
    strong = _harmonics(quantity.id, arrangement, name, raw, side, (1,))[0] / amplitude
    weak = _harmonics(quantity.id, arrangement, "weak", raw, side, (1,))[0] / incident
    if side == "reflected":
        strong, weak = strong - 1, weak - 1
    if min(abs(strong), abs(weak)) < DARK:
        raise NotMeasured(
            f"{quantity.id}: too little light is {side} to have a phase",
            found=f"{abs(weak):.2g} of the amplitude",
        )
    return Scalar(float(np.angle(strong / weak)))


def _harmonics(
    name: str, arrangement: Arrangement, of: str, raw: Raw, side: str, wanted: tuple[int, ...]
) -> NDArray[np.complex128]:
    """Complex amplitudes of the field's harmonics over the whole record's window."""
    run, told = arrangement.runs[of], arrangement.facts["pump"]
    assert isinstance(run, Run)
    step = (
        run.courant / run.resolution
    )  # Meep's clock is of single precision: 3e-5 of the pump would pass for harmonics
    time = np.round(np.asarray(raw[of][f"{side}/time"], float) / step) * step
    field = np.real(raw[of][f"{side}/value"])
    late = time >= told["begin"]
    time, field = time[late], field[late]
    half = time.size // 2
    whole, first, last = (
        _fitted(time[part], field[part], told["frequency"])
        for part in (slice(None), slice(None, half), slice(half, None))
    )
    for h in wanted:
        moved = abs(last[h] - first[h])
        if moved > STEADY * abs(whole[h]) and moved > 1e-14 * abs(whole[1]):
            raise NotMeasured(
                f"{name}: harmonic {h} of the {side} light is not steady",
                found=f"it changes by {moved / abs(whole[h]):.1e} within the record",
                fix="a resonance rings longer; thinner films or lower contrast",
            )
    return np.asarray([whole[h] for h in wanted])


def _fitted(time: NDArray[np.float64], field: NDArray[np.float64], f: float) -> NDArray[np.complex128]:
    """Amplitudes A_h, (HIGHEST + 1,), of field = sum Re(A_h exp(-2 pi i h f t)), by least squares: no window, no leakage."""
    phase = 2 * math.pi * f * time
    columns = [
        np.ones_like(phase),
        *(np.cos(h * phase) for h in range(1, HIGHEST + 1)),
        *(np.sin(h * phase) for h in range(1, HIGHEST + 1)),
    ]
    found = np.linalg.lstsq(np.stack(columns, axis=1), field, rcond=None)[0]
    return np.concatenate([found[:1], found[1 : HIGHEST + 1] + 1j * found[HIGHEST + 1 :]])
