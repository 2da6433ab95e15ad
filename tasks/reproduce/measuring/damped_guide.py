"""Complex wave vector of a mode at a real frequency, from its complex frequencies at a few real wave vectors.

The frequency is an analytic function of the wave vector; its polynomial through what was found is continued to where it is the
frequency of the light. That needs no weak loss, but a function that few terms tell: three of five wave vectors, if they do not agree
with all five, show where they do not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.arrange import Arrangement
from simkit.arrange.damped_guide import MANY
from simkit.arrange.modes import modes
from simkit.arrange.places import axes_of, ends
from simkit.describe.scene import Quantity
from simkit.describe.waveguide import (
    Attenuation,
    BeatLength,
    EffectiveIndex,
    GuidedProfile,
    PropagationLength,
    Waveguide,
)
from tasks.reproduce.measuring.field_maps import along
from tasks.reproduce.measuring.mode_fields import magnitude
from tasks.reproduce.measuring.values import Curve, NotMeasured, Raw, Scalar

Complex = NDArray[np.complex128]
LARGEST_ERROR = 1e-5  # of the harmonic inversion
REACH = 0.05  # relative distance from where a mode should be, of frequency and of decay over frequency
MOVED, MOVED_Q = 1e-3, 0.05  # relative change from the first half of the record to the whole
AGREE = 0.05  # of the imaginary part of the wave vector: what three of five wave vectors may differ from all
FARTHEST = 4.0  # times the spread of the wave vectors: how far from the middle one the real part may lie
LEVEL = 10 / math.log(10)  # dB of a power that falls to 1/e
STEPS = 50


@dataclass(frozen=True)
class Damped:
    """A mode at the light's frequency. index: complex; group: its real part's, over frequency; weights: of each run's fields in the
    mode's."""

    index: complex
    group: float
    weights: Complex


def measure(scene: Waveguide, quantity: Quantity, arrangement: Arrangement, raw: Raw) -> Scalar | Curve:
    """An index, a length, an attenuation, or a profile. Raises NotMeasured: no such mode, too much loss, none."""
    if isinstance(quantity, BeatLength):
        first, second = (
            _damped(scene, quantity, n, arrangement, raw).index.real
            for n in (quantity.first, quantity.second)
        )
        if not first > second:
            raise NotMeasured(
                f"{quantity.id}: the two modes cannot be told apart", found=f"{first - second:.3g}"
            )
        return Scalar(float(scene.wavelength) / (2 * (first - second)), power=1)
    number = quantity.mode  # type: ignore[attr-defined]
    found = _damped(scene, quantity, number, arrangement, raw)
    if isinstance(quantity, EffectiveIndex):
        return Scalar(found.index.real)
    if isinstance(quantity, GuidedProfile):
        return _profile(quantity, number, found, arrangement, raw)
    if not isinstance(quantity, (PropagationLength, Attenuation)):
        return Scalar(found.group)
    if not found.index.imag > 0:
        raise NotMeasured(
            f"{quantity.id}: mode {number} loses nothing that could be seen",
            found=f"Im n = {found.index.imag:.2g}",
        )
    length = float(scene.wavelength) / (4 * math.pi * found.index.imag)
    return (
        Scalar(length, power=1)
        if isinstance(quantity, PropagationLength)
        else Scalar(LEVEL / length, power=-1)
    )


