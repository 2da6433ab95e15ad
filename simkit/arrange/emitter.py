"""An emitter into two runs: the dipole in the background alone, and among the bodies.

It stands at the same sub-pixel position in both: with another one the ratio is wrong by 4-6 %. Alone it radiates the same wherever
it is, so its cell holds nothing but room around it, and places that lie alike on the grid share it; not where an absorber ends the cell.
A half-infinite ideal mirror is a mirror plane of the fields. Where all bodies revolve about a line through the dipole
(plane films always do), a cylindrical cell holds the scene: a dipole along the axis has m = 0, one across it is half of
m = 1 and m = -1 each. Far fields settle in runs of their own; those of plane films are half_spaces.py's. Of an isotropic emitter each
axis has its pair of runs, axes along plane films share one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from simkit.arrange.bands import frequencies, pulse
from simkit.arrange.extent import extent, finite, halved
from simkit.arrange.films import drawn_films
from simkit.arrange.frames import ideal_mirror, in_front, mirrored, moved, revolves, section
from simkit.arrange.guided_share import planes, room_beside
from simkit.arrange.half_spaces import half_space_runs, layered, sides_of
from simkit.arrange.narrowest import axes_in, coarsest, solids_of
from simkit.arrange.numerics import Arrangement, Needs, Numerics
from simkit.arrange.patterns import FAR, angles, seen
from simkit.arrange.permittivity import dispersive, index_of, stepped
from simkit.arrange.placing import drawing_order, overlapping
from simkit.describe.emitter import (
    ConeShare,
    Emitter,
    GuidedShare,
    HalfSpacePattern,
    PurcellFactor,
    RadiationPattern,
)
from simkit.describe.light import Line
from simkit.describe.media import PerfectConductor, names_of_materials
from simkit.describe.scene import Quantity
from simkit.runs import Layer, Monitor, Run, Source, Stop, Vector

PIXELS_PER_WAVELENGTH = {"2D": 12, "cylindrical": 12, "3D": 10}  # of the coarsest grid
# As few as a shell may have and be no less right than the wire in it: 30 nm (index 1.76) on a wire of 160 nm (3.45) at 950 nm leave
# 1.1 % of the rate on 67 pixels per um, two in the shell; the bare wire 0.9 %.
PIXELS_PER_BODY, PIXELS_PER_GAP = 3, 2
# Longest wavelengths of free space and of PML; a cylindrical PML is only an absorber, so there it is thicker and farther.
OPEN, ABSORBING = {"2D": 0.5, "3D": 0.5, "cylindrical": 1.0}, {"2D": 0.6, "3D": 0.6, "cylindrical": 1.5}
LONGEST_RUN = 1000.0  # periods of the lowest frequency after the source
AXES = {"2D": (0, 1), "cylindrical": (0, 2), "3D": (0, 1, 2)}


@dataclass(frozen=True)
class _Frame:
    """The scene as it is solved. kind: of cell. axis: that became z, None where nothing is turned. mirror: axis of the cell.

    bodies: without the mirror. free: the mirror's side that light is on, in axes of the scene. origin: what was moved.
    """

    kind: str
    axis: int | None
    bodies: tuple[Any, ...]
    plain: tuple[dict[str, Any], ...]
    place: Vector
    component: str
    mirror: int | None = None
    free: tuple[int, float] | None = None
    origin: float = 0.0


def needs(scene: Emitter, materials: Mapping[str, Any]) -> Needs:
    """Pixels per wavelength in the densest medium, three in the narrowest body, two in the narrowest gap or wall; edges and dipole on
    the grid."""
    low, high = scene.band.frequencies()
    scene = _along(scene, next(iter(axes_of(scene))))
    frame = _frame(scene, materials)
    media = [m for m in (*_media(scene), scene.background) if not isinstance(m, PerfectConductor)]
    index = max(abs(index_of(m, f, materials).real) for m in media for f in (low, high))
    edges = [
        v
        for body in scene.bodies
        if body.type == "block"
        for i, pair in enumerate((body.x, body.y, body.z))
        for v in (float(end) - (frame.origin if frame.free and frame.free[0] == i else 0) for end in pair)
    ]
    whole = {round(abs(v), 9) for v in (*edges, *frame.place) if finite(v) and abs(v) > 1e-9}
    solids = solids_of(scene.bodies, axes_in(scene.dimensions))
    least = coarsest(solids, PIXELS_PER_BODY, background=scene.background, per_gap=PIXELS_PER_GAP)
    return Needs(
        resolution=max(PIXELS_PER_WAVELENGTH[frame.kind] * high * max(index, 1.0), least),
        whole=tuple(sorted(whole)),
    )


def arrange(
    scene: Emitter, quantities: Sequence[Quantity], numerics: Numerics, materials: Mapping[str, Any]
) -> Arrangement:
    """Runs 'empty' and 'bodies' for Purcell factors (of further axes of an isotropic emitter with the axis behind), 'far_empty' and
    'far' for patterns, those of half_spaces.py for half-spaces.

    Raises ValueError for a band where one line is wanted, an absorbing background, patterns among unbounded bodies.
    """
    if any(isinstance(q, PurcellFactor) for q in quantities) and not isinstance(scene.band, Line):
        raise ValueError(
            f"emitter {scene.id}: a Purcell factor is for light of one Line; over a band it is a PurcellSpectrum"
        )
    low, _ = scene.band.frequencies()
    if abs(index_of(scene.background, low, materials).imag) > 0:
        raise ValueError(f"emitter {scene.id}: in an absorbing background the dipole's power has no limit")
    beyond = [q for q in quantities if isinstance(q, (HalfSpacePattern, ConeShare))]
    patterns = [q for q in quantities if isinstance(q, RadiationPattern)]
    guided = [q for q in quantities if isinstance(q, GuidedShare)]
    powers = [
        q
        for q in quantities
        if q not in (*patterns, *beyond, *guided) or (q in beyond and getattr(q, "over", "") == "emitted")
    ]
    if (patterns or guided) and scene.orientation == "isotropic":
        raise ValueError(
            f"{(patterns or guided)[0].id}: a radiation pattern among finite bodies and light in a guided mode are of a dipole along "
            "one axis"
        )
    runs, facts = {}, {}
    if beyond:
        films = layered(scene)
        sides = tuple(dict.fromkeys(side for q in beyond for side in sides_of(scene, films, q, materials)))
        runs, facts = half_space_runs(scene, films, sides, numerics, materials)
    axes = axes_of(scene) if powers else {}
    if guided:
        own = " guided" if _frame(scene, materials).kind == "cylindrical" else ""
        runs |= _powers(scene, numerics, materials, own, guided)
        facts = {**facts, "guided": own}
    for number, axis in enumerate(axes):
        called = "" if number == 0 else f" {axis}"
        if f"bodies{called}" not in runs:
            runs |= _powers(_along(scene, axis), numerics, materials, called)
    facts = {**facts, "axes": axes}
    if patterns:
        more, told = _patterns(scene, patterns, numerics, materials)
        runs, facts = {**runs, **more}, {**facts, **told}
    return Arrangement(runs, facts)


def axes_of(scene: Emitter) -> dict[str, float]:
    """The axes whose dipoles are solved, with their shares of an isotropic emitter's power."""
    if scene.orientation != "isotropic":
        return {scene.orientation: 1.0}
    for axis in range(3):
        if revolves(scene.bodies, axis, scene.position):
            return {"xyz"[axis]: 1 / 3, "xyz"[(axis + 1) % 3]: 2 / 3}
    return dict.fromkeys("xyz", 1 / 3)


