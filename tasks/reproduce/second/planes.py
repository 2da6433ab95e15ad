"""Resolved devices and scatterers of two dimensions as plain numbers for finite elements, and what these do not solve, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.arrange import Needs, Numerics, needs
from simkit.arrange.device_cell import DeviceCell, of_another, sign, window
from simkit.arrange.extent import extent, finite, prism_corners, single
from simkit.arrange.permittivity import index_of, permittivity
from simkit.arrange.placing import drawing_order
from simkit.describe.base import INF
from simkit.describe.device import Device, Loss, PortReflectance, PortTransmittance, leaves
from simkit.describe.media import PerfectConductor
from simkit.describe.scatterer import CrossSection, Scatterer
from simkit.describe.scene import Quantity, Scene
from tasks.reproduce.second.plain_cells import FINER, LEAST, NotSolved, outlines
from tasks.reproduce.uncertainty.ladder import fitting

Array = NDArray[np.float64]
NAME, UNKNOWNS = "finite elements in the frequency domain", "nodes"
START = {"device": 0.75, "scatterer": 1.0}  # of what the scene needs of any grid, the first one
POINTS = 7  # of a spectrum, its highest and lowest besides
MOST = 600_000  # nodes: 12 s and 1.5 GB for a frequency
NODE_S, START_S = 2e-5, 1.5  # CPU seconds of a node and frequency; of a sandbox
WIDER = 0.3  # distances and absorber grow with this power of the grid, so that what they leave open shows too
FREE, ABSORBING = 0.4, 0.8  # longest wavelengths in the background, on the coarsest grid
CLEAR_PX = 3
SIDES = 256  # of a polygon in place of an ellipse
TRANSPARENT = 1e-6  # loss over permittivity of a background, at most
BALANCED = 0.02  # of the power, beyond what came in


@dataclass(frozen=True)
class Solved:
    """Of one frequency, over what comes in. power: that crosses each port's plane outwards; modes: that leaves in each port's guided
    modes; of a scatterer lengths of the scattered and absorbed power. nodes: of the grid."""

    nodes: int
    power: tuple[float, ...] = ()
    modes: tuple[tuple[float, ...], ...] = ()
    scattered: float = 0.0
    absorbed: float = 0.0


def refused(scene: Scene, quantity: Quantity, materials: Mapping[str, Any]) -> str:
    """Why finite elements do not give a quantity of a resolved scene; '' where they do."""
    if not isinstance(scene, (Device, Scatterer)) or scene.dimensions != "2D":
        return "they solve devices and scatterers of two dimensions only"
    if not isinstance(quantity, (PortTransmittance, PortReflectance, Loss, CrossSection)):
        return "they give power at ports, loss and cross-sections"
    media = [scene.background]
    for body, _ in single(scene.bodies):
        media += [body.medium, *([body.filling] if body.type == "ring" else [])]
        if getattr(body, "axis", "z") != "z":
            return "bodies that lie in the plane are not solved"
        bounds = extent([body])[2]
        if not bounds[0] < 0 < bounds[1]:
            return "bodies that the plane z = 0 does not cut are not solved"
    if any(isinstance(medium, PerfectConductor) for medium in media):
        return "perfect conductors are not solved"
    if any(isinstance(m.epsilon, tuple) or "axes" in materials.get(m.material or "", {}) for m in media):  # type: ignore[union-attr]
        return "they solve media that are alike along all axes"
    if any(float(m.chi2) or float(m.chi3) for m in media):  # type: ignore[union-attr]
        return "strong light is not solved"
    f = scene.band.frequencies()[0]
    if isinstance(scene, Scatterer) and not all(
        finite(end) for axis in (0, 1) for end in extent(scene.bodies)[axis]
    ):
        return "an unbounded body is no scatterer"
    around = permittivity(scene.background, f, materials)
    if around.real <= 0 or abs(around.imag) > TRANSPARENT * around.real:
        return "light must travel in the background without loss"
    try:
        step = needs(scene, materials).resolution
        cell = DeviceCell(scene, Numerics(step), materials) if isinstance(scene, Device) else None
    except ValueError as error:
        return str(error)
    if cell is not None and isinstance(scene, Device):
        for port in scene.ports:
            others = cell.guides[port.id].others
            if any(not of_another(scene, port, body) for body in others):
                return "a dense body beside a port's guide, which is no guide of another port, is not solved"
    return ""


def steps(
    scene: Device | Scatterer, frequencies: Sequence[float], materials: Mapping[str, Any]
) -> list[float]:
    """Pixels per length of each grid, ascending, from what the scene needs of any grid; none where LEAST need too many nodes.

    Each at least FINER times the one before, and such that edges fall on nodes where that can be had: elsewhere they leave an error
    of the same order that is a few times as large, so that a ladder of both kinds has no order.
    """
    need, out = needs(scene, materials), []
    step = fitting(Needs(START[scene.type] * need.resolution, need.whole, smoothed=True))
    while math.prod(_layout(scene, materials, step)[1]) <= MOST:
        out.append(step)
        step = fitting(Needs(step * FINER, need.whole, smoothed=True))
    return out if len(out) >= LEAST else []


def foreseen_s(scene: Device | Scatterer, count: int, step: float, materials: Mapping[str, Any]) -> float:
    """CPU seconds of a grid at `count` frequencies, by a model fitted on one quiet core."""
    return START_S + count * NODE_S * math.prod(_layout(scene, materials, step)[1])


def job_of(
    scene: Device | Scatterer, frequencies: Sequence[float], materials: Mapping[str, Any], step: float
) -> dict[str, Any]:
    """The document that `plane_fields.fields` reads, of a grid of `step` pixels per length."""
    inner, nodes, absorbing = _layout(scene, materials, step)
    first = [round(low * step) - ends[0] for (low, _), ends in zip(inner, absorbing, strict=True)]
    origin = [n / step for n in first]
    media: list[Any] = [scene.background]
    drawn = scene.bodies if isinstance(scene, Device) else drawing_order(scene.bodies)
    box = [(low, low + (n - 1) / step) for low, n in zip(origin, nodes, strict=True)]
    job: dict[str, Any] = {
        "polarization": "Ez" if scene.polarization in ("Ez", "z") else "Hz",
        "pixel": 1 / step,
        "origin": origin,
        "nodes": nodes,
        "absorbing": absorbing,
        "bodies": [one for body in drawn for one in _outlines(body, media, box)],
    }
    if isinstance(scene, Device):
        job |= _ports(scene, materials, step, first, media, box)
    else:
        ends = [extent(scene.bodies)[i] for i in (0, 1)]
        at = [
            (math.floor(low * step) - n, math.ceil(high * step) - n)
            for (low, high), n in zip(ends, first, strict=True)
        ]
        boxes = {
            name: [[low - px, high + px] for low, high in at]
            for name, px in (("within", 1), ("lit", CLEAR_PX), ("around", 2 * CLEAR_PX - 1))
        }
        wave = {"axis": "xy".index(scene.direction[1]), "sign": 1 if scene.direction[0] == "+" else -1}
        job["wave"] = wave | boxes
    lines = []
    for f in map(float, frequencies):
        epsilon = [permittivity(medium, f, materials) for medium in media]
        lines.append({"frequency": f, "epsilon": [[value.real, value.imag] for value in epsilon]})
    return job | {"media": len(media), "lines": lines}


def _layout(
    scene: Device | Scatterer, materials: Mapping[str, Any], step: float
) -> tuple[list[Any], list[int], list[Any]]:
    """Along x and y: where the absorbers begin (on nodes), how many nodes there are, how many cells of each end absorb."""
    low_f = scene.band.frequencies()[0]
    longest = 1 / (low_f * index_of(scene.background, low_f, materials).real)
    wider = max(1.0, step / needs(scene, materials).resolution) ** WIDER
    pixels = math.ceil(ABSORBING * longest * wider * step)
    if isinstance(scene, Device):
        cell = _cell(scene, materials, step)
        outer = {port.side for port in scene.ports}
        away = FREE * longest * wider
        inner = [
            tuple(cell.plane(s + a) + sign(s) * away if s + a in outer else cell.inner[s + a] for s in "-+")
            for a in "xy"
        ]
    else:
        away = FREE * longest * wider + 2 * CLEAR_PX / step
        inner = [(low - away, high + away) for low, high in extent(scene.bodies)[:2]]
    ends = [(math.floor(low * step), math.ceil(high * step)) for low, high in inner]
    nodes = [high - low + 1 + 2 * pixels for low, high in ends]
    return [(low / step, high / step) for low, high in ends], nodes, [[pixels, pixels], [pixels, pixels]]


def _cell(scene: Device, materials: Mapping[str, Any], step: float) -> DeviceCell:
    wider = max(1.0, step / needs(scene, materials).resolution) ** WIDER
    return DeviceCell(scene, Numerics(step, padding=wider), materials)


def _ports(
    scene: Device, materials: Mapping[str, Any], step: float, first: Sequence[int], media: list[Any], box: Any
) -> dict[str, Any]:
    cell, ports = _cell(scene, materials, step), []
    for port in scene.ports:
        axis = "xy".index(port.side[1])
        center, size = window(scene, cell, port, True)
        ends = [
            round((center[1 - axis] + half * size[1 - axis] / 2) * step) - first[1 - axis] for half in (-1, 1)
        ]
        own = [b for b in scene.bodies if leaves(b, port.side) and not of_another(scene, port, b)]
        ports.append(
            {
                "axis": axis,
                "out": sign(port.side),
                "plane": round(cell.plane(port.side) * step) - first[axis],
                "window": ends,
                "bodies": [one for b in own for one in _outlines(_endless(b, port.side[1]), media, box)],
            }
        )
    names = [port.id for port in scene.ports]
    return {"ports": ports, "source": {"port": names.index(scene.source), "mode": scene.mode}}


def _endless(body: Any, axis: str) -> Any:
    """A body that leaves on a side, as long as it gets."""
    if body.type == "repeat":
        return body.model_copy(update={"body": _endless(body.body, axis)})
    return body.model_copy(update={axis: (-INF, INF)})


def _outlines(body: Any, media: list[Any], box: Sequence[tuple[float, float]]) -> Iterator[dict[str, Any]]:
    """A body as outlines.py reads it, cut off just beyond the box; new media are added to the list."""
    for one, by in single([body]):
        for medium, shape in _shapes(one, box, by):
            if medium not in media:
                media.append(medium)
            yield {"medium": media.index(medium), **shape}


def _shapes(
    body: Any, box: Sequence[tuple[float, float]], by: Sequence[float]
) -> Iterator[tuple[Any, dict[str, Any]]]:
    if body.type == "pattern":
        yield from ((body.medium, shape) for shape in outlines(body))
        return
    if body.type == "block":
        size = max(high - low for low, high in box)
        x, y = (
            [min(max(float(v) + by[i], box[i][0] - size), box[i][1] + size) for v in getattr(body, "xy"[i])]
            for i in (0, 1)
        )
        if x[0] < x[1] and y[0] < y[1]:
            yield body.medium, {"vertices": [[x[0], y[0]], [x[1], y[0]], [x[1], y[1]], [x[0], y[1]]]}
        return
    if body.type == "prism":
        yield body.medium, {"vertices": [[u + by[0], v + by[1]] for u, v in prism_corners(body)]}
        return
    center = [float(c) + d for c, d in zip(body.center, by, strict=True)]
    if body.type == "ring":
        yield body.medium, {"center": center[:2], "radius": float(body.outer)}
        yield body.filling, {"center": center[:2], "radius": float(body.inner)}
    elif body.type == "cylinder":
        yield body.medium, {"center": center[:2], "radius": float(body.radius)}
    else:
        axes = [float(body.radius)] * 3 if body.type == "sphere" else [float(s) for s in body.semi_axes]
        cut = math.sqrt(max(0.0, 1 - (center[2] / axes[2]) ** 2))
        turn = 2 * np.pi * (np.arange(SIDES) + 0.5) / SIDES
        grown = cut * math.sqrt(2 * np.pi / SIDES / math.sin(2 * np.pi / SIDES))  # as large as the ellipse
        rim = [center[i] + grown * axes[i] * part for i, part in enumerate((np.cos(turn), np.sin(turn)))]
        yield body.medium, {"vertices": np.stack(rim, axis=1).tolist()}


def read(answer: Any, job: Mapping[str, Any]) -> list[Solved]:
    """Read as a stranger's. Raises ValueError, KeyError or TypeError for what does not fit, NotSolved for a mode that is not guided."""
    nodes = int(answer["nodes"])
    if len(answer["lines"]) != len(job["lines"]) or nodes != math.prod(job["nodes"]):
        raise ValueError("its lines do not fit")
    out = []
    for line, told in zip(answer["lines"], job["lines"], strict=True):
        if line is None:
            raise NotSolved(f"the equations at frequency {told['frequency']:.6g} were not solved")
        if "wave" in job:
            scattered, absorbed = (job["pixel"] * float(line[name]) for name in ("scattered", "absorbed"))
            one = Solved(nodes, scattered=scattered, absorbed=absorbed)
            values: list[float] = [one.scattered, one.absorbed]
        else:
            guided = [int(n) for n in line["guided"]]
            if len(guided) != len(job["ports"]):
                raise ValueError("its ports do not fit")
            if guided[job["source"]["port"]] < job["source"]["mode"]:
                raise NotSolved(f"the mode that comes in is not guided at frequency {told['frequency']:.6g}")
            power = tuple(float(v) for v in line["power"])
            parts = tuple(tuple(float(v) for v in port) for port in line["modes"])
            if len(power) != len(guided) or [len(port) for port in parts] != guided:
                raise ValueError("its powers do not fit its ports")
            one = Solved(nodes, power, parts)
            values = [*power, *(v for shares in parts for v in shares)]
        if not np.all(np.isfinite(values)):
            raise ValueError("its powers are not finite")
        out.append(one)
    return out


