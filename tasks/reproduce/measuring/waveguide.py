"""Effective and group index of guided modes, beat lengths, and profiles along a line or over a rectangle."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simkit.arrange import Arrangement
from simkit.arrange.damped_guide import OF_LOSS
from simkit.arrange.places import axes_of, ends, is_rectangle
from simkit.describe.scene import Quantity
from simkit.describe.waveguide import BeatLength, EffectiveIndex, GuidedProfile, Waveguide
from tasks.reproduce.measuring import damped_guide
from tasks.reproduce.measuring.field_maps import along, magnitude_map
from tasks.reproduce.measuring.mode_fields import magnitude
from tasks.reproduce.measuring.values import Curve, NotMeasured, Raw, Scalar

NO_FREQUENCY = 1e-9  # c/length: the first band's at no wave vector
EDGE = 1e-6  # relative: nearer to the cladding's index nothing is guided


def measure(scene: Waveguide, quantity: Quantity, arrangement: Arrangement, raw: Raw) -> Scalar | Curve:
    """An index, a length, or a profile. Raises NotMeasured: no such guided mode, supermodes too close to be told apart."""
    if "modes" not in arrangement.runs or isinstance(quantity, OF_LOSS):
        return damped_guide.measure(scene, quantity, arrangement, raw)
    frequency = np.asarray(raw["modes"]["modes/frequency"], float)
    k = np.asarray(raw["modes"]["modes/k"], float)
    here = len(frequency) // 2

    def index(mode: int) -> float:
        found = k[here, mode - 1] / frequency[here]
        low, high = arrangement.facts["cladding"], arrangement.facts["core"]
        if scene.period is not None and not np.isfinite(found):
            raise _not_passed(quantity, mode, scene, raw["modes"], bool(np.isinf(found)))
        if not low * (1 + EDGE) < found < high:
            raise NotMeasured(
                f"{quantity.id}: mode {mode} is not guided",
                found="no such mode" if np.isnan(found) else f"effective index {found:.6g}",
                allowed=f"{low:.6g} to {high:.6g}",
                fix="a lower mode number, or another polarization",
            )
        return float(found)

    if isinstance(quantity, BeatLength):
        difference = index(quantity.first) - index(quantity.second)
        if not difference > EDGE:
            raise NotMeasured(f"{quantity.id}: the two modes cannot be told apart", found=f"{difference:.3g}")
        return Scalar(float(scene.wavelength) / (2 * difference), power=1)
    mode = quantity.mode  # type: ignore[attr-defined]
    if isinstance(quantity, GuidedProfile):
        index(mode)
        return _profile(quantity, arrangement, raw["modes"])
    if isinstance(quantity, EffectiveIndex):
        return Scalar(index(mode))
    index(mode)
    if not arrangement.facts["beside"]:
        return Scalar(1 / float(raw["modes"]["modes/group_velocity"][here, mode - 1]))
    slope = abs(k[-1, mode - 1] - k[0, mode - 1]) / (frequency[-1] - frequency[0])
    if not np.isfinite(slope):
        raise NotMeasured(f"{quantity.id}: mode {mode} is cut off beside the wavelength")
    return Scalar(float(slope))


def _not_passed(
    quantity: Quantity, mode: int, scene: Waveguide, raw: dict[str, NDArray[np.generic]], folded: bool
) -> NotMeasured:
    """Why a band of a period gives no index at the wavelength."""
    ends = [float(np.real(raw[f"modes/{end}"][mode - 1])) for end in ("highest", "lowest")]
    low, high = (1 / f if f > NO_FREQUENCY else np.inf for f in ends)
    if folded:
        return NotMeasured(
            f"{quantity.id}: band {mode} is folded: it has this wavelength at several wave vectors, and no single index",
            found=f"band {mode} turns or crosses another one; below the light line its wavelengths are {low:.6g} to {high:.6g}",
            fix="a wavelength where it has one, or BandFrequency of a Crystal at a wave vector",
        )
    return NotMeasured(
        f"{quantity.id}: no mode without loss of band {mode} has the wavelength {float(scene.wavelength):.6g}: it lies in a gap, or "
        "above the light line",
        found=f"below the light line of the cladding band {mode} has wavelengths {low:.6g} to {high:.6g}",
        fix="another wavelength, or another band as the mode's number",
    )


def _profile(quantity: GuidedProfile, arrangement: Arrangement, raw: dict[str, NDArray[np.generic]]) -> Curve:
    fields = np.asarray(raw[f"modes/{'H' if quantity.component[0] == 'H' else 'E'}{quantity.mode}"], complex)
    names = range(3) if quantity.component == "E" else ["xyz".index(quantity.component[1])]
    if is_rectangle(quantity):
        plane = tuple(np.asarray(raw[f"modes/{axis}"], float) for axis in "yz")
        return magnitude_map(quantity, plane, [fields[:, :, n] for n in names], arrangement.facts["longest"])
    (axis,), (start, end) = axes_of(quantity), ends(quantity)
    across = 3 - axis  # z for a line along y, y for one along z
    where, beside = (np.asarray(raw[f"modes/{'xyz'[i]}"], float) for i in (axis, across))
    line = _row(np.moveaxis(fields, axis - 1, 0), beside, start[across])
    x = np.linspace(*sorted((start[axis], end[axis])), max(int(arrangement.facts["samples"]), 2))
    return along(quantity, x, magnitude(quantity.id, where, [line[:, n] for n in names], x))


def _row(fields: NDArray[np.complex128], beside: NDArray[np.float64], place: float) -> NDArray[np.complex128]:
    """(along, 3): fields (along, across, 3) at a place across."""
    if beside.size == 1:
        return fields[:, 0]
    at = int(np.clip(np.searchsorted(beside, place) - 1, 0, beside.size - 2))
    share = (place - beside[at]) / (beside[at + 1] - beside[at])
    return np.asarray((1 - share) * fields[:, at] + share * fields[:, at + 1])
