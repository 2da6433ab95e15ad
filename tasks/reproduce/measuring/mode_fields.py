"""Profile along a line or over a rectangle, volume and far field of a mode, from the fields of its ring-down."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from simkit.arrange import Arrangement
from simkit.arrange.modes import Mode
from simkit.arrange.places import axes_of, ends, is_rectangle
from simkit.describe.resonator import ModePattern, ModeProfile, ModeVolume, Resonator
from tasks.reproduce.measuring.field_maps import along, magnitude_map, shaped
from tasks.reproduce.measuring.splines import cubic
from tasks.reproduce.measuring.values import Curve, Map, NotMeasured, Scalar

Arrays = dict[str, NDArray[np.generic]]
NOT_ALONE = 0.03  # of the largest value: what may differ half a line width away from the resonance
DENSE = 4001  # points on which the largest value is looked for


def profile(quantity: ModeProfile, arrangement: Arrangement, raw: Arrays) -> Curve:
    """|field| over its largest value, over the position on the line, or over both coordinates of a rectangle.

    Raises NotMeasured: no field there, another mode in it.
    """
    if is_rectangle(quantity):
        return _over_rectangle(quantity, arrangement, raw)
    (axis,) = axes_of(quantity)
    low, high = sorted(point[axis] for point in ends(quantity))
    x = np.linspace(low, high, max(int(arrangement.facts["samples"]), 2))
    name = f"fields_{quantity.mark}"
    where = np.asarray(raw[f"{name}/{'xyz'[axis]}"], float)
    lines = [
        np.asarray(raw[key], complex)
        for key in sorted(raw)
        if key.startswith(f"{name}/") and key.rsplit("/", 1)[1][:1] in "EH"
    ]
    here, beside = (
        magnitude(quantity.id, where, [line[n].reshape(-1)[: where.size] for line in lines], x)
        for n in (0, 1)
    )
    _alone(quantity, here, beside)
    return along(quantity, x, here)


def _over_rectangle(quantity: ModeProfile, arrangement: Arrangement, raw: Arrays) -> Map:
    name = f"fields_{quantity.mark}"
    where = tuple(np.asarray(raw[f"{name}/{'xyz'[i]}"], float) for i in axes_of(quantity))
    fields = [
        np.asarray(raw[key], complex)
        for key in sorted(raw)
        if key.startswith(f"{name}/") and key.rsplit("/", 1)[1][:1] in "EH"
    ]
    here, beside = (
        magnitude_map(
            quantity, where, [shaped(field[n:], where) for field in fields], arrangement.facts["longest"]
        )
        for n in (0, 1)
    )
    _alone(quantity, here.y, beside.y)
    return here


def volume(scene: Resonator, quantity: ModeVolume, mode: Mode, raw: Arrays) -> Scalar:
    """The mode volume (2D: area), or a pure number. Raises NotMeasured: another mode in it."""
    name = f"fields_{quantity.mark}"
    weights = np.asarray(raw[f"{name}/weights"], float)

    def density(number: int) -> NDArray[np.float64]:
        found = np.zeros(weights.shape)
        for component in "xyz":
            if f"{name}/E{component}" in raw:
                e, d = (np.asarray(raw[f"{name}/{field}{component}"], complex)[number] for field in "ED")
                found += np.real(e * np.conj(d)).reshape(weights.shape)
        return found

    here, beside = density(0), density(1)
    if not here.max() > 0:
        raise NotMeasured(f"{quantity.id}: the mode has no electric field around the bodies")
    _alone(
        quantity,
        np.sqrt(np.clip(here, 0, None) / here.max()),
        np.sqrt(np.clip(beside, 0, None) / beside.max()),
    )
    size, dimensions = float(np.sum(weights * here) / here.max()), 2 if scene.dimensions == "2D" else 3
    if quantity.per == "length":
        return Scalar(size, power=dimensions)
    index = 1.0
    if quantity.per == "medium":
        top = np.unravel_index(int(np.argmax(here)), here.shape)
        field = sum(
            abs(complex(np.asarray(raw[f"{name}/E{c}"])[0].reshape(weights.shape)[top])) ** 2
            for c in "xyz"
            if f"{name}/E{c}" in raw
        )
        index = float(np.sqrt(here.max() / field))
    return Scalar(size * (mode.frequency * index) ** dimensions)


def pattern(quantity: ModePattern, raw: Arrays) -> Curve:
    """Power far away over its maximum, (n,), over the angle from `zero`. Raises NotMeasured: dark, another mode in it."""
    fields = np.asarray(raw[f"fields_{quantity.mark}/fields"], complex)[:, :, :3]
    power = np.sum(np.abs(fields) ** 2, axis=2)
    if not power[:, 0].max() > 0:
        raise NotMeasured(f"{quantity.id}: nothing is radiated into this plane")
    here, beside = (power[:, n] / power[:, n].max() for n in (0, 1))
    _alone(quantity, here, beside)
    return Curve(np.arange(here.size) * 2 * np.pi / here.size, here, axis="angle")


def magnitude(
    name: str, where: NDArray[np.float64], lines: Sequence[NDArray[np.complex128]], x: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Length of the field whose components on `where` are given, at x, over its largest between the ends of x."""
    parts = [cubic(where, line) for line in lines]
    dense = np.linspace(x[0], x[-1], DENSE)
    largest = float(np.sqrt(sum(np.abs(part(dense)) ** 2 for part in parts)).max())
    if not largest > 0:
        raise NotMeasured(
            f"{name}: the mode has no such field on the line", fix="a line off the mode's nodal planes"
        )
    return np.asarray(np.sqrt(sum(np.abs(part(x)) ** 2 for part in parts))) / largest


def _alone(
    quantity: ModeProfile | ModeVolume | ModePattern, here: NDArray[np.float64], beside: NDArray[np.float64]
) -> None:
    apart = float(np.max(np.abs(here - beside)))
    if apart > NOT_ALONE:
        raise NotMeasured(
            f"{quantity.id}: the field holds another mode as well",
            found=f"its shape changes by {apart:.2g} of its largest value half a line width away",
            fix="a narrower band or a parity",
        )
