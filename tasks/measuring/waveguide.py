"""Effective and group index of guided modes, and beat lengths."""

from __future__ import annotations

import numpy as np

from simkit.arrange import Arrangement
from simkit.describe.scene import Quantity
from simkit.describe.waveguide import BeatLength, EffectiveIndex, Waveguide
from tasks.measuring.values import NotMeasured, Raw, Scalar

EDGE = 1e-6  # relative: nearer to the cladding's index nothing is guided


def measure(scene: Waveguide, quantity: Quantity, arrangement: Arrangement, raw: Raw) -> Scalar:
    """An index, or a length. Raises NotMeasured: no such guided mode, supermodes too close to be told apart."""
    frequency = np.asarray(raw["modes"]["modes/frequency"], float)
    k = np.asarray(raw["modes"]["modes/k"], float)
    here = len(frequency) // 2

    def index(mode: int) -> float:
        found = k[here, mode - 1] / frequency[here]
        low, high = arrangement.facts["cladding"], arrangement.facts["core"]
        if not low * (1 + EDGE) < found < high:
            raise NotMeasured(f"{quantity.id}: mode {mode} is not guided",
                              found="no such mode" if np.isnan(found) else f"effective index {found:.6g}",
                              allowed=f"{low:.6g} to {high:.6g}", fix="a lower mode number, or another polarization")
        return float(found)

    if isinstance(quantity, BeatLength):
        difference = index(quantity.first) - index(quantity.second)
        if not difference > EDGE:
            raise NotMeasured(f"{quantity.id}: the two modes cannot be told apart", found=f"{difference:.3g}")
        return Scalar(float(scene.wavelength) / (2 * difference), power=1)
    mode = quantity.mode  # type: ignore[attr-defined]
    if isinstance(quantity, EffectiveIndex):
        return Scalar(index(mode))
    index(mode)
    if not arrangement.facts["beside"]:
        return Scalar(1 / float(raw["modes"]["modes/group_velocity"][here, mode - 1]))
    slope = (k[-1, mode - 1] - k[0, mode - 1]) / (frequency[-1] - frequency[0])
    if not np.isfinite(slope):
        raise NotMeasured(f"{quantity.id}: mode {mode} is cut off beside the wavelength")
    return Scalar(float(slope))
