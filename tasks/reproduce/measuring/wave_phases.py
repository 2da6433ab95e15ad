"""Phases over a band, and the delays that follow from them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tasks.reproduce.measuring.splines import cubic
from tasks.reproduce.measuring.values import NotMeasured

Array = NDArray[np.float64]
DARKEST = 1e-3  # of the incident amplitude: below it a phase is that of rounding and stray light
LARGEST_STEP = 2.0  # radian between two samples; beyond it nobody knows how often the phase went round
FEWEST = 5  # samples for a derivative


def unwrapped(name: str, frequency: Array, ratio: NDArray[np.complex128], middle: float) -> Array:
    """The phase of an amplitude over the incident one, (n,), that of the lowest frequency within pi of `middle`.

    Raises NotMeasured: no light at some frequency, or a phase that turns too fast for its samples.
    """
    dark = int(np.argmin(np.abs(ratio)))
    if not np.all(np.isfinite(ratio)) or abs(ratio[dark]) < DARKEST:
        raise NotMeasured(
            f"{name}: there is too little light for a phase at frequency {frequency[dark]:.6g}",
            found=float(abs(ratio[dark])),
            allowed=f"{DARKEST:g} of the incident amplitude",
            fix="a band without a zero of the light",
        )
    phase = np.unwrap(np.angle(ratio))
    if len(phase) > 1 and (step := float(np.max(np.abs(np.diff(phase))))) > LARGEST_STEP:
        raise NotMeasured(
            f"{name}: the phase turns by {step:.2g} radian between two samples",
            allowed=f"{LARGEST_STEP:g}",
            fix="a narrower band around the resonance",
        )
    return np.asarray(phase - 2 * np.pi * np.round((phase[0] - middle) / (2 * np.pi)))


def delay(name: str, frequency: Array, phase: Array) -> Array:
    """d(phase)/d(angular frequency), (n,), a length over c. Raises NotMeasured for a single frequency."""
    if len(frequency) < FEWEST:
        raise NotMeasured(
            f"{name}: a delay is a derivative over the band",
            found=f"{len(frequency)} frequencies",
            fix="band=Wavelengths(...) or Frequencies(...)",
        )
    return np.asarray(cubic(frequency, phase)(frequency, 1) / (2 * np.pi))
