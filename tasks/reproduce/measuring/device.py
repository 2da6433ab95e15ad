"""Power through the ports of a device, in all or in one guided mode, over the power that comes in."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simkit.arrange import Arrangement
from simkit.arrange.places import axes_of
from simkit.describe.device import (
    Device,
    DeviceField,
    DevicePattern,
    Loss,
    PortDelay,
    PortPhase,
    PortReflectance,
    PortTransmittance,
    PowerThrough,
)
from simkit.describe.light import Line
from simkit.describe.scene import Quantity
from tasks.reproduce.measuring.device_pattern import pattern
from tasks.reproduce.measuring.field_maps import shaped, told
from tasks.reproduce.measuring.values import Curve, NotMeasured, Raw, Scalar
from tasks.reproduce.measuring.wave_phases import delay, unwrapped

Array = NDArray[np.float64]
Fields = dict[str, NDArray[np.complex128]]  # components (n, points) of a plane
DARKEST = 1e-6  # of the brightest frequency
TOLERANCE = 0.02  # of power
FACE_PX = 1.5  # from a guide's face: nearer, the grid mixes the fields on both sides
PUREST = 0.99  # least overlap of a straight guide's fields at its two ends: below it they are no single guided mode


def measure(scene: Device, quantity: Quantity, arrangement: Arrangement, raw: Raw) -> Scalar | Curve:
    """A share of power, a curve over frequency (n,) or a number at a Line. Raises NotMeasured: a dark or impure reference,
    more power than came in."""
    source = scene.source
    frequency = np.asarray(raw["straight"][f"flux_{source}/frequency"], float)
    # Where the straight guide ends, what the source radiated beside the mode is gone.
    incident = -arrangement.facts["sign"][source] * np.asarray(raw["straight"]["flux_check/flux"], float)
    if not np.all(np.isfinite(incident)) or incident.min() <= DARKEST * incident.max():
        raise NotMeasured(
            f"no light comes into {scene.id} at frequency {frequency[int(np.argmin(incident))]:.6g}",
            found=float(incident.min()),
            fix="a narrower band, or a mode that is guided in all of it",
        )
    _pure(scene, raw, "straight", source)
    out = {
        port.id: arrangement.facts["sign"][port.id]
        * np.asarray(raw["device"][f"flux_{port.id}/flux"], float)
        / incident
        for port in scene.ports
    }
    total = sum(out.values())
    worst = int(np.argmax(total))
    if total[worst] > 1 + TOLERANCE:
        raise NotMeasured(
            f"more light leaves {scene.id} than comes in",
            found=f"{total[worst]:.4g} at {frequency[worst]:.6g}",
            allowed="1",
            fix="a medium with gain, or a resonance that has not decayed",
        )
    if isinstance(quantity, (PortPhase, PortDelay)):
        phase = _turned(scene, quantity, arrangement, raw, frequency)
        if isinstance(quantity, PortDelay):
            return Curve(frequency, delay(quantity.id, frequency, phase), power=1)
        return Scalar(float(phase[0])) if isinstance(scene.band, Line) else Curve(frequency, phase)
    if isinstance(quantity, DeviceField):
        return _field(quantity, arrangement, raw)
    if isinstance(quantity, DevicePattern):
        far = arrangement.runs["device"].monitors[f"far_{quantity.mark}"]
        return pattern(quantity, raw["device"], far.radius, float(incident[0]), arrangement.facts["longest"])
    if isinstance(quantity, PowerThrough):
        sign = 1 if quantity.towards[0] == "+" else -1
        y = sign * np.asarray(raw["device"][f"through_{quantity.mark}/flux"], float) / incident
    elif isinstance(quantity, Loss):
        y = 1 - total
    else:
        assert isinstance(quantity, (PortTransmittance, PortReflectance))
        ports = (source,) if isinstance(quantity, PortReflectance) else quantity.ports
        y = sum(
            out[port]
            if quantity.mode is None
            else _in_mode(scene, quantity, port, arrangement, raw) / incident
            for port in ports
        )
    return Scalar(float(y[0])) if isinstance(scene.band, Line) else Curve(frequency, np.asarray(y))


def _field(quantity: DeviceField, arrangement: Arrangement, raw: Raw) -> Curve:
    """The field over the largest of the incoming mode inside its guide, as the straight guide's far end shows it.

    At the guide's faces the mode may be larger, but it jumps there, and no grid shows that value.
    """
    name, facts = f"field_{quantity.mark}", arrangement.facts
    plane = _fields(raw["straight"], "fields_check")
    where = [np.asarray(raw["straight"][f"fields_check/{axis}"], float) for axis in "xyz"]
    sizes = [at.size for at in where if at.size > 1]
    power = np.asarray(
        sum(np.abs(values.reshape(-1, *sizes)[0]) ** 2 for part, values in plane.items() if part[0] == "E")
    )
    for number, axis in enumerate(axis for axis, at in zip("xyz", where, strict=True) if at.size > 1):
        low, high = facts["core"].get(axis, (-np.inf, np.inf))
        at = where["xyz".index(axis)]
        edge = FACE_PX * float(np.median(np.diff(at)))
        power = np.compress((at > low + edge) & (at < high - edge), power, axis=number)
    if not power.size or not power.max() > 0:
        raise NotMeasured(
            f"{quantity.id}: no field of the incoming mode is inside its guide", fix="a finer grid"
        )
    amplitude = float(np.sqrt(power.max()))
    there = [np.asarray(raw["device"][f"{name}/{'xyz'[i]}"], float) for i in axes_of(quantity)]
    parts = [np.abs(shaped(values, there)) ** 2 for values in _fields(raw["device"], name).values()]
    found = np.sum(parts, axis=0) / amplitude**2
    places = [at + facts["middle"][i] for at, i in zip(there, axes_of(quantity), strict=True)]
    return told(
        quantity, places, found if quantity.field == "intensity" else np.sqrt(found), facts["longest"]
    )


def _in_mode(
    scene: Device,
    quantity: PortTransmittance | PortReflectance,
    port: str,
    arrangement: Arrangement,
    raw: Raw,
) -> Array:
    """Power in one guided mode that leaves at a port, in the units of the fluxes."""
    run = arrangement.facts["pure"][f"{port}/{quantity.mode}"]
    axis, sign = arrangement.facts["axis"][port], arrangement.facts["sign"][port]
    found, mode = _fields(raw["device"], f"fields_{port}"), _fields(raw[run], f"fields_{port}")
    power = np.abs(np.asarray(raw[run][f"flux_{port}/flux"], float))
    weights = np.asarray(raw[run][f"fields_{port}/weights"], float)
    _pure(scene, raw, run, port)
    if port == scene.source:
        straight = _fields(raw["straight"], f"fields_{port}")
        found = {name: values - straight[name] for name, values in found.items()}
        if run == "straight":  # light that comes in, turned round
            mode = {
                name: np.conj(values) if name[0] == "E" else -np.conj(values) for name, values in mode.items()
            }
    share = _overlap(found, mode, weights, axis, sign) / _overlap(mode, mode, weights, axis, sign)
    return np.asarray(np.abs(share) ** 2 * power)


def _turned(
    scene: Device, quantity: PortPhase | PortDelay, arrangement: Arrangement, raw: Raw, frequency: Array
) -> Array:
    """Phase of a mode at its plane over that of the source's mode at its own, where each mode's field is largest.

    The source's mode is that of the straight guide, so that what is reflected does not disturb it.
    """
    key = f"{quantity.port}/{quantity.mode}"
    run, axis, sign = (
        arrangement.facts[fact][of]
        for fact, of in (("pure", key), ("axis", quantity.port), ("sign", quantity.port))
    )
    _pure(scene, raw, run, quantity.port)
    name = f"fields_{quantity.mark}_end"
    own = name if run == "straight" else f"fields_{quantity.port}"
    found, mode = _fields(raw["device"], name), _fields(raw[run], own)
    weights = np.asarray(raw[run][f"{own}/weights"], float)
    share = _overlap(found, mode, weights, axis, sign) / _overlap(mode, mode, weights, axis, sign)
    incoming = _fields(raw["straight"], f"fields_{quantity.mark}_start")
    return unwrapped(quantity.id, frequency, share * _largest(scene, mode) / _largest(scene, incoming), 0.0)


def _largest(scene: Device, fields: Fields) -> NDArray[np.complex128]:
    """The phase factor of a mode's main field at the place where it is largest, (n,)."""
    values = fields[scene.polarization].reshape(len(fields[scene.polarization]), -1)
    at = int(np.argmax(np.abs(values).sum(axis=0)))
    return np.asarray(values[:, at] / np.abs(values[:, at]))


