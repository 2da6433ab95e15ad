"""An emitter into two runs of one cell: the dipole in the background alone, and among the bodies.

One cell for both, so that the dipole stands at the same sub-pixel position: with another one the ratio is wrong by 4-6 %.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from simkit.arrange.bands import frequencies, pulse
from simkit.arrange.extent import extent, finite, smallest, symmetric
from simkit.arrange.films import films
from simkit.arrange.numerics import Arrangement, Needs, Numerics
from simkit.arrange.permittivity import dispersive, index_of
from simkit.describe.emitter import Emitter, PurcellFactor
from simkit.describe.light import Line
from simkit.describe.media import PerfectConductor, names_of_materials
from simkit.describe.scene import Quantity
from simkit.runs import Layer, Monitor, Run, Source, Stop

PIXELS_PER_WAVELENGTH = {"2D": 24, "3D": 14}
OPEN, ABSORBING = 0.5, 0.6  # longest wavelengths of free space and of PML
LONGEST_RUN = 1000.0  # periods of the lowest frequency after the source
AXES = {"2D": (0, 1), "3D": (0, 1, 2)}


def needs(scene: Emitter, materials: Mapping[str, Any]) -> Needs:
    """Pixels per wavelength in the densest medium, six in the smallest dimension; edges of blocks whole."""
    low, high = scene.band.frequencies()
    media = [m for m in (*_media(scene), scene.background) if not isinstance(m, PerfectConductor)]
    index = max(abs(index_of(m, f, materials).real) for m in media for f in (low, high))
    edges = {round(abs(float(v)), 9) for body in scene.bodies if body.type == "block"
             for pair in (body.x, body.y, body.z) for v in pair if finite(float(v)) and float(v) != 0}
    least = 6 / smallest(scene.bodies) if scene.bodies else 0.0
    return Needs(resolution=max(PIXELS_PER_WAVELENGTH[scene.dimensions] * high * max(index, 1.0), least),
                 whole=tuple(sorted(edges)))


def arrange(scene: Emitter, quantities: Sequence[Quantity], numerics: Numerics, materials: Mapping[str, Any]) -> Arrangement:
    """Runs 'empty' and 'bodies'. Raises ValueError for a band where one line is wanted, and an absorbing background."""
    if any(isinstance(q, PurcellFactor) for q in quantities) and not isinstance(scene.band, Line):
        raise ValueError(f"emitter {scene.id}: a Purcell factor is for light of one Line; over a band it is a PurcellSpectrum")
    low, _ = scene.band.frequencies()
    if abs(index_of(scene.background, low, materials).imag) > 0:
        raise ValueError(f"emitter {scene.id}: in an absorbing background the dipole's power has no limit")
    pixel, axes = 1 / numerics.resolution, AXES[scene.dimensions]
    longest = 1 / (low * index_of(scene.background, low, materials).real)
    place = (float(scene.position[0]), float(scene.position[1]), float(scene.position[2]))
    metal = any(dispersive(m, materials) for m in _media(scene))
    half, layers = [0.0] * 3, []
    for i in axes:
        bounds = [abs(v) for body in scene.bodies for v in extent([body])[i] if finite(v)]
        free, thick = OPEN * longest * numerics.padding, ABSORBING * longest * numerics.absorber
        half[i] = math.ceil((max([abs(place[i]), *bounds]) + free + thick) / pixel) * pixel
        reaches = any(not finite(v) for body in scene.bodies for v in extent([body])[i])
        layers.append(Layer("absorber" if metal and reaches else "pml", "xyz"[i], thick))  # type: ignore[arg-type]
    cell = [2 * side for side in half]
    centre, width = pulse(scene.band)
    component = f"E{scene.orientation}"
    mirrors = tuple(("xyz"[i], -1 if "xyz"[i] == scene.orientation else 1) for i in axes
                    if place[i] == 0 and symmetric(scene.bodies, i))
    plain = scene.model_dump(mode="json")
    ideal = any(isinstance(m, PerfectConductor) for m in _media(scene))
    empty = Run(
        dimensions=scene.dimensions, cell=(cell[0], cell[1], cell[2]), resolution=numerics.resolution, layers=tuple(layers),
        geometry=(), sources=(Source("current", component, place, (0.0, 0.0, 0.0), centre, width),),
        monitors={"ldos": Monitor("ldos", place, (0.0, 0.0, 0.0), frequencies(scene.band, numerics.samples))},
        background=plain["background"], mirrors=mirrors,  # type: ignore[arg-type]
        stop=Stop("decayed", numerics.decay, LONGEST_RUN / low * numerics.run_time, 4 / low, component, (place,)),
        smoothing=not (metal or ideal),
        materials={name: materials[name] for name in sorted(names_of_materials(plain))})
    bodies = replace(empty, geometry=tuple(plain["bodies"]))
    axis = 1 if scene.dimensions == "2D" else 2
    if (metal or ideal) and (stack := films(scene.bodies, plain["bodies"], axis, cell[axis])) is not None:
        bodies = replace(empty, stack=stack, stack_axis="xyz"[axis])  # type: ignore[arg-type]
    return Arrangement({"empty": empty, "bodies": bodies}, {})


def _media(scene: Emitter) -> list[Any]:
    shapes = [body.body if body.type == "repeat" else body for body in scene.bodies]
    return [m for shape in shapes for m in (shape.medium, getattr(shape, "filling", None)) if m is not None]
