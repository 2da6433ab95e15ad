"""Cross-sections, near fields and far fields of a scatterer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simkit.arrange import Arrangement
from simkit.arrange.places import axes_of, positions
from simkit.describe.scatterer import (
    CrossSection,
    DifferentialCrossSection,
    FarField,
    FieldAlong,
    NearField,
    PointField,
    Scatterer,
)
from simkit.describe.scene import Quantity
from tasks.reproduce.measuring.field_maps import shaped, told
from tasks.reproduce.measuring.values import Curve, NotMeasured, Raw

DARKEST = 1e-6
GAIN = 0.02  # of the extinction: a body that gives out more than it gets is not passive


def measure(scene: Scatterer, quantity: Quantity, arrangement: Arrangement, raw: Raw) -> Curve:
    """A curve, (n,), or the map of a rectangle. Raises NotMeasured."""
    if isinstance(quantity, CrossSection):
        return _cross_section(scene, quantity, arrangement, raw)
    if isinstance(quantity, PointField):
        return _at_point(scene, quantity, raw)
    if isinstance(quantity, NearField):
        return _near_field(scene, quantity, arrangement, raw)
    if isinstance(quantity, FieldAlong):
        return _field_along(scene, quantity, arrangement, raw)
    if isinstance(quantity, DifferentialCrossSection):
        return _differential(scene, quantity, arrangement, raw)
    assert isinstance(quantity, FarField)
    return _far_field(scene, quantity, arrangement, raw)


def _far_field(scene: Scatterer, quantity: FarField, arrangement: Arrangement, raw: Raw) -> Curve:
    facts = arrangement.facts
    monitor = arrangement.runs["bodies"].monitors[f"far_{quantity.mark}"]  # type: ignore[union-attr]
    fields = np.asarray(raw["bodies"][f"far_{quantity.mark}/fields"], complex)[:, 0]
    outward = np.asarray(raw["bodies"][f"far_{quantity.mark}/directions"], float)
    power = np.sum(np.real(np.cross(np.conj(fields[:, :3]), fields[:, 3:])) * outward, axis=1)
    if not power.max() > 0:
        raise NotMeasured(f"{quantity.id}: nothing is scattered")
    angle = np.arange(len(power)) * 2 * np.pi / len(power)
    if quantity.over == "maximum":
        return Curve(angle, power / power.max(), axis="angle")
    incident = facts["sign"] * float(np.asarray(raw["empty"]["incident/flux"], float)[0]) / facts["area"]
    if not incident > 0:
        raise NotMeasured(f"{quantity.id}: the reference of {scene.id} has no light", found=incident)
    order = facts["dimensions"] - 1
    return Curve(angle, power * monitor.radius**order / incident, axis="angle", power=order)


def _differential(
    scene: Scatterer, quantity: DifferentialCrossSection, arrangement: Arrangement, raw: Raw
) -> Curve:
    name = f"far_{quantity.mark}"
    monitor = arrangement.runs["bodies"].monitors[name]  # type: ignore[union-attr]
    fields = np.asarray(raw["bodies"][f"{name}/fields"], complex)[0]
    outward = np.asarray(raw["bodies"][f"{name}/directions"], float)[0]
    frequency, incident = _incident(scene, arrangement, raw)
    order = arrangement.facts["dimensions"] - 1
    y = np.real(np.cross(np.conj(fields[:, :3]), fields[:, 3:])) @ outward * monitor.radius**order / incident
    if quantity.per is not None:
        return Curve(frequency, y / float(quantity.per))
    return Curve(frequency, y, power=order)


def _incident(
    scene: Scatterer, arrangement: Arrangement, raw: Raw
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Frequencies, and the incident intensity at each. Raises NotMeasured where there is none."""
    frequency = np.asarray(raw["empty"]["incident/frequency"], float)
    incident = arrangement.facts["sign"] * np.asarray(raw["empty"]["incident/flux"], float)
    incident = incident / arrangement.facts["area"]
    if not np.all(np.isfinite(incident)) or incident.min() <= DARKEST * incident.max():
        raise NotMeasured(
            f"the reference of {scene.id} has no light at frequency {frequency[int(np.argmin(incident))]:.6g}",
            found=float(incident.min()),
            fix="a band the pulse covers",
        )
    return frequency, incident