def _along(scene: Emitter, axis: str) -> Emitter:
    return scene.model_copy(update={"orientation": axis})


def _longest(scene: Emitter, materials: Mapping[str, Any], alone: bool = False) -> float:
    """The longest wavelength in the background, or in a body that reaches where the cell ends; alone: in the background."""
    low, _ = scene.band.frequencies()
    outside = [
        index_of(body.medium, low, materials)
        for body in (getattr(one, "body", one) for one in scene.bodies)
        if not (alone or isinstance(body.medium, PerfectConductor))
        and any(not finite(end) for i in AXES[scene.dimensions] for end in extent([body])[i])
    ]
    least = index_of(scene.background, low, materials).real
    return 1 / (low * min([least, *(n.real for n in outside if n.real > abs(n.imag))]))


def _powers(
    scene: Emitter,
    numerics: Numerics,
    materials: Mapping[str, Any],
    called: str,
    guided: Sequence[GuidedShare] = (),
) -> dict[str, Run]:
    """guided: light in modes is looked at, in a cell that has guides along its axes."""
    frame, longest = _frame(scene, materials, bool(guided)), _longest(scene, materials)
    beside = room_beside(scene, guided, longest, materials)
    empty, bodies = _runs(scene, frame, numerics, longest, materials, beside)
    if guided:
        seen = planes(scene, guided, bodies, frame.free)
        bodies = replace(
            bodies, monitors={**bodies.monitors, **seen}, stop=replace(bodies.stop, kind="settled")
        )
    shared = any(
        layer.kind == "absorber" for layer in empty.layers
    )  # what it throws back cancels in the same cell
    alone = empty if shared else _alone(empty, frame, numerics, _longest(scene, materials, alone=True))
    return {f"empty{called}": alone, f"bodies{called}": bodies}


