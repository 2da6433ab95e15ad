"""A unit cell into runs: the wave travels towards +axis, the cell without layers is the reference.

Along the stack: PML | source | reflection plane | free distance | layers | free distance | transmission plane | PML. The
first interface lies on a pixel edge. Plain films are one-dimensional with every interface exact on its node; bars are
two-dimensional (Meep's x along the period, y along the stack, z along the bars); everything else three-dimensional.

At an angle every frequency is a run of its own, because a cell's lateral wave vector is fixed while the angle's grows
with frequency; so its band is sampled coarsely (OBLIQUE_SAMPLES).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from simkit.arrange.bands import frequencies, pulse
from simkit.arrange.cell_mirrors import mirrors
from simkit.arrange.numerics import Arrangement, Needs, Numerics
from simkit.arrange.permittivity import dispersive, index_of
from simkit.describe.media import AnyMedium, Medium, PerfectConductor, names_of_materials
from simkit.describe.scene import Quantity
from simkit.describe.unit_cell import Film, GroupDelay, OrderEfficiency, Phase, Sheet, UnitCell
from simkit.runs import Layer, Monitor, Run, Source, Stop, Vector

OBLIQUE_SAMPLES = 21
OPAQUE = 1e-5  # field left at the back of an opaque substrate
PIXELS_PER_WAVELENGTH = {1: 16, 2: 16, 3: 12}  # of the coarsest rung; the ladder climbs from there as needed
LONGEST_RUN = 2000.0  # periods of the lowest frequency after the source


@dataclass(frozen=True)
class _Place:
    """Positions along the stack, relative to the cell's centre."""

    length: float
    source: float
    reflection: float
    first: float
    last: float
    transmission: float


def needs(scene: UnitCell, materials: Mapping[str, Any]) -> Needs:
    """Coarsest resolution: pixels per wavelength in the densest medium, three pixels in the thinnest film or bar."""
    low, high = scene.band.frequencies()
    dims = dimensions(scene)
    thick = [float(film.thickness) for film in scene.layers if isinstance(film, Film)]
    whole, media = list(thick), [scene.below, scene.above]
    for film in _films(scene):
        media += [film.medium, *(body.medium for body in film.pattern)]
    if scene.period:
        whole += [float(p) for p in scene.period]
        for film in _films(scene):
            for body in film.pattern:
                if body.type == "bar":
                    whole += [float(body.x[0]) + float(scene.period[0]) / 2, float(body.x[1]) + float(scene.period[0]) / 2]
    index = max((abs(index_of(m, f, materials).real) for m in media if not isinstance(m, PerfectConductor)
                 for f in (low, (low + high) / 2, high)), default=1.0)
    finest = min([w for w in whole if w > 1e-12], default=1 / high)
    coarse = max(PIXELS_PER_WAVELENGTH[dims] * high * max(index, 1.0), (3 if dims == 1 else 4) / finest)
    return Needs(resolution=coarse, whole=tuple(sorted({w for w in whole if w > 1e-12})))


def arrange(scene: UnitCell, quantities: Sequence[Quantity], numerics: Numerics, materials: Mapping[str, Any]) -> Arrangement:
    """The reference and the structure, once for normal incidence, once for each frequency at an angle."""
    if float(scene.angle) == 0:
        runs, facts = _pair(scene, quantities, numerics, materials, frequencies(scene.band, numerics.samples), None)
        return Arrangement(runs, {**facts, "oblique": ()})
    lines = frequencies(scene.band, min(numerics.samples, OBLIQUE_SAMPLES))
    runs, facts = {}, {}
    for number, f in enumerate(lines):
        pair, facts = _pair(scene, quantities, numerics, materials, (f,), f)
        runs |= {f"{name}_{number}": run for name, run in pair.items()}
    return Arrangement(runs, {**facts, "oblique": lines})


def dimensions(scene: UnitCell) -> int:
    """1 for plain films, 2 for bars, 3 for two periods."""
    return 1 + len(scene.period)


def _films(scene: UnitCell) -> list[Film]:
    return [film for film in scene.layers if isinstance(film, Film)]


