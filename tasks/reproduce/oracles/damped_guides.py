"""Guides of metal or absorbing films, and what films lose per length: from all complex roots of their dispersion relation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.arrange.damped_guide import OF_LOSS, is_damped
from simkit.arrange.permittivity import permittivity
from simkit.arrange.places import ends, points, positions
from simkit.describe.scene import Quantity
from simkit.describe.waveguide import Attenuation, BeatLength, EffectiveIndex, GuidedProfile, Waveguide
from tasks.reproduce.measuring.values import Curve, Scalar
from tasks.reproduce.oracles.damped_films import Layer, NotCounted, damped_indices, followed
from tasks.reproduce.oracles.slabs import are_films, field, media_of_films

STEP = 1e-4  # relative, of the wavelength, for its derivative
LOST = 10 / math.log(10)  # dB


def oracle(
    scene: Waveguide, quantity: Quantity, materials: Mapping[str, Any], x: NDArray[np.float64] | None
) -> Scalar | Curve | None:
    """The exact value for films along y; None for anything else, of guides without loss for what has none, and without such a mode."""
    if (
        not are_films(scene)
        or scene.period is not None
        or not (isinstance(quantity, OF_LOSS) or is_damped(scene, materials))
    ):
        return None
    wavelength, across = float(scene.wavelength), scene.polarization == "Hz"

    def layers(at: float) -> list[Layer]:
        return [
            (permittivity(medium, 1 / at, materials), thickness)
            for medium, thickness in media_of_films(scene)
        ]

    try:
        found = damped_indices(layers(wavelength), wavelength, across)
        last = quantity.second if isinstance(quantity, BeatLength) else quantity.mode  # type: ignore[attr-defined]
        if len(found) < last:
            return None
        index = found[last - 1]
        if isinstance(quantity, BeatLength):
            return Scalar(wavelength / (2 * (found[quantity.first - 1].real - index.real)), power=1)
        if isinstance(quantity, OF_LOSS):
            lost = 4 * math.pi * index.imag / wavelength
            if not lost > 0:
                return None
            return (
                Scalar(LOST * lost, power=-1)
                if isinstance(quantity, Attenuation)
                else Scalar(1 / lost, power=1)
            )
        if isinstance(quantity, EffectiveIndex):
            return Scalar(index.real)
        if isinstance(quantity, GuidedProfile):
            return _profile(scene, quantity, index, layers(wavelength), x)
        beside = [
            followed(index, layers(at), at, across)
            for at in (wavelength * (1 - STEP), wavelength * (1 + STEP))
        ]
    except NotCounted:
        return None
    return Scalar(index.real - (beside[1] - beside[0]).real / (2 * STEP))


def _profile(
    scene: Waveguide,
    quantity: GuidedProfile,
    index: complex,
    layers: list[Layer],
    x: NDArray[np.float64] | None,
) -> Curve | None:
    """Of the field along z."""
    if quantity.component not in {"Ez": ("E", "Ez"), "Hz": ("Hz",)}[scene.polarization]:
        return None
    x = positions(quantity, np.linspace(*ends(quantity), 201)) if x is None else x
    dense = field(scene, index, layers, np.linspace(*ends(quantity), 4001)[:, 1])
    return Curve(
        x,
        np.abs(field(scene, index, layers, points(quantity, x)[:, 1])) / np.abs(dense).max(),
        axis="position",
    )
