"""Fields in a unit cell over the incident amplitude: on lines and rectangles, beyond the cell by its period."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simkit.arrange import Arrangement
from simkit.arrange.cell_fields import ALONG, component, height, incident, present
from simkit.arrange.cell_layout import dimensions
from simkit.arrange.places import axes_of, ends
from simkit.describe.unit_cell import CellField, UnitCell
from tasks.reproduce.measuring.field_maps import shaped, told
from tasks.reproduce.measuring.values import Curve, NotMeasured, Raw

Array = NDArray[np.float64]
UNEVEN = 0.02  # by which the reference's amplitude may differ from place to place: it is a plane wave's


def measure(scene: UnitCell, quantity: CellField, arrangement: Arrangement, raw: Raw) -> Curve:
    """A curve over the position on the line, or a map. Raises NotMeasured."""
    name, facts = f"cell_{quantity.mark}", arrangement.facts
    spread = axes_of(quantity)
    own = [ALONG[dimensions(scene)][axis] for axis in spread]
    where = [np.asarray(raw["structure"][f"{name}/{'xyz'[i]}"], float) for i in own if i is not None]

    def field(run: str, scene_component: str) -> NDArray[np.complex128]:
        return shaped(raw[run][f"{name}/{component(scene, scene_component)}"], where)

    amplitudes = np.abs(field("reference", incident(scene)))
    amplitude = float(np.mean(amplitudes))
    if not amplitude > 0 or np.ptp(amplitudes) > UNEVEN * amplitude:
        raise NotMeasured(
            f"{quantity.id}: the incident light of {scene.id} is no plane wave there",
            found=f"amplitudes from {amplitudes.min():.4g} to {amplitudes.max():.4g}",
            fix="a medium without loss on the side that light comes from",
        )
    wanted = present(scene) if quantity.field == "intensity" else (quantity.field,)
    parts = [np.abs(field("structure", part)) / amplitude for part in wanted]
    y = np.asarray(sum(part**2 for part in parts) if quantity.field == "intensity" else parts[0])
    start, end = ends(quantity)
    for number, axis in enumerate(spread):
        if axis == 2:
            where[number], y = _upright(scene, facts, where[number], y, number)
        else:
            reach = min(start[axis], end[axis]), max(start[axis], end[axis])
            where[number], y = _repeated(where[number], y, number, facts["period"][axis], reach)
    return told(quantity, where, y, 1 / (scene.band.frequencies()[0] * facts["front_index"]))


def _upright(
    scene: UnitCell, facts: dict[str, float], where: Array, y: Array, number: int
) -> tuple[Array, Array]:
    """z of the scene, ascending, and the values there; of a run light goes upwards, of a scene maybe down."""
    origin = height(scene, facts, 0.0)
    z = where - origin if scene.light_from == "below" else origin - where
    order = np.argsort(z)
    return z[order], np.take(y, order, axis=number)


def _repeated(
    where: Array, y: Array, number: int, period: float, reach: tuple[float, float]
) -> tuple[Array, Array]:
    """The values of one period as far as `reach`."""
    once = (where >= -period / 2 - 1e-9) & (where < period / 2 - 1e-9)
    places, values = where[once], np.compress(once, y, axis=number)
    first, last = (int(np.floor(side / period + 0.5)) for side in reach)
    copies = range(first - 1, last + 2)
    return (
        np.concatenate([places + copy * period for copy in copies]),
        np.concatenate([values for _ in copies], axis=number),
    )
