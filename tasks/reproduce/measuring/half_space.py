"""What a dipole among plane films radiates into a half-space, by reciprocity from the fields of plane waves at its place.

A wave of amplitude 1 from a half-space of index n makes the field e along the dipole's moment; there the dipole, in a background of
index n0, radiates 3/2 (n / n0) |e|^2 per solid angle, over its power alone spread over all directions (alone e is the sine of the
angle to the moment). The fields between the angles that were solved: half_spaces.py.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.arrange import Arrangement
from simkit.arrange.half_spaces import critical, way
from simkit.describe.emitter import ConeShare, Emitter, HalfSpacePattern
from tasks.reproduce.measuring.rational_fit import continued
from tasks.reproduce.measuring.values import Curve, NotMeasured, Raw, Scalar

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
POINTS, CONE_POINTS = 24, 48  # angles of a curve on either side of the critical one; of an integral
GOOD, OPEN = (
    1e-3,
    0.03,
)  # what a fit may miss of its largest value; what the angles may leave open of the largest power
EDGE_PX = 0.6  # nodes nearer to a face are averages across it
EACH = 3  # of so many angles one is left out, to see what lies between them


def pattern(scene: Emitter, quantity: HalfSpacePattern, arrangement: Arrangement, raw: Raw) -> Curve:
    """Over the angle from the normal (n,), -pi/2 to pi/2. Raises NotMeasured."""
    angle = spread(arrangement.facts["half_spaces"][quantity.side])
    powers = _powers(scene, arrangement, raw, quantity.side, angle, quantity.id)
    power = in_plane(scene, quantity, powers)
    if not power.max() > 0:
        raise NotMeasured(f"{quantity.id}: nothing is radiated into this half-space in this plane")
    both, y = np.concatenate([-angle[:0:-1], angle]), np.concatenate([power[:0:-1], power])
    return Curve(both, y / y.max() if quantity.over == "maximum" else y, axis="angle")


def share(scene: Emitter, quantity: ConeShare, arrangement: Arrangement, raw: Raw, emitted: float) -> Scalar:
    """Power into the cone over what the quantity is over; emitted: all of the dipole's, over that in the background alone."""
    low = float(quantity.lowest)
    high = math.pi / 2 if quantity.highest is None else min(float(quantity.highest), math.pi / 2)

    def into(side: str, low: float, high: float) -> float:
        angle, weight = cone(low, high, critical_of(arrangement.facts["half_spaces"][side]))
        powers = _powers(scene, arrangement, raw, side, angle, quantity.id)
        return float(np.sum(weight * np.sin(angle) * around(scene, quantity.side[1], powers)) / 2)

    whole = {"alone": 1.0, "emitted": emitted}.get(quantity.over)
    if whole is None:
        sides = [quantity.side] if quantity.over == "side" else [quantity.side, _other(quantity.side)]
        whole = sum(
            into(side, 0.0, math.pi / 2) for side in sides if side in arrangement.facts["half_spaces"]
        )
    if not whole > 0:
        raise NotMeasured(f"{quantity.id}: the dipole radiates nothing that a share could be of")
    return Scalar(into(quantity.side, low, high) / whole)


def _other(side: str) -> str:
    return ("-" if side[0] == "+" else "+") + side[1]


def in_plane(scene: Emitter, quantity: HalfSpacePattern, powers: Mapping[str, Array]) -> Array:
    """Power in the plane of normal and `towards`; powers: 'normal' (a dipole along the normal), 'p' and 's' (along the films, in and
    across the plane)."""
    parts = {
        "p": {quantity.side[1]: powers["normal"], quantity.towards: powers["p"]},
        "s": {axis: powers["s"] for axis in "xyz" if axis not in (quantity.side[1], quantity.towards)},
    }
    seen = [parts[name] for name in "ps" if quantity.polarization in ("all", name)]
    nothing = np.zeros_like(powers["p"])
    if scene.orientation == "isotropic":
        return np.asarray(sum((value for part in seen for value in part.values()), nothing) / 3)
    return np.asarray(sum((part.get(scene.orientation, nothing) for part in seen), nothing))


def around(scene: Emitter, normal: str, powers: Mapping[str, Array]) -> Array:
    """The mean of the power over all directions at an angle from the normal."""
    flat = (powers["p"] + powers["s"]) / 2
    if scene.orientation == "isotropic":
        return np.asarray((powers["normal"] + 2 * flat) / 3)
    return powers["normal"] if scene.orientation == normal else flat


def critical_of(facts: Mapping[str, Any]) -> float | None:
    """The critical angle of a half-space, radian."""
    return critical(facts["front"], complex(facts["back"]))


def spread(facts: Mapping[str, Any]) -> Array:
    """Angles of a curve from 0 to pi/2, closest at the critical angle, where patterns have a cusp."""
    edge, u = critical_of(facts), np.linspace(0, 1, POINTS)
    if edge is None:
        return np.linspace(0, math.pi / 2, 2 * POINTS)
    return np.concatenate([edge * (1 - u[::-1] ** 2), edge + (math.pi / 2 - edge) * u[1:] ** 2])