def unknowns(found: Sequence[Solved]) -> int:
    """Nodes of the grid."""
    return found[0].nodes


def beside(quantity: Quantity) -> tuple[Quantity, ...]:
    """Of a cross-section those of the other processes: where one of them stands still by chance another does not."""
    if not isinstance(quantity, CrossSection):
        return ()
    processes = ("scattering", "absorption", "extinction")
    return tuple(
        quantity.model_copy(update={"id": f"{quantity.id} {process}", "process": process})
        for process in processes
        if process != quantity.process
    )


def value_of(
    scene: Device | Scatterer, quantity: Quantity, materials: Mapping[str, Any], found: Sequence[Solved]
) -> Array:
    """The quantity at each frequency, (n,). Raises NotSolved for a mode that a port does not guide, and more power than came in."""
    if isinstance(quantity, CrossSection):
        parts = {
            "scattering": [one.scattered for one in found],
            "absorption": [one.absorbed for one in found],
            "extinction": [one.scattered + one.absorbed for one in found],
        }
        return np.array(parts[quantity.process]) / (1.0 if quantity.per is None else float(quantity.per))
    assert isinstance(scene, Device)
    total = np.array([sum(one.power) for one in found])
    if np.max(total) > 1 + BALANCED:
        raise NotSolved(f"more light leaves than comes in: {float(np.max(total)):.4g}")
    if isinstance(quantity, Loss):
        return 1 - total
    assert isinstance(quantity, (PortTransmittance, PortReflectance))
    names = [port.id for port in scene.ports]
    asked = quantity.ports if isinstance(quantity, PortTransmittance) else (scene.source,)
    out: Array = np.zeros(len(found))
    for name in asked:
        at = names.index(name)
        if quantity.mode is None:
            out += [one.power[at] for one in found]
            continue
        if any(len(one.modes[at]) < quantity.mode for one in found):
            raise NotSolved(f"port {name} does not guide mode {quantity.mode}")
        out += [one.modes[at][quantity.mode - 1] for one in found]
    return out