def _pair(scene: UnitCell, quantities: Sequence[Quantity], numerics: Numerics, materials: Mapping[str, Any],
          lines: tuple[float, ...], oblique: float | None) -> tuple[dict[str, Run], dict[str, Any]]:
    layers = tuple(scene.layers if scene.light_from == "below" else reversed(scene.layers))
    front, back = (scene.below, scene.above) if scene.light_from == "below" else (scene.above, scene.below)
    low, high = scene.band.frequencies()
    front_index = index_of(front, (low + high) / 2, materials)
    opaque = opaque_depth(back, low, high, materials)
    dims = dimensions(scene)
    cell, place = _placed(scene, layers, opaque, numerics, low, dims, oblique is not None)
    components, polarised = _polarisation(scene, dims)
    wave = None
    if oblique is not None:
        wave = (front_index.real * oblique * math.sin(float(scene.angle)), 0.0, 0.0)
    period = [float(p) for p in scene.period]
    plane = _vector(dims, 0.0, period)
    centre, width = (oblique, 0.1 * oblique) if oblique is not None else pulse(scene.band)
    source = Source(kind="current", component=components[0], center=_at(dims, place.source), size=plane, frequency=centre,
                    width=width, wave_vector=wave, integrated=True)
    flux = Monitor(kind="flux", center=_at(dims, place.reflection), size=plane, frequencies=lines, axis=_axis(dims))
    monitors: dict[str, Monitor] = {"reflection": flux, "transmission": replace(flux, center=_at(dims, place.transmission))}
    orders = {q.side for q in quantities if isinstance(q, (OrderEfficiency, Phase, GroupDelay))}
    if phases := [q.id for q in quantities if isinstance(q, (Phase, GroupDelay))]:
        if oblique is not None:
            raise ValueError(f"{', '.join(phases)}: phases are of normal incidence; {scene.id} is lit at an angle")
        orders.add("reflected")  # where the incident light is recorded
    field_components = (components[0],) if dims == 2 else ("Ex", "Ey", "Hx", "Hy")
    for side, at in (("reflected", place.reflection), ("transmitted", place.transmission)):
        if side in orders:
            monitors[f"{side}_fields"] = Monitor(kind="fields", center=_at(dims, at), size=plane, frequencies=lines,
                                                 components=field_components)
    used = names_of_materials(scene.model_dump(mode="json"))
    oblique_1d = dims == 1 and oblique is not None
    period_1f = 1 / low
    common = Run(
        dimensions="3D" if oblique_1d else ("1D", "2D", "3D")[dims - 1], cell=cell, resolution=numerics.resolution,
        layers=(Layer("pml", _axis(dims), _absorber(dims, numerics, low)),), geometry=(), sources=(source,), monitors=monitors,
        stop=Stop(kind="settled", by=numerics.decay, max_time=LONGEST_RUN * period_1f * numerics.run_time,
                  window=4 * period_1f),
        background=_plain(front), materials={name: materials[name] for name in sorted(used)},
        bloch=wave if wave is not None else (0.0, 0.0, 0.0),
        mirrors=() if orders or oblique is not None else mirrors(scene, dims, polarised))
    reference = replace(common, monitors={name: m for name, m in monitors.items() if not name.startswith("transm")})
    structure = replace(_drawn(common, scene, layers, front, back, opaque, place, materials, dims),
                        subtract={"reflection": (reference.digest(), "reflection")})
    facts = {"before": place.first - place.reflection, "behind": place.transmission - place.last,
             "front_index": float(front_index.real), "opaque": opaque is not None or isinstance(back, PerfectConductor),
             "film_indices": [max(0.0, float(index_of(f.medium, lines[0], materials).real))
                              if not isinstance(f.medium, PerfectConductor) else 0.0 for f in _films(scene)],
             "period": tuple(period), "components": field_components, "angle": float(scene.angle),
             "indices": {"reflected": [float(index_of(front, f, materials).real) for f in lines],
                         "transmitted": [] if opaque is not None or isinstance(back, PerfectConductor)
                         else [float(index_of(back, f, materials).real) for f in lines]}}
    return {"reference": reference, "structure": structure}, facts


def _absorber(dims: int, numerics: Numerics, lowest: float) -> float:
    return (1.0 if dims == 1 else 0.7) / lowest * numerics.absorber


def _placed(scene: UnitCell, layers: Sequence[Film | Sheet], opaque: float | None, numerics: Numerics, lowest: float,
            dims: int, oblique: bool) -> tuple[Vector, _Place]:
    pixel, longest = 1 / numerics.resolution, 1 / lowest
    pml = _absorber(dims, numerics, lowest)
    free = 0.5 * longest * numerics.padding
    total = sum(float(film.thickness) for film in layers if isinstance(film, Film))
    behind = free if opaque is None else opaque + free
    cell = 2 * math.ceil((2 * pml + 1.3 * free + total + behind) / (2 * pixel) - 1e-6) * pixel
    first = math.ceil((-cell / 2 + pml + 1.2 * free) / pixel - 1e-6) * pixel
    last = first + total
    source = _grid(-cell / 2 + pml + 0.1 * free, pixel)
    place = _Place(cell, source, _grid(first - 0.5 * free, pixel), first, last,
                   _grid(last + (0.5 * free if opaque is None else opaque + 0.25 * free), pixel))
    return _vector(dims, cell, [float(p) for p in scene.period]), place


def _grid(position: float, pixel: float) -> float:
    return round(position / pixel) * pixel