def _patterns(
    scene: Emitter, patterns: Sequence[RadiationPattern], numerics: Numerics, materials: Mapping[str, Any]
) -> tuple[dict[str, Run], dict[str, Any]]:
    frame, longest = _frame(scene, materials), _longest(scene, materials)
    empty, bodies = _runs(scene, frame, numerics, longest, materials)
    box = _box(scene, frame, numerics, longest)
    count = angles(numerics.samples)
    shown = {
        q.id: seen(q.zero, q.towards, count, frame.axis, f"E{scene.orientation}", frame.free)
        for q in patterns
    }
    directions = tuple(dict.fromkeys(d for views in shown.values() for d, _, _ in views if d is not None))
    lines = frequencies(scene.band, 1)
    far = Monitor("far_field", box[0], box[1], lines, directions=directions, radius=FAR * longest)
    stop = replace(empty.stop, kind="settled")
    views = {
        name: [(-1 if d is None else directions.index(d), theta, phi) for d, theta, phi in found]
        for name, found in shown.items()
    }
    return {
        "far_empty": replace(empty, monitors={"far": far}, stop=stop),
        "far": replace(bodies, monitors={"far": far}, stop=stop),
    }, {"patterns": views, "kind": frame.kind}


def _frame(scene: Emitter, materials: Mapping[str, Any], straight: bool = False) -> _Frame:
    """straight: in a cell with the scene's own axes."""
    bodies = list(drawing_order(scene.bodies))
    plain = [body.model_dump(mode="json") for body in bodies]
    place = [float(p) for p in scene.position]
    found = ideal_mirror(bodies, place)
    if found is not None and scene.dimensions == "2D" and found[1] == 2:
        found = None
    across, face, side = None, 0.0, 0.0
    if found is not None:
        number, across, face = found
        del bodies[number]
        bodies = [in_front(body, across, face, place[across] - face) for body in bodies]
        before = [moved(body.model_dump(mode="json"), across, -face) for body in bodies]
        # each with its image, for smoothing at the mirror's face
        plain = [each for body in before for each in (body, mirrored(body, across))]
        place[across] -= face
        side = math.copysign(1.0, place[across])
        place[across] = abs(
            place[across]
        )  # Meep 1.25 loses a point source below a mirror plane; its image is the same
    free = None if across is None else (across, side)
    axis = None if straight else _axis(scene, bodies, across, materials)
    if axis is None:
        return _Frame(
            scene.dimensions,
            None,
            tuple(bodies),
            tuple(plain),
            (place[0], place[1], place[2]),
            f"E{scene.orientation}",
            across,
            free,
            face,
        )
    component = "Ez" if scene.orientation == "xyz"[axis] else "Ex"
    return _Frame(
        "cylindrical",
        axis,
        tuple(bodies),
        tuple(section(body, axis) for body in plain),
        (0.0, 0.0, place[axis]),
        component,
        None if across is None else 2,
        free,
        face,
    )