def _field_along(scene: Scatterer, quantity: FieldAlong, arrangement: Arrangement, raw: Raw) -> Curve:
    facts, name = arrangement.facts, f"along_{quantity.mark}"
    places = np.asarray(raw["bodies"][f"{name}/directions"], float)
    fields = np.array(np.asarray(raw["bodies"][f"{name}/fields"], complex)[:, 0, :3])
    amplitude = complex(np.asarray(raw["empty"][f"centre/E{scene.polarization}"], complex).reshape(-1)[0])
    if not abs(amplitude) > 0:
        raise NotMeasured(f"{quantity.id}: the reference of {scene.id} has no light")
    wave = np.exp(1j * facts["wavenumber"] * facts["sign"] * places[:, facts["axis"]])
    fields = fields / amplitude
    fields[:, "xyz".index(scene.polarization)] += wave
    parts = np.abs(fields)
    y = (
        np.sum(parts**2, axis=1)
        if quantity.field == "intensity"
        else parts[:, "xyz".index(quantity.field[1])]
    )
    return Curve(positions(quantity, places), y, axis="position")


def _cross_section(scene: Scatterer, quantity: CrossSection, arrangement: Arrangement, raw: Raw) -> Curve:
    facts, (frequency, incident) = arrangement.facts, _incident(scene, arrangement, raw)
    scattered = np.asarray(raw["bodies"]["box/flux"], float) / incident
    absorbed = -np.asarray(raw["bodies"]["net/flux"], float) / incident
    extinct = scattered + absorbed
    for name, values in (("scatters", scattered), ("absorbs", absorbed)):
        worst = int(np.argmin(values))
        if values[worst] < -GAIN * np.abs(extinct).max():
            raise NotMeasured(
                f"{scene.id} {name} a negative power at frequency {frequency[worst]:.6g}",
                found=f"{values[worst]:.4g}",
                allowed="0 or more",
                fix="a medium with gain, a resonance not yet decayed, or a body cut by the box",
            )
    y = {"scattering": scattered, "absorption": absorbed, "extinction": extinct}[quantity.process]
    power = facts["dimensions"] - 1
    return (
        Curve(frequency, y, power=power)
        if quantity.per is None
        else Curve(frequency, y / float(quantity.per))
    )


def _at_point(scene: Scatterer, quantity: PointField, raw: Raw) -> Curve:
    name = f"near_{quantity.mark}"
    incident = np.abs(np.asarray(raw["empty"][f"{name}/E{scene.polarization}"], complex)).reshape(-1)
    if incident.min() <= DARKEST * incident.max():
        raise NotMeasured(
            f"{quantity.id}: the reference of {scene.id} has no light in a part of the band",
            found=float(incident.min()),
            fix="a band the pulse covers",
        )
    parts = {
        key.split("/")[1]: np.abs(np.asarray(raw["bodies"][key], complex)).reshape(-1) / incident
        for key in raw["bodies"]
        if key.startswith(f"{name}/E")
    }
    y = sum(part**2 for part in parts.values()) if quantity.field == "intensity" else parts[quantity.field]
    return Curve(np.asarray(raw["bodies"][f"{name}/frequency"], float), np.asarray(y))


def _near_field(scene: Scatterer, quantity: NearField, arrangement: Arrangement, raw: Raw) -> Curve:
    name, own = f"near_{quantity.mark}", f"E{scene.polarization}"
    spread = axes_of(quantity)
    where = tuple(np.asarray(raw["bodies"][f"{name}/{'xyz'[i]}"], float) for i in spread)

    def field(run: str, component: str) -> NDArray[np.complex128]:
        return shaped(raw[run][f"{name}/{component}"], where)

    incident = np.abs(field("empty", own))
    if incident.min() <= 1e-3 * incident.max():
        raise NotMeasured(
            f"{quantity.id}: the incident wave is no plane wave there", found=float(incident.min())
        )
    parts = [key.split("/")[1] for key in raw["bodies"] if key.startswith(f"{name}/E")]
    if quantity.field == "intensity":
        y = np.asarray(sum(np.abs(field("bodies", part)) ** 2 for part in parts) / incident**2)
    else:
        y = np.abs(field("bodies", quantity.field)) / incident
    return told(quantity, where, y, arrangement.facts["longest"])