def opaque_depth(back: AnyMedium, low: float, high: float, materials: Mapping[str, Any]) -> float | None:
    """Thickness after which nothing is left of the light in an absorbing half-space; None if it may reach into the PML."""
    if isinstance(back, PerfectConductor) or not dispersive(back, materials):
        return None
    decay = min(2 * math.pi * f * abs(index_of(back, f, materials).imag) for f in (low, (low + high) / 2, high))
    if decay <= 0:
        return None
    return -math.log(OPAQUE) / decay


def _polarisation(scene: UnitCell, dims: int) -> tuple[tuple[str, ...], str]:
    """The source's component in Meep's axes, and 'x' or 'y' in the scene's."""
    along = {"x": "x", "y": "y", "s": "y", "p": "x"}[scene.polarization]
    if dims == 2:
        return (("Ez",) if along == "y" else ("Hz",)), along
    if dims == 1 and float(scene.angle) == 0:
        return ("Ex",), along
    if along == "y":
        return ("Ey",), along
    return (("Hy",) if float(scene.angle) else ("Ex",)), along


def _drawn(run: Run, scene: UnitCell, layers: Sequence[Film | Sheet], front: AnyMedium, back: AnyMedium,
           opaque: float | None, place: _Place, materials: Mapping[str, Any], dims: int) -> Run:
    """The structure's run: one-dimensional stacks with exact interfaces, else layers painted whole and bodies over them."""
    ends = [(place.last, place.last + opaque, back)] if opaque is not None else [(place.last, place.length / 2, back)]
    if opaque is not None:
        ends.append((place.last + opaque, place.length / 2, Medium(index=1)))
    films, at = [], place.first
    sheets: list[tuple[float, float]] = []
    for item in layers:
        if isinstance(item, Sheet):
            sheets.append((at, float(item.resistance)))
            continue
        films.append((at, at + float(item.thickness), item))
        at += float(item.thickness)
    if dims == 1:
        parts = [(-place.length / 2, place.first, front), *((a, b, film.medium) for a, b, film in films), *ends]
        stack = tuple((_plain(medium), a, b) for a, b, medium in parts)
        return replace(run, stack=stack, stack_axis="z", smoothing=False, sheets=tuple(sheets))
    axis, bodies = _axis(dims), []
    for number, (low, high, medium) in enumerate([*((a, b, film.medium) for a, b, film in films), *ends]):
        # Each layer to the cell's end, overpainted by the next: where two only met, smoothing saw a seam of the background.
        reach = high if isinstance(medium, PerfectConductor) else place.length / 2
        bodies.append({"type": "block", "id": f"layer{number}", "medium": _plain(medium), axis: (low, reach)})
    for low, high, film in films:
        bodies += [_body(body, low, high, dims) for body in film.pattern]
    poles = any(dispersive(m, materials) for m in [back, *(f.medium for _, _, f in films),
                                                   *(b.medium for _, _, f in films for b in f.pattern)])
    return replace(run, geometry=tuple(bodies), smoothing=not poles, stack_axis=_axis(dims), sheets=tuple(sheets))


def _body(body: Any, low: float, high: float, dims: int) -> dict[str, Any]:
    if body.type == "bar":
        return {"type": "block", "id": "bar", "medium": _plain(body.medium), "x": (float(body.x[0]), float(body.x[1])),
                "y": (low, high)}
    if body.type == "disk":
        return {"type": "cylinder", "id": "disk", "medium": _plain(body.medium), "axis": "z", "bounds": (low, high),
                "center": (float(body.center[0]), float(body.center[1]), 0.0), "radius": float(body.radius)}
    if body.type == "rectangle":
        half_x, half_y = float(body.size[0]) / 2, float(body.size[1]) / 2
        turn, (cx, cy) = float(body.rotation), (float(body.center[0]), float(body.center[1]))
        corners = [(-half_x, -half_y), (half_x, -half_y), (half_x, half_y), (-half_x, half_y)]
        vertices = [(cx + x * math.cos(turn) - y * math.sin(turn), cy + x * math.sin(turn) + y * math.cos(turn))
                    for x, y in corners]
    else:
        vertices = [(float(x), float(y)) for x, y in body.vertices]
    return {"type": "prism", "id": body.type, "medium": _plain(body.medium), "axis": "z", "bounds": (low, high),
            "vertices": tuple(vertices), "rotation": 0.0}


def _plain(medium: AnyMedium) -> dict[str, Any]:
    return medium.model_dump(mode="json")


def _axis(dims: int) -> Any:
    return {1: "z", 2: "y", 3: "z"}[dims]


def _at(dims: int, position: float) -> Vector:
    return (0.0, position, 0.0) if dims == 2 else (0.0, 0.0, position)


def _vector(dims: int, along: float, period: Sequence[float]) -> Vector:
    if dims == 1:
        return (0.0, 0.0, along)
    return (period[0], along, 0.0) if dims == 2 else (period[0], period[1], along)