def _axis(
    scene: Emitter, bodies: Sequence[Any], across: int | None, materials: Mapping[str, Any]
) -> int | None:
    """The axis that everything revolves about, along the dipole if it may be."""
    along = "xyz".index(scene.orientation)
    if scene.dimensions == "2D" or any(
        "axes" in materials[name] for name in names_of_materials(scene.model_dump(mode="json"))
    ):
        return None
    for axis in sorted(range(3), key=lambda i: i != along):
        if across in (None, axis) and revolves(bodies, axis, scene.position):
            return axis
    return None


def _reach(frame: _Frame, i: int) -> list[float]:
    """Finite bounds of dipole and bodies along an axis of the cell, as distances from its centre."""
    if frame.axis is not None and i == 0:  # radial
        lateral = (frame.axis + 1) % 3
        ends = [
            abs(high - low) / 2
            for body in frame.bodies
            for low, high in [extent([body])[lateral]]
            if finite(low)
        ]
        return [0.0, *ends]
    axis = i if frame.axis is None else frame.axis
    shift = frame.origin if frame.free is not None and frame.free[0] == axis else 0.0
    return [
        abs(frame.place[i]),
        *(abs(v - shift) for body in frame.bodies for v in extent([body])[axis] if finite(v)),
    ]


def _runs(
    scene: Emitter,
    frame: _Frame,
    numerics: Numerics,
    longest: float,
    materials: Mapping[str, Any],
    beside: Mapping[int, float] = {},
) -> tuple[Run, Run]:
    """beside: free space that is wanted along an axis."""
    pixel, axes, radial = 1 / numerics.resolution, AXES[frame.kind], frame.kind == "cylindrical"
    low, high = scene.band.frequencies()
    media = [m for m in _media(scene) if not (frame.mirror is not None and isinstance(m, PerfectConductor))]
    metal = any(dispersive(m, materials) for m in media)
    ideal = any(isinstance(m, PerfectConductor) for m in _media(frame))
    half, layers = [0.0] * 3, []
    for i in axes:
        free, thick = _room(frame, numerics, longest)
        free = max(free, beside.get(i, 0.0) * numerics.padding)
        half[i] = math.ceil((max(_reach(frame, i)) + free + thick) / pixel - 1e-6) * pixel
        place = frame.axis if radial and i == 2 else i
        reaches = any(
            not finite(v) for body in frame.bodies for v in extent([body])[place if place is not None else i]
        )
        # A radial absorber of Meep 1.25 also absorbs near the axis: a dipole alone has 1.5 times its power.
        absorber = metal and reaches and not (radial and i == 0)
        layers.append(Layer("absorber" if absorber else "pml", "xyz"[i], thick))  # type: ignore[arg-type]
    cell = [side if radial and i == 0 else 2 * side for i, side in enumerate(half)]
    centre, width = pulse(scene.band)
    mirrors = tuple(
        ("xyz"[i], parity)
        for i in axes
        for parity in (-1 if "xyz"[i] == scene.orientation else 1,)
        if not radial and i != frame.mirror and frame.place[i] == 0 and halved(frame.bodies, i, parity)
    )
    plain = scene.model_dump(mode="json")
    empty = Run(
        dimensions=frame.kind,
        cell=(cell[0], cell[1], cell[2]),
        resolution=numerics.resolution,  # type: ignore[arg-type]
        layers=tuple(layers),
        geometry=(),
        sources=(Source("current", frame.component, frame.place, (0.0, 0.0, 0.0), centre, width),),
        monitors={
            "ldos": Monitor("ldos", frame.place, (0.0, 0.0, 0.0), frequencies(scene.band, numerics.samples))
        },
        background=plain["background"],
        mirrors=mirrors,
        m=0.0 if frame.component == "Ez" else float(radial),  # type: ignore[arg-type]
        stop=Stop(
            "decayed",
            numerics.decay,
            LONGEST_RUN / low * numerics.run_time,
            4 / low,
            frame.component,
            (frame.place,),
        ),
        smoothing=not (
            ideal or stepped(media, (low, high), materials, frame.kind == "2D" and frame.component == "Ez")
        ),
        materials={name: materials[name] for name in sorted(names_of_materials(plain))},
    )
    bodies = replace(empty, geometry=tuple(overlapping(body, numerics.resolution) for body in frame.plain))
    if (
        metal or ideal or radial
    ):  # in cylindrical cells smoothing leaves an error of first order at a film's face
        for i in axes if not radial else (2,):
            if stack := drawn_films(frame.plain, i, cell[i]):
                bodies = replace(empty, stack=stack, stack_axis="xyz"[i], smoothing=False)  # type: ignore[arg-type]
                break
    if frame.mirror is not None:  # of an ideal metal: tangential E is odd, normal E even
        bodies = replace(bodies, mirrors=(*mirrors, ("xyz"[frame.mirror], -1)))  # type: ignore[arg-type]
    return empty, bodies


