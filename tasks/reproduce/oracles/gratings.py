"""Gratings of bars in films: reflectance, transmittance and every order by coupled waves."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.arrange.cell_layout import opaque_depth
from simkit.arrange.permittivity import index_of, permittivity
from simkit.describe.media import AnyMedium, PerfectConductor
from simkit.describe.scene import Quantity
from simkit.describe.unit_cell import Film, OrderEfficiency, UnitCell
from tasks.reproduce.measuring.values import Curve
from tasks.reproduce.oracles.coupled_waves import Orders, diffracted
from tasks.reproduce.oracles.slots import slots_of

Array = NDArray[np.float64]
SETTLED = 2e-4  # of power: change of every order when two fifths more orders are kept
LEAST, MOST = 12, 160  # orders on each side
_POWERS = ("reflectance", "transmittance", "absorptance", "order_efficiency")
TRIED = 5  # frequencies at which the number of orders is settled


def oracle(scene: UnitCell, quantity: Quantity, materials: Mapping[str, Any], x: Array) -> Curve | None:
    """The exact curve at frequencies x (n,); None without a period, for other patterns than bars, of phases, and unsettled."""
    if not scene.period or quantity.type not in _POWERS or not _lamellar(scene, materials):  # type: ignore[attr-defined]
        return None
    x = np.asarray(x, float)
    case = _Case(repr(scene) + json.dumps(materials, sort_keys=True, default=repr), scene, materials)
    found = _spectrum(case, tuple(x.tolist()))
    return (
        None
        if found is None
        else Curve(x, np.array([_value(scene, quantity, materials, orders) for orders in found]))
    )


@dataclass(frozen=True)
class _Case:
    """A grating and its materials, compared by what they say."""

    key: str
    scene: UnitCell = field(compare=False)
    materials: Mapping[str, Any] = field(compare=False)


@lru_cache(maxsize=16)
def _spectrum(case: _Case, x: tuple[float, ...]) -> tuple[Orders, ...] | None:
    """All orders at frequencies x, once for all quantities of a scene; None if the most orders are too few."""
    count = _count(case.scene, case.materials, np.array(x))
    return None if count is None else tuple(_orders(case.scene, f, case.materials, count) for f in x)


def _lamellar(scene: UnitCell, materials: Mapping[str, Any]) -> bool:
    """Whether every layer is a film with bars, of media alike along all axes; ideal metals with slots of one medium."""
    back = scene.above if scene.light_from == "below" else scene.below
    media = [scene.below if scene.light_from == "below" else scene.above]
    media += [] if isinstance(back, PerfectConductor) else [back]
    for layer in scene.layers:
        if not isinstance(layer, Film) or any(
            body.type != "bar" or body.top is not None for body in layer.pattern
        ):
            return False
        media += [layer.medium, *(body.medium for body in layer.pattern)]
    if not all(
        isinstance(m, PerfectConductor)
        or not isinstance(m.epsilon, tuple)
        and not (m.chi2 or m.chi3)
        and "axes" not in materials.get(m.material or "", {})
        for m in media
    ):
        return False
    f, period = scene.band.frequencies()[0], float(scene.period[0])
    cuts = [_slices(layer, period, f, materials) for layer in scene.layers if isinstance(layer, Film)]
    return all(slots_of(cut) is not None or all(epsilon is not None for _, epsilon in cut) for cut in cuts)


def _count(scene: UnitCell, materials: Mapping[str, Any], x: Array) -> int | None:
    """Orders to keep, so that more of them change no power; None if the most are too few."""
    tried = [float(f) for f in x[np.unique(np.linspace(0, x.size - 1, TRIED).round().astype(int))]]
    largest = max(
        abs(index_of(m, f, materials).real)
        for m in (scene.below, scene.above)
        if not isinstance(m, PerfectConductor)
        for f in tried
    )
    count = LEAST + math.ceil(2 * float(scene.period[0]) * max(tried) * largest)
    before = [_orders(scene, f, materials, count) for f in tried]
    while count <= MOST:
        more = math.ceil(1.4 * count)
        after = [_orders(scene, f, materials, more) for f in tried]
        inner = slice(more - count, more + count + 1)
        if all(
            np.allclose(b.reflected, a.reflected[inner], atol=SETTLED, rtol=0)
            and np.allclose(b.transmitted, a.transmitted[inner], atol=SETTLED, rtol=0)
            for b, a in zip(before, after, strict=True)
        ):
            return more
        count, before = more, after
    return None


def _orders(scene: UnitCell, f: float, materials: Mapping[str, Any], count: int) -> Orders:
    below = scene.light_from == "below"
    front, back = (scene.below, scene.above) if below else (scene.above, scene.below)
    layers = [
        (float(film.thickness), _slices(film, float(scene.period[0]), f, materials))
        for film in (scene.layers if below else reversed(scene.layers))
        if isinstance(film, Film)
    ]
    behind = None if isinstance(back, PerfectConductor) else permittivity(back, f, materials)
    lateral = index_of(front, f, materials).real * math.sin(float(scene.angle))
    return diffracted(
        f,
        float(scene.period[0]),
        layers,
        permittivity(front, f, materials),
        behind,
        scene.polarization in ("x", "p"),
        lateral,
        count,
    )


def _slices(
    film: Film, period: float, f: float, materials: Mapping[str, Any]
) -> list[tuple[float, complex | None]]:
    """(width, permittivity, None of an ideal metal) over -period/2..period/2; later bars over earlier ones, beyond the cell
    from its other side.
    """
    bars: list[tuple[float, float, AnyMedium]] = []
    for body in film.pattern:
        low, high = float(body.x[0]), float(body.x[1])  # type: ignore[union-attr]
        turns = range(
            -math.ceil(max(abs(low), abs(high)) / period), math.ceil(max(abs(low), abs(high)) / period) + 1
        )
        bars += [(low + n * period, high + n * period, body.medium) for n in turns]
    ends = (-period / 2, period / 2)
    edges = sorted({*ends, *(e for low, high, _ in bars for e in (low, high) if ends[0] < e < ends[1])})
    out: list[tuple[float, complex | None]] = []
    for a, b in zip(edges, edges[1:], strict=False):
        medium = next((m for low, high, m in reversed(bars) if low <= (a + b) / 2 <= high), film.medium)
        out.append(
            (b - a, None if isinstance(medium, PerfectConductor) else permittivity(medium, f, materials))
        )
    return out


def _value(scene: UnitCell, quantity: Quantity, materials: Mapping[str, Any], found: Orders) -> float:
    back = scene.above if scene.light_from == "below" else scene.below
    reflected, transmitted = found.reflected, found.transmitted
    if (
        opaque_depth(back, *scene.band.frequencies(), materials) is not None
    ):  # what enters it is absorbed there
        transmitted = np.zeros_like(transmitted)
    if isinstance(quantity, OrderEfficiency):
        side = reflected if quantity.side == "reflected" else transmitted
        at = quantity.order[0] + side.size // 2
        return float(side[at]) if 0 <= at < side.size and not any(quantity.order[1:]) else 0.0
    r, t = float(reflected.sum()), float(transmitted.sum())
    return {"reflectance": r, "transmittance": t, "absorptance": 1 - r - t}[quantity.type]  # type: ignore[attr-defined]