def _damped(scene: Waveguide, quantity: Quantity, number: int, arrangement: Arrangement, raw: Raw) -> Damped:
    about = arrangement.facts["damped"][str(number)]
    if "why" in about:
        raise NotMeasured(
            f"{quantity.id}: {about['why']}",
            found=about["found"],
            allowed=about.get(
                "allowed",
                "a guided mode: it decays on both sides, and loses less in a wavelength than its phase turns",
            ),
            fix="a lower mode number, the other polarization, a wavelength farther from the metal's resonance"
            if not about.get("lossless")
            else "EffectiveIndex and GroupIndex have values; a loss needs a medium that absorbs",
        )
    k = np.array(about["k"])
    f = np.array([_seen(quantity, number, about, n, arrangement, raw) for n in range(k.size)])
    light = 1 / float(scene.wavelength)
    spread = (k[-1] - k[0]) / 2
    middle = k[k.size // 2]
    found, slope, weights = _continued((k - middle) / spread, f, light)
    if abs(found.real) > FARTHEST:
        raise NotMeasured(
            f"{quantity.id}: mode {number} lies {abs(found.real) * spread / middle:.1%} from where its films have it",
            found=f"on {next(iter(arrangement.runs.values())).resolution:g} pixels per unit",
            fix="a finer grid",
        )
    index = complex(middle + found * spread) / light
    if k.size == MANY:
        fewer = complex(middle + _continued((k[::2] - middle) / spread, f[::2], light)[0] * spread) / light
        if abs(fewer - index) > AGREE * abs(index.imag):
            raise NotMeasured(
                f"{quantity.id}: mode {number} loses its power too fast for what wave vectors that are real tell of it",
                found=f"effective index {index.real:.5g}{index.imag:+.3g}i from five of them, "
                f"{fewer.real:.5g}{fewer.imag:+.3g}i from three",
                fix="a wavelength farther from the metal's resonance, or a mode with less loss",
            )
    return Damped(index, float((spread / slope).real), weights)


def _continued(at: NDArray[np.float64], f: Complex, light: float) -> tuple[complex, complex, Complex]:
    """Where the polynomial through f at wave vectors `at` is `light`, its slope there, and Lagrange's weights of each f."""
    terms = np.linalg.inv(
        np.vander(at, increasing=True)
    )  # columns: the polynomial that is 1 at one and 0 at the others
    path = np.polynomial.Polynomial(terms @ f)
    slope, where = path.deriv(), complex(0.0)
    for _ in range(STEPS):
        step = complex((path(where) - light) / slope(where))
        where -= step
        if abs(step) < 1e-14:
            break
    return where, complex(slope(where)), np.asarray(where ** np.arange(at.size) @ terms)


def _seen(
    quantity: Quantity, number: int, about: Mapping[str, Any], at: int, arrangement: Arrangement, raw: Raw
) -> complex:
    """The mode's complex frequency at one of its wave vectors, as two probes saw it."""
    expected = complex(*about["frequency"][at])
    found = modes(raw[about["runs"][at]], arrangement.facts["probes"], LARGEST_ERROR)
    there = [complex(mode.frequency, -mode.frequency / (2 * mode.q)) for mode in found]
    if not there or min(abs(one - expected) for one in there) > REACH * expected.real:
        told = ", ".join(f"{one.real:.6g}{one.imag:+.2g}i" for one in there) or "nothing that two probes see"
        raise NotMeasured(
            f"{quantity.id}: mode {number} was not seen near the frequency {expected.real:.6g}",
            found=told,
            fix="a finer grid, or a longer run",
        )
    nearest = min(range(len(there)), key=lambda n: abs(there[n] - expected))
    change = found[nearest].change
    if change[0] > MOVED or change[1] > MOVED_Q:
        raise NotMeasured(
            f"{quantity.id}: mode {number} near the frequency {expected.real:.6g} is not steady",
            found=f"its frequency changes by {change[0]:.1e}, its decay by {change[1]:.1e} from half the record to the whole",
            fix="a longer run",
        )
    return there[nearest]


def _profile(
    quantity: GuidedProfile, number: int, found: Damped, arrangement: Arrangement, raw: Raw
) -> Curve:
    """|field| on the line over its largest: each run's fields over their own at one place, continued to the complex wave vector."""
    names = arrangement.facts["damped"][str(number)]["runs"]
    key, moved = f"fields_{quantity.mark}", arrangement.facts["lowest"]
    fields: list[Complex] = []
    for name in names:
        run = arrangement.runs[name]
        own = sorted(
            one for one in raw[name] if one.startswith(f"{key}/") and one.rsplit("/", 1)[1][:1] in "EH"
        )
        where = np.asarray(raw[name][f"{key}/y"], float) - (run.stack[1][1] - moved)  # type: ignore[union-attr]
        fields.append(
            np.array([np.asarray(raw[name][one], complex)[0].reshape(-1)[: where.size] for one in own])
        )
        places = where
    middle = fields[len(fields) // 2]
    brightest = np.unravel_index(int(np.argmax(np.abs(middle))), middle.shape)
    if not abs(middle[brightest]) > 0:
        raise NotMeasured(
            f"{quantity.id}: the mode has no such field on the line", fix="a line off the mode's nodal planes"
        )
    whole = sum(
        weight * field / field[brightest] for weight, field in zip(found.weights, fields, strict=True)
    )
    (axis,), (start, end) = axes_of(quantity), ends(quantity)
    low, high = sorted((start[axis], end[axis]))
    x = np.linspace(low, high, max(int(arrangement.facts["samples"]), 2))
    return along(quantity, x, magnitude(quantity.id, places, list(np.asarray(whole)), x))
