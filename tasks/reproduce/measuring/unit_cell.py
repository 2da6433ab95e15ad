"""Reflectance, transmittance, absorptance and diffraction efficiencies from fluxes and fields."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simkit.arrange import Arrangement
from simkit.describe.scene import Quantity
from simkit.describe.unit_cell import (
    CellField,
    GroupDelay,
    HarmonicEfficiency,
    KerrPhase,
    OrderEfficiency,
    Phase,
    UnitCell,
)
from simkit.runs import Run
from tasks.reproduce.measuring import cell_fields, pumped
from tasks.reproduce.measuring.values import Curve, NotMeasured, Raw, Scalar
from tasks.reproduce.measuring.wave_phases import delay, unwrapped

Array = NDArray[np.float64]
TOLERANCE = 0.02  # of power: beyond it R or T is not physical
DARKEST = 1e-6  # of the brightest frequency of the reference: below it nothing is lit


def measure(scene: UnitCell, quantity: Quantity, arrangement: Arrangement, raw: Raw) -> Scalar | Curve:
    """A curve over frequency, (n,); of strong light a number. Raises NotMeasured."""
    if isinstance(quantity, (HarmonicEfficiency, KerrPhase)):
        return pumped.measure(quantity, arrangement, raw)
    if isinstance(quantity, CellField):
        return cell_fields.measure(scene, quantity, arrangement, raw)
    pairs = [
        (raw[f"reference_{i}"], raw[f"structure_{i}"]) for i in range(len(arrangement.facts["oblique"]))
    ] or [(raw["reference"], raw["structure"])]
    kind = quantity.type  # type: ignore[attr-defined]
    x, values = [], []
    for reference, structure in pairs:
        frequency = np.asarray(reference["reflection/frequency"], float)
        incident = np.asarray(reference["reflection/flux"], float)
        _lit(scene, incident, frequency)
        reflectance = -np.asarray(structure["reflection/flux"], float) / incident
        opaque = arrangement.facts["opaque"]
        transmittance = (
            np.zeros_like(reflectance)
            if opaque
            else np.asarray(structure["transmission/flux"], float) / incident
        )
        _physical(scene, reflectance, transmittance, frequency)
        if isinstance(quantity, (Phase, GroupDelay)):
            return _turned(scene, quantity, arrangement, reference, structure, frequency)
        if isinstance(quantity, OrderEfficiency):
            total = reflectance if quantity.side == "reflected" else transmittance
            values.append(total * _share(quantity, arrangement, reference, structure, frequency))
        else:
            values.append(
                {
                    "reflectance": reflectance,
                    "transmittance": transmittance,
                    "absorptance": 1 - reflectance - transmittance,
                }[kind]
            )
        x.append(frequency)
    order = np.argsort(np.concatenate(x))
    return Curve(np.concatenate(x)[order], np.concatenate(values)[order])


def _lit(scene: UnitCell, incident: Array, frequency: Array) -> None:
    if not np.all(np.isfinite(incident)) or incident.min() <= DARKEST * incident.max():
        dark = frequency[int(np.argmin(incident))]
        raise NotMeasured(
            f"the reference of {scene.id} has no light at frequency {dark:.6g}",
            found=float(incident.min()),
            fix="a band the pulse covers; an angle well below grazing",
        )


def _physical(scene: UnitCell, reflectance: Array, transmittance: Array, frequency: Array) -> None:
    for name, values in (
        ("reflectance", reflectance),
        ("transmittance", transmittance),
        ("reflectance + transmittance", reflectance + transmittance),
    ):
        worst = int(np.argmax(np.abs(values - np.clip(values, 0, 1))))
        if not np.isfinite(values[worst]) or not -TOLERANCE <= values[worst] <= 1 + TOLERANCE:
            raise NotMeasured(
                f"{name} of {scene.id} is not physical at frequency {frequency[worst]:.6g}",
                found=f"{values[worst]:.4g}",
                allowed=f"0 to 1 within {TOLERANCE:g}",
                fix="a medium with gain, a resonance not yet decayed, or a body that leaves the cell",
            )


def _share(
    quantity: OrderEfficiency,
    arrangement: Arrangement,
    reference: dict[str, NDArray[np.generic]],
    structure: dict[str, NDArray[np.generic]],
    frequency: Array,
) -> Array:
    """Share of one order in the power through the plane, from the Fourier orders of the fields.

    Two dimensions: power of order m is |F_m|^2 q_m with q_m its wavenumber across the plane; three: Re(E_m x H_m*).
    """
    facts, name = arrangement.facts, f"{quantity.side}_fields"
    indices = np.asarray(facts["indices"][quantity.side], float)
    if not indices.size:
        raise NotMeasured(f"{quantity.id}: nothing is transmitted through an opaque half-space")
    period, components = facts["period"], facts["components"]
    if len(quantity.order) != len(period):
        raise NotMeasured(f"{quantity.id}: order {quantity.order} for {len(period)} period(s)")
    fields = {}
    for component in components:
        values = np.asarray(structure[f"{name}/{component}"], complex)
        if quantity.side == "reflected":
            values = values - np.asarray(reference[f"{name}/{component}"], complex)
        fields[component] = values.reshape(len(frequency), *[n for n in values.shape[1:] if n > 1])
    lateral = facts["front_index"] * frequency * np.sin(facts["angle"])
    found = np.zeros((len(frequency), 2))
    for m in _orders(period, indices, frequency):
        power = _power(fields, structure, name, period, m, frequency, indices, lateral)
        found[:, 1] += power
        if m == tuple(quantity.order):
            found[:, 0] = power
    return np.divide(found[:, 0], found[:, 1], out=np.zeros(len(frequency)), where=found[:, 1] > 0)


def _turned(
    scene: UnitCell,
    quantity: Phase | GroupDelay,
    arrangement: Arrangement,
    reference: dict[str, NDArray[np.generic]],
    structure: dict[str, NDArray[np.generic]],
    frequency: Array,
) -> Curve:
    """Phase or delay of the zeroth order, from the fields' means over a plane.

    What lies between the planes and the interfaces is the known medium's, taken off as the grid carries it: else the grid's
    dispersion over that way, which a wider cell lengthens, would stand in the phase.
    """
    facts, reflected = arrangement.facts, quantity.side == "reflected"
    if not reflected and not facts["indices"]["transmitted"]:
        raise NotMeasured(f"{quantity.id}: nothing is transmitted through an opaque half-space")
    along = {"x": "x", "y": "y", "s": "y", "p": "x"}[scene.polarization]
    component = (
        facts["components"][0]
        if len(facts["components"]) == 1
        else "Ex"
        if not facts["period"]
        else f"E{along}"
    )
    run = arrangement.runs["structure"]
    assert isinstance(run, Run)
    front = _wavenumber(frequency, np.asarray(facts["indices"]["reflected"], float), run)
    incident = _mean(reference, "reflected_fields", component, facts["period"])
    found = _mean(structure, f"{quantity.side}_fields", component, facts["period"])
    if reflected:  # of H the reflected part has the other sign
        ratio = (
            (found - incident)
            / incident
            * np.exp(-2j * front * facts["before"])
            * (-1 if component[0] == "H" else 1)
        )
        middle = np.pi / 2
    else:
        back = _wavenumber(frequency, np.asarray(facts["indices"]["transmitted"], float), run)
        ratio = found / incident * np.exp(-1j * (back * facts["behind"] + front * facts["before"]))
        middle = 2 * np.pi * float(frequency[0]) * float(facts["optical_path"])
    phase = unwrapped(quantity.id, frequency, ratio, middle)
    return (
        Curve(frequency, phase)
        if isinstance(quantity, Phase)
        else Curve(frequency, delay(quantity.id, frequency, phase), power=1)
    )


def _wavenumber(frequency: Array, index: Array, run: Run) -> Array:
    """Of a plane wave along an axis of the run's grid, radian per length: sin(k dx / 2) = n sin(pi f dt) dx / dt (A. Taflove,
    S. C. Hagness, Computational Electrodynamics, 2005, ch. 4)."""
    return (
        2
        * run.resolution
        * np.arcsin(index / run.courant * np.sin(np.pi * frequency * run.courant / run.resolution))
    )


def _mean(
    raw: dict[str, NDArray[np.generic]], name: str, component: str, period: tuple[float, ...]
) -> NDArray[np.complex128]:
    """The zeroth Fourier order of a field over the plane, (n,)."""
    values = np.asarray(raw[f"{name}/{component}"], complex)
    values = values.reshape(len(values), *[n for n in values.shape[1:] if n > 1])
    if period and values.ndim == 2:
        return np.asarray(
            values @ _weights(np.asarray(raw[f"{name}/x"], float), period[0])[: values.shape[1]] / period[0]
        )
    if period:
        wx, wy = (
            _weights(np.asarray(raw[f"{name}/{axis}"], float), p)
            for axis, p in zip("xy", period, strict=True)
        )
        return np.asarray(np.einsum("fxy,x,y->f", values, wx, wy) / (period[0] * period[1]))
    return np.asarray(values.reshape(len(values), -1)[:, 0])


def _orders(period: tuple[float, ...], indices: Array, frequency: Array) -> list[tuple[int, ...]]:
    most = [int(np.ceil(2 * p * float((indices * frequency).max()))) for p in period]
    if len(most) == 1:
        return [(m,) for m in range(-most[0], most[0] + 1)]
    return [(m, n) for m in range(-most[0], most[0] + 1) for n in range(-most[1], most[1] + 1)]


def _power(
    fields: dict[str, NDArray[np.complex128]],
    structure: dict[str, NDArray[np.generic]],
    name: str,
    period: tuple[float, ...],
    m: tuple[int, ...],
    frequency: Array,
    indices: Array,
    lateral: Array,
) -> Array:
    k = [
        lateral + m[0] / period[0],
        *(np.full(len(frequency), n / p) for n, p in zip(m[1:], period[1:], strict=True)),
    ]
    across = (indices * frequency) ** 2 - sum(part**2 for part in k)
    travels = np.sqrt(np.clip(across, 0, None))
    x = np.asarray(structure[f"{name}/x"], float)
    # The array's last point repeats the first one of the next period where it spans a whole period.
    wave = np.exp(-2j * np.pi * np.outer(k[0], x))
    if len(period) == 1:
        (component,) = fields
        weights = _weights(x, period[0])
        amplitude = np.einsum("fx,fx,x->f", fields[component][:, : len(x)], wave, weights) / period[0]
        return np.asarray(np.abs(amplitude) ** 2 * travels)
    y = np.asarray(structure[f"{name}/y"], float)
    wave_y = np.exp(-2j * np.pi * np.outer(k[1], y))
    wx, wy = _weights(x, period[0]), _weights(y, period[1])
    amplitudes = {
        c: np.einsum("fxy,fx,fy,x,y->f", values, wave, wave_y, wx, wy) for c, values in fields.items()
    }
    power = np.real(
        amplitudes["Ex"] * np.conj(amplitudes["Hy"]) - amplitudes["Ey"] * np.conj(amplitudes["Hx"])
    )
    return np.asarray(np.where(across > 0, np.abs(power), 0.0))


def _weights(x: Array, period: float) -> Array:
    """Lengths each sample stands for, cut to one period."""
    if x.size < 2:
        return np.full(x.size, period)
    step = float(x[1] - x[0])
    weights = np.full(x.size, step)
    extra = x.size * step - period
    if extra > 0:  # samples beyond one period share their length with their periodic images
        weights[0] -= extra / 2
        weights[-1] -= extra / 2
    return weights
