"""A scatterer into two runs: the background alone and with the bodies, in one cell.

The plane wave fills the cell across its direction, absorbers included (periodic with zero wave vector), so that it is a
true plane wave. A closed box around the bodies records the scattered power (incident fields subtracted) and the net
power (what flows in is absorbed); fields outside it, near or far, come from the scattered fields on it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from simkit.arrange.bands import frequencies, pulse
from simkit.arrange.extent import extent, finite, halved
from simkit.arrange.formal_order import SECOND, formal_order
from simkit.arrange.narrowest import THIN, axes_in, coarsest, solids_of
from simkit.arrange.numerics import Arrangement, Needs, Numerics, absorbing
from simkit.arrange.patterns import angles, circle, clean
from simkit.arrange.permittivity import index_of, stepped
from simkit.arrange.places import recorded
from simkit.arrange.placing import drawing_order, overlapping
from simkit.describe.media import PerfectConductor, names_of_materials
from simkit.describe.scatterer import (
    CrossSection,
    DifferentialCrossSection,
    FarField,
    FieldAlong,
    NearField,
    PointField,
    Scatterer,
)
from simkit.describe.scene import Quantity
from simkit.runs import Layer, Monitor, Run, Source, Stop, Vector

PIXELS_PER_WAVELENGTH = {"2D": 12, "3D": 10}  # of the coarsest grid
FREE = {"2D": 0.3, "3D": 0.15}  # longest wavelengths of free space
ABSORBING = 0.6  # the same of PML, at most
LONGEST_RUN = 1000.0  # periods of the lowest frequency after the source
POINTS_PER_WAVELENGTH, MOST_POINTS = 8, 2000  # on a line far away


def needs(scene: Scatterer, materials: Mapping[str, Any]) -> Needs:
    """Coarsest grid: pixels per wavelength in the densest medium, six in the narrowest body, four in the narrowest gap."""
    low, high = scene.band.frequencies()
    media = [body.body.medium if body.type == "repeat" else body.medium for body in scene.bodies]
    index = max(
        (
            abs(index_of(m, f, materials).real)
            for m in [*media, scene.background]
            if not isinstance(m, PerfectConductor)
            for f in (low, high)
        ),
        default=1.0,
    )
    solids = solids_of(scene.bodies, axes_in(scene.dimensions))
    waves = PIXELS_PER_WAVELENGTH[scene.dimensions] * high * max(index, 1.0)
    averaged = not stepped(media, (low, high), materials, _is_along(scene))
    averaged = averaged and not any(isinstance(m, PerfectConductor) for m in media)
    finest = coarsest(solids, 6, background=scene.background, most=THIN * waves if averaged else math.inf)
    across = scene.dimensions == "2D" and scene.polarization != "z"  # not measured in three dimensions
    return Needs(
        resolution=max(waves, finest),
        order=formal_order(solids, scene.background, high, materials) if across else SECOND,
    )


def _is_along(scene: Scatterer) -> bool:
    """Whether E lies along all faces."""
    return scene.dimensions == "2D" and scene.polarization == "z"


def arrange(
    scene: Scatterer, quantities: Sequence[Quantity], numerics: Numerics, materials: Mapping[str, Any]
) -> Arrangement:
    """Runs 'empty' and 'bodies'."""
    low, _ = scene.band.frequencies()
    index = index_of(scene.background, low, materials).real
    longest, pixel = 1 / (low * index), 1 / numerics.resolution
    dims = 2 if scene.dimensions == "2D" else 3
    box = extent(scene.bodies)
    if not all(finite(bound) for axis in box[:dims] for bound in axis):
        raise ValueError(
            f"scatterer {scene.id}: a body is unbounded; a scatterer is finite"
            + (" in x and y" if dims == 2 else "")
        )
    lines = frequencies(scene.band, numerics.samples)
    free = FREE[scene.dimensions] * longest * numerics.padding
    coarsest_grid = needs(scene, materials).resolution
    pml = absorbing(longest, coarsest_grid, ABSORBING, scene.dimensions) * numerics.absorber
    margin = max(4 * pixel, 0.15 * longest)
    shown = [q for q in quantities if isinstance(q, (NearField, PointField))]
    half = [max(abs(box[i][0]), abs(box[i][1])) + margin for i in range(dims)]
    for quantity in shown:
        for point in (quantity.at,) if isinstance(quantity, PointField) else (quantity.start, quantity.end):
            half = [max(h, abs(float(point[i])) + margin) for i, h in enumerate(half)]
    half = [math.ceil(h / pixel) * pixel for h in half]
    cell = [2 * math.ceil((h + free + pml) / pixel) * pixel for h in half]
    axis, sign = "xyz".index(scene.direction[1]), 1 if scene.direction[0] == "+" else -1
    place = [0.0, 0.0, 0.0]
    place[axis] = -sign * round((half[axis] + 0.8 * free) / pixel) * pixel
    across = [0.0 if i == axis or i >= dims else cell[i] for i in range(3)]
    centre, width = pulse(scene.band)
    source = Source(
        kind="current",
        component=f"E{scene.polarization}",
        center=_three(place),
        size=_three(across),
        frequency=centre,
        width=width,
        integrated=True,
    )
    monitors = _monitors(scene, quantities, half, lines, axis, sign, dims, longest, numerics.samples, pixel)
    mirrors = tuple(
        ("xyz"[i], parity)
        for i in range(dims)
        for parity in (-1 if "xyz"[i] == scene.polarization else 1,)
        if i != axis and halved(scene.bodies, i, parity) and not shown
    )
    media = [body.body.medium if body.type == "repeat" else body.medium for body in scene.bodies]
    plain = scene.model_dump(mode="json")
    used = sorted(names_of_materials(plain))
    empty = Run(
        dimensions=scene.dimensions,
        cell=_three([*cell, 0.0][:3] if dims == 2 else cell),
        resolution=numerics.resolution,
        layers=tuple(Layer("pml", "xyz"[i], pml) for i in range(dims)),
        geometry=(),
        sources=(source,),  # type: ignore[arg-type]
        monitors={name: m for name, m in monitors.items() if name != "net"},
        background=plain["background"],
        stop=Stop(
            kind="settled", by=numerics.decay, max_time=LONGEST_RUN / low * numerics.run_time, window=4 / low
        ),
        materials={name: materials[name] for name in used},
        bloch=(0.0, 0.0, 0.0),
        mirrors=mirrors,  # type: ignore[arg-type]
        smoothing=not stepped(media, scene.band.frequencies(), materials, _is_along(scene)),
    )
    scattered = {
        name: (empty.digest(), name)
        for name in monitors
        if name == "box" or monitors[name].kind == "far_field"
    }
    drawn = tuple(
        overlapping(body.model_dump(mode="json"), numerics.resolution) for body in drawing_order(scene.bodies)
    )
    bodies = replace(
        empty,
        geometry=drawn,
        subtract=scattered,
        monitors={name: m for name, m in monitors.items() if name not in ("incident", "centre")},
    )
    area = math.prod(2 * half[i] for i in range(dims) if i != axis)
    return Arrangement(
        {"empty": empty, "bodies": bodies},
        {
            "area": area,
            "sign": sign,
            "dimensions": dims,
            "axis": axis,
            "wavenumber": 2 * math.pi * lines[0] * index,
            "longest": longest,
        },
    )


def _monitors(
    scene: Scatterer,
    quantities: Sequence[Quantity],
    half: list[float],
    lines: tuple[float, ...],
    axis: int,
    sign: int,
    dims: int,
    longest: float,
    samples: int,
    pixel: float,
) -> dict[str, Monitor]:
    size = _three([2 * h for h in half])
    out: dict[str, Monitor] = {}
    if any(
        isinstance(q, (CrossSection, DifferentialCrossSection))
        or (isinstance(q, FarField) and q.over == "incident")
        for q in quantities
    ):
        face = [0.0 if i == axis else size[i] for i in range(3)]
        out["incident"] = Monitor(kind="flux", center=(0.0, 0.0, 0.0), size=_three(face), frequencies=lines)
    if any(isinstance(q, CrossSection) for q in quantities):
        out["box"] = Monitor(kind="flux_box", center=(0.0, 0.0, 0.0), size=size, frequencies=lines)
        out["net"] = out["box"]
    for quantity in quantities:
        if isinstance(quantity, (FarField, DifferentialCrossSection)):
            if quantity.towards in ("xyz"[axis], "xyz"[dims:]):
                raise ValueError(
                    f"{quantity.id}: its plane is that of the light's direction {scene.direction!r} and towards; found "
                    f"towards={quantity.towards!r}"
                )
            if isinstance(quantity, FarField):
                around = circle("xyz"[axis], quantity.towards, angles(samples), sign)
            else:
                along, aside = sign * math.cos(float(quantity.angle)), math.sin(float(quantity.angle))
                parts = {"xyz"[axis]: along, quantity.towards: aside}
                around = [_three([clean(parts.get(name, 0.0)) for name in "xyz"])]
            out[f"far_{quantity.mark}"] = Monitor(
                kind="far_field",
                center=(0.0, 0.0, 0.0),
                size=size,
                frequencies=lines,
                radius=1000 * longest,
                directions=tuple(around),
            )
        if isinstance(quantity, FieldAlong):
            component = (f"E{scene.polarization}",)
            out["centre"] = Monitor(
                kind="fields",
                center=(0.0, 0.0, 0.0),
                size=(0.0, 0.0, 0.0),
                frequencies=lines,
                components=component,
            )
            out[f"along_{quantity.mark}"] = Monitor(
                kind="far_field",
                center=(0.0, 0.0, 0.0),
                size=size,
                frequencies=lines,
                radius=1.0,
                directions=_line(quantity, half, dims, longest, samples),
            )
    for quantity in quantities:
        if isinstance(quantity, (NearField, PointField)):
            if isinstance(quantity, NearField):
                centre, size_of = recorded(quantity, pixel, range(dims))
            else:
                centre, size_of = [float(v) for v in quantity.at[:dims]], [0.0]
            wanted = ("Ex", "Ey", "Ez") if quantity.field == "intensity" else (quantity.field,)
            present = [c for c in wanted if dims == 3 or (c == "Ez") == (scene.polarization == "z")]
            if not present:
                raise ValueError(
                    f"near field {quantity.id}: light with its field along {scene.polarization} has no "
                    f"{quantity.field} in two dimensions"
                )
            out[f"near_{quantity.mark}"] = Monitor(
                kind="fields",
                center=_three(centre),
                size=_three(size_of),
                frequencies=lines,
                components=tuple(dict.fromkeys((*present, f"E{scene.polarization}"))),
            )
    return out


def _line(
    quantity: FieldAlong, half: list[float], dims: int, longest: float, samples: int
) -> tuple[Vector, ...]:
    """Points of the line, equally spaced. Raises ValueError where it passes through the box around the bodies."""
    start, end = [float(v) for v in quantity.start], [float(v) for v in quantity.end]
    if dims == 2 and (start[2] or end[2]):
        raise ValueError(f"field along {quantity.id}: in two dimensions z is 0")
    length = math.dist(start, end)
    if not length > 0:
        raise ValueError(f"field along {quantity.id}: start and end are one point")
    count = min(MOST_POINTS, max(samples, math.ceil(POINTS_PER_WAVELENGTH * length / longest) + 1))
    out = [
        _three([a + (b - a) * i / (count - 1) for a, b in zip(start, end, strict=True)]) for i in range(count)
    ]
    if any(all(abs(point[i]) < half[i] for i in range(dims)) for point in out):
        raise ValueError(
            f"field along {quantity.id}: the line comes nearer than {min(half):.3g} to the bodies' box; there a "
            "NearField is measured"
        )
    return tuple(out)


def _three(values: Sequence[float]) -> Vector:
    padded = [*values, 0.0, 0.0][:3]
    return float(padded[0]), float(padded[1]), float(padded[2])