def _room(frame: _Frame, numerics: Numerics, longest: float) -> tuple[float, float]:
    """Free space around everything, and what absorbs behind it."""
    return OPEN[frame.kind] * longest * numerics.padding, ABSORBING[frame.kind] * longest * numerics.absorber


def _alone(run: Run, frame: _Frame, numerics: Numerics, longest: float) -> Run:
    """The run without bodies in a cell of its own, around the dipole's pixel."""
    pixel, (free, thick) = 1 / run.resolution, _room(frame, numerics, longest)
    room = free + thick
    half, place, mirrors = [0.0] * 3, [0.0] * 3, []
    for i in AXES[frame.kind]:
        share = frame.place[i] / pixel - math.floor(frame.place[i] / pixel + 1e-6)
        place[i] = 0.0 if abs(share) < 1e-6 else round(share * pixel, 12)
        half[i] = math.ceil((place[i] + room) / pixel - 1e-6) * pixel
        parity = -1 if frame.component[-1] == "xyz"[i] else 1
        if frame.kind != "cylindrical" and place[i] == 0:
            mirrors.append(("xyz"[i], parity))
    radial = frame.kind == "cylindrical"
    there = (place[0], place[1], place[2])
    cell = [side if radial and i == 0 else 2 * side for i, side in enumerate(half)]
    return replace(
        run,
        cell=(cell[0], cell[1], cell[2]),
        layers=tuple(replace(layer, thickness=thick) for layer in run.layers),
        sources=tuple(replace(source, center=there) for source in run.sources),
        monitors={name: replace(monitor, center=there) for name, monitor in run.monitors.items()},
        mirrors=tuple(mirrors),
        stop=replace(run.stop, points=(there,)),
    )


def _box(scene: Emitter, frame: _Frame, numerics: Numerics, longest: float) -> tuple[Vector, Vector]:
    """Centre and size of the box that far fields are computed from. Raises ValueError where a body leaves it."""
    pixel = 1 / numerics.resolution
    if any(not finite(v) for body in frame.bodies for i in AXES[scene.dimensions] for v in extent([body])[i]):
        raise ValueError(
            f"emitter {scene.id}: a radiation pattern is for finite bodies in one background, before one "
            "half-infinite ideal mirror at most; a film or substrate carries light away sideways (of plane films alone there is "
            "HalfSpacePattern)"
        )
    half = [0.0] * 3
    for i in AXES[frame.kind]:
        half[i] = math.ceil((max(_reach(frame, i)) + 0.5 * OPEN[frame.kind] * longest) / pixel) * pixel
    if frame.kind == "cylindrical":
        return (half[0] / 2, 0.0, 0.0), (half[0], 0.0, 2 * half[2])
    return (0.0, 0.0, 0.0), (2 * half[0], 2 * half[1], 2 * half[2])


def _media(scene: Any) -> list[Any]:
    shapes = [body.body if body.type == "repeat" else body for body in scene.bodies]
    return [m for shape in shapes for m in (shape.medium, getattr(shape, "filling", None)) if m is not None]
