"""A resolved unit cell as plain numbers for the second solver, and what it cannot solve, in words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.arrange.cell_layout import opaque_depth
from simkit.arrange.optical_path import optical_path
from simkit.arrange.permittivity import index_of, permittivity
from simkit.arrange.stripes import with_stripes
from simkit.describe.media import AnyMedium, Medium, PerfectConductor
from simkit.describe.scene import Quantity, Scene
from simkit.describe.unit_cell import Film, OrderEfficiency, Phase, Sheet, UnitCell, upright

Array = NDArray[np.float64]
NAME, UNKNOWNS = "Fourier modal method", "orders"
POINTS = 15  # of a spectrum, its highest and lowest besides
LEAST = 3  # truncations
FINER = math.sqrt(2)  # from one highest order to the next: the last three are a factor of two apart
FIRST = {1: 61, 2: 60}  # orders of the first truncation, by the number of periods
MOST = 1000  # orders: 40 s and 1 GB for a frequency
BEYOND = 1.2  # the first truncation's highest order over the highest that travels
PATTERN_S, PLAIN_S, START_S = (
    5e-8,
    1.5e-8,
    0.5,
)  # CPU seconds over orders cubed, of a layer and a frequency; of a sandbox
SOLVED = ("reflectance", "transmittance", "absorptance", "order_efficiency", "phase")
DARKEST = 1e-3  # of the incident amplitude: fainter light has no phase


class NotSolved(ValueError):
    """What the second solver does not solve; the text says why."""


@dataclass(frozen=True)
class Solved:
    """Of one frequency: powers (n,) of the orders (n, 2) and amplitudes of order 0, from `program.solved`."""

    frequency: float
    orders: NDArray[np.int64]
    reflected: Array
    transmitted: Array
    r: complex
    t: complex


def refused(scene: Scene, quantity: Quantity, materials: Mapping[str, Any]) -> str:
    """Why the Fourier modal method does not give a quantity of a resolved scene; '' where it does."""
    if not isinstance(scene, UnitCell):
        return "it solves unit cells only"
    if quantity.type not in SOLVED:  # type: ignore[attr-defined]
        return f"it gives {', '.join(word.replace('_', ' ') for word in SOLVED)}"
    if isinstance(quantity, Phase) and float(scene.angle):
        return "phases are of normal incidence"
    if isinstance(quantity, OrderEfficiency) and len(quantity.order) != len(scene.period):
        return f"order {quantity.order} of {len(scene.period)} period(s)"
    back = scene.above if scene.light_from == "below" else scene.below
    media = [scene.below, scene.above] if not isinstance(back, PerfectConductor) else []
    for layer in scene.layers:
        if isinstance(layer, Film):
            media += [layer.medium, *(body.medium for body in layer.pattern)]
            if not all(map(upright, layer.pattern)):
                return "sides that slant and rods that lie are not solved"
    if any(isinstance(medium, PerfectConductor) for medium in media):
        return "a perfect conductor is only solved as the half-space behind"
    plain = [medium for medium in media if isinstance(medium, Medium)]
    if any(isinstance(m.epsilon, tuple) or "axes" in materials.get(m.material or "", {}) for m in plain):
        return "it solves media that are alike along all axes"
    return ""


def job_of(
    scene: UnitCell, frequencies: Sequence[float], materials: Mapping[str, Any], radius: float
) -> dict[str, Any]:
    """The document that `program.solved` reads: orders up to `radius`, in waves per length."""
    below = scene.light_from == "below"
    front, back = (scene.below, scene.above) if below else (scene.above, scene.below)
    layers: list[dict[str, Any]] = []
    media: list[list[AnyMedium]] = []
    found = with_stripes(scene).layers
    for layer in found if below else reversed(found):
        if isinstance(layer, Sheet):
            layers.append({"sheet": float(layer.resistance)})
            media.append([])
            continue
        own: list[AnyMedium] = [layer.medium]
        bodies = []
        for body in layer.pattern:
            if body.medium not in own:
                own.append(body.medium)
            bodies += [{"medium": own.index(body.medium), **one} for one in outlines(body)]
        layers.append({"thickness": float(layer.thickness), "bodies": bodies, "media": len(own)})
        media.append(own)
    lines = [
        {
            "frequency": f,
            "front": _pair(permittivity(front, f, materials)),
            "back": None if isinstance(back, PerfectConductor) else _pair(permittivity(back, f, materials)),
            "lateral": index_of(front, f, materials).real * math.sin(float(scene.angle)),
            "epsilon": [[_pair(permittivity(medium, f, materials)) for medium in own] for own in media],
        }
        for f in map(float, frequencies)
    ]
    return {
        "period": [float(p) for p in scene.period],
        "layers": layers,
        "lines": lines,
        "along": "x" if scene.polarization in ("x", "p") else "y",
        "radius": radius,
    }


def outlines(body: Any) -> list[dict[str, Any]]:
    """A body of a layer as outlines.py reads it, a handed-in pattern piece by piece."""
    if body.type == "pattern":
        return [{"vertices": [list(corner) for corner in piece]} for piece in body.pieces()]
    if body.type == "bar":
        return [{"x": [float(edge) for edge in body.x]}]
    if body.type == "disk":
        return [{"center": [float(c) for c in body.center], "radius": float(body.radius)}]
    if body.type == "polygon":
        return [{"vertices": [[float(x), float(y)] for x, y in body.vertices]}]
    half, turn = [float(size) / 2 for size in body.size], float(body.rotation)
    quarters = turn / (math.pi / 2)
    if abs(quarters - round(quarters)) < 1e-12:  # upright edges stay upright
        cosine, sine = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[round(quarters) % 4]
    else:
        cosine, sine = math.cos(turn), math.sin(turn)
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    vertices = [
        [
            float(body.center[0]) + u * half[0] * cosine - v * half[1] * sine,
            float(body.center[1]) + u * half[0] * sine + v * half[1] * cosine,
        ]
        for u, v in corners
    ]
    return [{"vertices": vertices}]


def _pair(value: complex) -> list[float]:
    return [value.real, value.imag]


def value_of(
    scene: UnitCell, quantity: Quantity, materials: Mapping[str, Any], found: Sequence[Solved]
) -> Array:
    """The quantity at each frequency, (n,). Raises NotSolved where there is no light to have a phase."""
    back = scene.above if scene.light_from == "below" else scene.below
    opaque = (
        opaque_depth(back, *scene.band.frequencies(), materials) is not None
    )  # what enters is absorbed there
    if isinstance(quantity, Phase):
        return _turned(scene, quantity, materials, found, opaque)
    out = []
    for one in found:
        transmitted = np.zeros_like(one.transmitted) if opaque else one.transmitted
        r, t = float(one.reflected.sum()), float(transmitted.sum())
        if isinstance(quantity, OrderEfficiency):
            order = (*quantity.order, 0)[:2]
            side = one.reflected if quantity.side == "reflected" else transmitted
            out.append(float(side[(one.orders == order).all(axis=1)].sum()))
        else:
            out.append({"reflectance": r, "transmittance": t, "absorptance": 1 - r - t}[quantity.type])  # type: ignore[attr-defined]
    return np.array(out)


def _turned(
    scene: UnitCell, quantity: Phase, materials: Mapping[str, Any], found: Sequence[Solved], opaque: bool
) -> Array:
    amplitudes = np.array([one.r if quantity.side == "reflected" else one.t for one in found])
    if (opaque and quantity.side == "transmitted") or np.min(np.abs(amplitudes)) < DARKEST:
        raise NotSolved("there is too little light for a phase")
    path = optical_path(scene, found[0].frequency, materials)
    middle = np.pi / 2 if quantity.side == "reflected" else 2 * np.pi * found[0].frequency * path
    phase = np.unwrap(np.angle(amplitudes))
    return np.asarray(phase - 2 * np.pi * np.round((phase[0] - middle) / (2 * np.pi)))


def steps(scene: UnitCell, frequencies: Sequence[float], materials: Mapping[str, Any]) -> list[float]:
    """Highest lateral waves per length of each truncation, ascending; one where nothing is patterned, none where LEAST need too many."""
    if not patterned(scene):
        return [0.0]
    area = math.prod(float(p) for p in scene.period)
    first = FIRST[2] if len(scene.period) == 2 else (FIRST[1] - 1) / 2
    start = math.sqrt(first / (math.pi * area)) if len(scene.period) == 2 else first / area
    densest = max(
        abs(index_of(medium, f, materials).real)
        for medium in (scene.below, scene.above)
        if not isinstance(medium, PerfectConductor)
        for f in frequencies
    )
    out = [max(start, BEYOND * densest * max(frequencies))]
    while orders_at(scene, out[-1] * FINER) <= MOST:
        out.append(out[-1] * FINER)
    return out if len(out) >= LEAST else []


def patterned(scene: UnitCell) -> int:
    """Layers with something drawn into them."""
    return sum(bool(getattr(layer, "pattern", ())) for layer in scene.layers)


def orders_at(scene: UnitCell, radius: float) -> float:
    """About how many orders are kept."""
    if not scene.period or not radius:
        return 1.0
    area = math.prod(float(p) for p in scene.period)
    return math.pi * area * radius**2 if len(scene.period) == 2 else 2 * area * radius + 1


def foreseen_s(scene: UnitCell, count: int, step: float, materials: Mapping[str, Any]) -> float:
    """CPU seconds of a truncation at `count` frequencies, by a model fitted on one quiet core."""
    layers = PATTERN_S * patterned(scene) + PLAIN_S * (len(scene.layers) - patterned(scene) + 1)
    return START_S + count * layers * orders_at(scene, step) ** 3


def read(answer: Any, job: Mapping[str, Any]) -> list[Solved]:
    """Read as a stranger's. Raises ValueError, KeyError or TypeError for what does not fit."""
    orders = np.array(answer["orders"], np.int64)
    if orders.ndim != 2 or orders.shape[1] != 2 or len(answer["lines"]) != len(job["lines"]):
        raise ValueError("its orders do not fit")
    found = []
    for line, told in zip(answer["lines"], job["lines"], strict=True):
        (a, b), (c, d) = line["r"], line["t"]
        r, t = complex(a, b), complex(c, d)
        powers = [np.array(line[side], float) for side in ("reflected", "transmitted")]
        if any(power.shape != (len(orders),) for power in powers):
            raise ValueError("its powers do not fit its orders")
        if not all(np.all(np.isfinite(part)) for part in (*powers, np.array([r, t]))):
            raise ValueError("its powers are not finite")
        found.append(Solved(told["frequency"], orders, powers[0], powers[1], r, t))
    return found


def unknowns(found: Sequence[Solved]) -> int:
    """Orders kept."""
    return len(found[0].orders)


def beside(quantity: Quantity) -> tuple[Quantity, ...]:
    """None: every order converges by itself."""
    return ()