def cone(low: float, high: float, edge: float | None) -> tuple[Array, Array]:
    """Angles and weights of an integral; near the critical angle what is integrated goes as the root of the distance."""
    nodes, weights = np.polynomial.legendre.leggauss(CONE_POINTS)
    u, du = (nodes + 1) / 2, weights / 2
    ends = [low, *([edge] if edge is not None and low < edge < high else []), high]
    angle, weight = [], []
    for one, other in zip(ends, ends[1:], strict=False):
        size = other - one
        falling = edge is not None and other <= edge
        angle.append(other - size * u**2 if falling else one + size * u**2)
        weight.append(2 * size * u * du)
    return np.concatenate(angle), np.concatenate(weight)


def _powers(
    scene: Emitter, arrangement: Arrangement, raw: Raw, side: str, angle: Array, name: str
) -> dict[str, Array]:
    """Power per solid angle over isotropic, of dipoles along the normal, and along the films in the plane of light and across it."""
    facts = arrangement.facts["half_spaces"][side]
    solved = _fields(facts, raw, side)
    front, back = facts["front"], complex(facts["back"])
    points = np.array([way(math.sin(one), front, back) for one in facts["angles"]])
    wanted = np.array([way(math.sin(one), front, back) for one in angle])
    factor = 1.5 * front / facts["alone"]
    sine = {"normal": np.sin(angle), "p": np.ones_like(angle), "s": np.ones_like(angle)}
    found = {}
    for what, values in solved.items():
        if not np.any(values):
            found[what] = [np.zeros_like(angle)] * (1 + EACH)
            continue
        points_and_end = np.append(points, way(1.0, front, back))
        known = np.append(values, 0)  # light along the films is thrown back against itself
        fits = [continued(points_and_end, known, wanted, GOOD)]
        for left_out in range(EACH):
            kept = np.arange(known.size) % EACH != left_out
            kept[-1] = True
            fits.append(continued(points_and_end[kept], known[kept], wanted, GOOD))
        carried = _carrier(facts, angle)
        powers = [factor * np.abs(fit * carried * sine[what]) ** 2 for fit in fits]
        found[what] = powers
    likely = {
        what: np.median(powers, axis=0) for what, powers in found.items()
    }  # one fit may have a pole of noise
    most = max(power.max() for power in likely.values())
    for what, powers in found.items():
        # One of the fits may also lack the only angle at a peak
        missed = sorted(float(np.max(np.abs(one - likely[what]))) for one in powers)[-2]
        if missed > OPEN * most:
            raise NotMeasured(
                f"{name}: the field of light from {side} changes faster with its angle than it is solved",
                found=f"{missed / most:.2g} of the largest power is open between the angles ({what})",
                allowed=f"{OPEN:g}",
                fix="thinner films, or a dipole nearer to them",
            )
    return likely


def _carrier(facts: Mapping[str, Any], angle: Array) -> Complex:
    """Of a dipole in the other half-space the way from the films to it, which is known."""
    if facts["beyond"] is None:
        return np.ones(angle.size, complex)
    q = np.array(
        [
            way(math.sin(one), facts["front"], complex(facts["back"])) - facts["front"] * math.cos(one)
            for one in angle
        ]
    )
    return np.asarray(np.exp(2j * math.pi * facts["frequency"] * facts["beyond"] * q), complex)


def _fields(facts: Mapping[str, Any], raw: Raw, side: str) -> dict[str, Complex]:
    """E over the incident one at the dipole (angles,), of waves that arrive at the films with phase 0: 'normal' (over the sine of the
    angle), 'p' and 's'; without the carrier."""
    angles = np.asarray(facts["angles"], float)
    out: dict[str, list[complex]] = {"normal": [], "p": [], "s": []}
    front = facts["front"]
    for number, places in enumerate(facts["places"]):
        arrived = np.exp(2j * math.pi * places["arrived"])
        p, lit_p = (
            raw[f"{side} p {number}"],
            _mean(raw[f"{side} p {number} alone"]["field/Hz"]) * arrived / front,
        )
        out["s"].append(0.0)
        if f"{side} s {number}" in raw:  # a dipole along the normal radiates none
            lit_s = _mean(raw[f"{side} s {number} alone"]["field/Ez"]) * arrived
            out["s"][-1] = _at(raw[f"{side} s {number}"], "Ez", places) / lit_s
        out["p"].append(_at(p, "Ex", places) / lit_p)
        out["normal"].append(_at(p, "Hz", places) * front / complex(facts["own"]) / lit_p)
    carried = _carrier(facts, angles)
    return {what: np.array(values) / carried for what, values in out.items()}


def _mean(field: Any) -> complex:
    return complex(np.mean(np.asarray(field, complex)))


def _at(run: Mapping[str, Any], component: str, places: Mapping[str, float]) -> complex:
    """The field at the dipole, by the cubic through the four nearest nodes of its own layer."""
    field, where = (
        np.asarray(run[f"field/{component}"], complex).reshape(-1),
        np.asarray(run["field/y"], float),
    )
    where = where[: field.size]
    pixel = float(np.median(np.diff(where))) if where.size > 1 else 0.0
    for edge in (EDGE_PX, 0.0, -1.0):
        inside = (where >= places["low"] + edge * pixel) & (where <= places["high"] - edge * pixel)
        if inside.sum() >= 4:
            break
    x, y = where[inside], field[inside]
    near = np.argsort(np.abs(x - places["at"]))[:4]
    x, y = x[near], y[near]
    weights = [math.prod((places["at"] - other) / (one - other) for other in x if other != one) for one in x]
    return complex(np.sum(np.array(weights) * y))
