"""The Purcell factor, the dipole's power among the bodies over that in the background alone, and where it goes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simkit.arrange import Arrangement
from simkit.arrange.guided_share import seen_as
from simkit.describe.emitter import (
    ConeShare,
    Emitter,
    GuidedShare,
    HalfSpacePattern,
    PurcellFactor,
    RadiationPattern,
)
from simkit.describe.scene import Quantity
from simkit.runs import AnyRun, Run
from tasks.reproduce.measuring.half_space import pattern, share
from tasks.reproduce.measuring.values import Curve, NotMeasured, Raw, Scalar

DARKEST = 1e-3  # of the brightest frequency
BELOW_ZERO = -0.02


def measure(scene: Emitter, quantity: Quantity, arrangement: Arrangement, raw: Raw) -> Scalar | Curve:
    """A number, or a curve over frequency (n,). Raises NotMeasured: a dark reference, a power below zero."""
    if isinstance(quantity, RadiationPattern):
        return _pattern(scene, quantity, arrangement, raw)
    if isinstance(quantity, HalfSpacePattern):
        return pattern(scene, quantity, arrangement, raw)
    if isinstance(quantity, GuidedShare):
        return _guided(scene, quantity, arrangement, raw)
    if isinstance(quantity, ConeShare):
        emitted = _ratio(quantity, arrangement, raw).y[0] if quantity.over == "emitted" else 1.0
        return share(scene, quantity, arrangement, raw, float(emitted))
    found = _ratio(quantity, arrangement, raw)
    return Scalar(float(found.y[0])) if isinstance(quantity, PurcellFactor) else found


def _ratio(quantity: Quantity, arrangement: Arrangement, raw: Raw) -> Curve:
    """The dipole's power over that in the background alone, of an isotropic one the mean over its axes."""
    axes = arrangement.facts["axes"]
    found = [_one(quantity, raw, "" if number == 0 else f" {axis}") for number, axis in enumerate(axes)]
    total = sum(weight * one.y for weight, one in zip(axes.values(), found, strict=True))
    return Curve(found[0].x, np.asarray(total, float))


def _one(quantity: Quantity, raw: Raw, axis: str) -> Curve:
    frequency = np.asarray(raw[f"empty{axis}"]["ldos/frequency"], float)
    alone = np.asarray(raw[f"empty{axis}"]["ldos/ldos"], float)
    among = np.asarray(raw[f"bodies{axis}"]["ldos/ldos"], float)
    if not np.all(np.isfinite(alone)) or alone.min() <= DARKEST * alone.max():
        raise NotMeasured(
            f"{quantity.id}: the dipole alone is dark at frequency {frequency[int(np.argmin(alone))]:.6g}",
            found=float(alone.min()),
            fix="a narrower band",
        )
    ratio = among / alone
    worst = int(np.argmin(ratio))
    if ratio[worst] < BELOW_ZERO:
        raise NotMeasured(
            f"{quantity.id}: the dipole gains power at frequency {frequency[worst]:.6g}",
            found=f"{ratio[worst]:.4g}",
            allowed="0 or more",
            fix="a dipole inside a body, or a medium with gain",
        )
    return Curve(frequency, ratio)


def _guided(scene: Emitter, quantity: GuidedShare, arrangement: Arrangement, raw: Raw) -> Scalar:
    """Power in the mode on all sides over what the dipole loses."""
    called = arrangement.facts["guided"]
    power = 0.0
    for side in quantity.sides:
        name = seen_as(quantity, side)
        index, rim = (
            float(np.asarray(raw[f"bodies{called}"][f"{name}/{key}"], float)[-1].flat[0])
            for key in ("index", "rim")
        )
        if not index > rim:
            raise NotMeasured(
                f"{quantity.id}: mode {quantity.mode} on {side} of {scene.id} is not guided",
                found=f"index {index:.6g}",
                allowed=f"more than {rim:.6g}, that of what the guide lies in",
                fix="a lower mode, or a guide that is bounded across",
            )
        power += float(np.asarray(raw[f"bodies{called}"][f"{name}/power"], float)[-1, 0])
    over = ("empty" if quantity.over == "alone" else "bodies") + called
    return Scalar(power / _work(raw[over], arrangement.runs[over]))


def _work(raw: dict[str, NDArray[np.generic]], run: AnyRun) -> float:
    """Power that the dipole gives to its field, in the units of fluxes: of its own field and current on one pixel."""
    assert isinstance(run, Run)
    field, current = (complex(np.asarray(raw[f"ldos/{name}"]).flat[0]) for name in "FJ")
    return -(field * current.conjugate()).real / run.resolution ** (2 if run.dimensions == "2D" else 3)


def _pattern(scene: Emitter, quantity: RadiationPattern, arrangement: Arrangement, raw: Raw) -> Curve:
    """Over the angle, (n,). The dipole alone gives the scale: its own pattern is known."""
    views = np.asarray(arrangement.facts["patterns"][quantity.id], float)
    number, shown = views[:, 0].astype(int), views[:, 0] >= 0
    power = np.where(shown, np.sum(_polar(arrangement, raw["far"])[:, number] * views[:, 1:].T, axis=0), 0.0)
    if not power.max() > 0:
        raise NotMeasured(f"{quantity.id}: nothing is radiated into this plane")
    angle = np.arange(power.size) * 2 * np.pi / power.size
    if quantity.over == "maximum":
        return Curve(angle, power / power.max(), axis="angle")
    own = dipole_pattern(scene, quantity, angle)
    alone = np.sum(_polar(arrangement, raw["far_empty"])[:, number] * views[:, 1:].T, axis=0)
    weights = np.where(shown, own, 0.0)
    if not weights.max() > 0:
        raise NotMeasured(
            f"{quantity.id}: the dipole alone is dark in this plane", fix="another plane, or over='maximum'"
        )
    return Curve(angle, power * np.sum(weights**2) / np.sum(weights * alone), axis="angle")


def dipole_pattern(
    scene: Emitter, quantity: RadiationPattern, angle: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Power of the dipole alone per angle, (n,), over its mean over all directions."""
    if scene.dimensions == "2D" and scene.orientation == "z":
        return np.ones(angle.size)
    cosines: dict[str, NDArray[np.float64]] = {quantity.zero: np.cos(angle), quantity.towards: np.sin(angle)}
    along = cosines.get(scene.orientation, np.zeros(angle.size))
    return np.asarray((1 - along**2) * (2.0 if scene.dimensions == "2D" else 1.5))


def _polar(arrangement: Arrangement, raw: dict[str, NDArray[np.generic]]) -> NDArray[np.float64]:
    """|E|^2 (2, directions) in the polar and the azimuthal direction of a cylindrical cell; else all of it, and nothing."""
    fields = np.asarray(raw["far/fields"], complex)[:, 0, :3]
    if arrangement.facts["kind"] != "cylindrical":
        return np.stack([np.sum(np.abs(fields) ** 2, axis=1), np.zeros(len(fields))])
    direction = np.asarray(raw["far/directions"], float)
    polar = fields[:, 0] * direction[:, 2] - fields[:, 2] * direction[:, 0]
    return np.stack([np.abs(polar) ** 2, np.abs(fields[:, 1]) ** 2])