def _pure(scene: Device, raw: Raw, run: str, port: str) -> None:
    """Whether a straight guide's fields are the same at its two ends. Raises NotMeasured."""
    check = "fields_check" if run == "straight" else f"fields_check_{port}"
    far, near = _fields(raw[run], check), _fields(raw[run], f"fields_{port}")
    weights = np.asarray(raw[run][f"{check}/weights"], float)

    def product(one: Fields, other: Fields) -> NDArray[np.complex128]:
        parts = [
            (one[name] * np.conj(other[name]) * weights).reshape(len(one[name]), -1)
            for name in one
            if name[0] == "E"
        ]
        return np.asarray(np.concatenate(parts, axis=1).sum(axis=1))

    with np.errstate(invalid="ignore", divide="ignore"):
        purity = float(
            np.min(np.abs(product(far, near)) ** 2 / np.abs(product(far, far) * product(near, near)))
        )
    if not purity >= PUREST:
        raise NotMeasured(
            f"the light in the straight guide of port {port} of {scene.id} is no single guided mode",
            found=f"its fields overlap by {purity:.4g} after its length",
            allowed=f"{PUREST:g} to 1",
            fix="a mode that is guided, a port farther from other guides, or a narrower band",
        )


def _fields(raw: dict[str, NDArray[np.generic]], name: str) -> Fields:
    return {
        key.split("/")[1]: np.asarray(values, complex)
        for key, values in raw.items()
        if key.startswith(f"{name}/") and key.split("/")[1][0] in "EH"
    }


def _overlap(one: Fields, other: Fields, weights: Array, axis: str, sign: float) -> NDArray[np.complex128]:
    """Integral of (E1 x H2* + E2* x H1) along the outward normal, (n,)."""
    first, second = {"x": "yz", "y": "zx", "z": "xy"}[axis]
    found: NDArray[np.complex128] = np.zeros(len(next(iter(one.values()))), complex)
    for a, b, turn in ((first, second, 1), (second, first, -1)):
        if f"E{a}" in one and f"H{b}" in one:
            part = one[f"E{a}"] * np.conj(other[f"H{b}"]) + np.conj(other[f"E{a}"]) * one[f"H{b}"]
            found = found + turn * (part * weights.reshape(part.shape[1:])).reshape(len(part), -1).sum(axis=1)
    return sign * found
