"""A unit cell into runs: the wave travels towards +axis, the cell without layers is the reference.

Along the stack: PML | source | reflection plane | free distance | layers | free distance | transmission plane | PML. The
first interface lies on a pixel edge. Plain films are one-dimensional with every interface exact on its node, at an angle a
two-dimensional cell without width (the same to the last digit as a three-dimensional one, for a third of its cost); bars are
two-dimensional (Meep's x along the period, y along the stack, z along the bars); everything else three-dimensional.

At an angle every frequency is a run of its own, because a cell's lateral wave vector is fixed while the angle's grows
with frequency; so its band is sampled coarsely (OBLIQUE_SAMPLES).

The reference's cell ends behind the reflection plane: one for all layers, for every point of a sweep over them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from simkit.arrange.bands import frequencies, pulse
from simkit.arrange.cell_fields import monitors_of, shown
from simkit.arrange.cell_layout import (
    Place,
    at_place,
    axis_of,
    dimensions,
    drawn,
    films_of,
    opaque_depth,
    placed,
    plain,
    room,
    solids_of_pairs,
    vector,
)
from simkit.arrange.cell_mirrors import mirrors
from simkit.arrange.formal_order import SECOND, order_of_media
from simkit.arrange.narrowest import coarsest
from simkit.arrange.numerics import Arrangement, Needs, Numerics
from simkit.arrange.optical_path import optical_path
from simkit.arrange.permittivity import index_of, without_poles
from simkit.arrange.pumped import pump_runs
from simkit.describe.media import PerfectConductor, names_of_materials
from simkit.describe.scene import Quantity
from simkit.describe.unit_cell import (
    Film,
    GroupDelay,
    HarmonicEfficiency,
    KerrPhase,
    OrderEfficiency,
    Phase,
    UnitCell,
)
from simkit.runs import Layer, Monitor, Run, Source, Stop, Vector

OBLIQUE_SAMPLES = 21
NARROWEST, BROADEST = 0.1, 0.3  # pulse of a single frequency, as a share of it
MOST_ORDERS = 50  # to each side of a period
PIXELS_PER_WAVELENGTH = {1: 16, 2: 12, 3: 10}  # of the coarsest rung; the ladder climbs from there as needed
PIXELS_PER_FILM, PIXELS_PER_BODY = {1: 3, 2: 4, 3: 4}, {2: 6, 3: 4}
LONGEST_RUN = 2000.0  # periods of the lowest frequency after the source


def needs(scene: UnitCell, materials: Mapping[str, Any]) -> Needs:
    """Coarsest resolution: pixels per wavelength in the densest medium, six in the narrowest bar, four in the thinnest film
    and the narrowest post, hole or gap wherever it lies (three where there are plain films only)."""
    low, high = scene.band.frequencies()
    dims = dimensions(scene)
    thick = [float(film.thickness) for film in scene.layers if isinstance(film, Film)]
    whole, media = list(thick), [scene.below, scene.above]
    for film in films_of(scene):
        media += [film.medium, *(body.medium for body in film.pattern)]
    if scene.period:
        whole += [float(p) for p in scene.period]
        for film in films_of(scene):
            for body in film.pattern:
                if body.type == "bar" and body.top is None:
                    whole += [
                        float(body.x[0]) + float(scene.period[0]) / 2,
                        float(body.x[1]) + float(scene.period[0]) / 2,
                    ]
    index = max(
        (
            abs(index_of(m, f, materials).real)
            for m in media
            if not isinstance(m, PerfectConductor)
            for f in (low, (low + high) / 2, high)
        ),
        default=1.0,
    )
    thinnest = min(thick, default=math.inf)
    across = dims == 3 or (dims == 2 and scene.polarization in ("x", "p"))
    patterned = [
        m
        for film in films_of(scene)
        if film.pattern
        for m in (film.medium, *(b.medium for b in film.pattern))
    ]
    lattice = [[float(p) if i == n else 0.0 for i in range(3)] for n, p in enumerate(scene.period)]
    finest = max(
        PIXELS_PER_WAVELENGTH[dims] * high * max(index, 1.0),
        PIXELS_PER_FILM[dims] / thinnest,
        *(coarsest(solids, PIXELS_PER_BODY[dims], lattice) for solids in solids_of_pairs(scene)),
    )
    return Needs(
        finest,
        tuple(sorted({w for w in whole if w > 1e-12})),
        order=order_of_media(patterned, low, materials) if across else SECOND,
        alone=not scene.period,
        periods=tuple(float(p) for p in scene.period),
    )


def arrange(
    scene: UnitCell, quantities: Sequence[Quantity], numerics: Numerics, materials: Mapping[str, Any]
) -> Arrangement:
    """The reference and the structure, once for normal incidence, once for each frequency at an angle; pumped ones apart."""
    strong = [q for q in quantities if isinstance(q, (HarmonicEfficiency, KerrPhase))]
    if strong:
        pumped, told = pump_runs(scene, strong, numerics, materials)
        rest = [q for q in quantities if q not in strong]
        if not rest:
            return Arrangement(pumped, {"pump": told})
        weak = arrange(scene, rest, numerics, materials)
        return Arrangement({**weak.runs, **pumped}, {**weak.facts, "pump": told})
    if float(scene.angle) == 0:
        runs, facts = pair(
            scene, quantities, numerics, materials, frequencies(scene.band, numerics.samples), None
        )
        return Arrangement(runs, {**facts, "oblique": ()})
    lines = frequencies(scene.band, min(numerics.samples, OBLIQUE_SAMPLES))
    runs, facts = {}, {}
    for number, f in enumerate(lines):
        both, facts = pair(scene, quantities, numerics, without_poles(materials, f), (f,), f)
        runs |= {f"{name}_{number}": run for name, run in both.items()}
    return Arrangement(runs, {**facts, "oblique": lines})


def pair(
    scene: UnitCell,
    quantities: Sequence[Quantity],
    numerics: Numerics,
    materials: Mapping[str, Any],
    lines: tuple[float, ...],
    oblique: float | None,
) -> tuple[dict[str, Run], dict[str, Any]]:
    """Runs 'reference' and 'structure' at these frequencies, and facts of them; oblique: the one frequency of light at an angle."""
    layers = tuple(scene.layers if scene.light_from == "below" else reversed(scene.layers))
    front, back = (scene.below, scene.above) if scene.light_from == "below" else (scene.above, scene.below)
    low, high = scene.band.frequencies()
    front_index = index_of(front, (low + high) / 2, materials)
    opaque = opaque_depth(back, low, high, materials)
    dims = dimensions(scene) if oblique is None else max(2, dimensions(scene))
    total = sum(float(film.thickness) for film in films_of(scene))
    looked = shown(quantities, scene, total, 1 / numerics.resolution)
    free, pml = room(scene, oblique, needs(scene, materials).resolution, materials)
    around = free / low * numerics.padding, pml / low * numerics.absorber
    cell, place = placed(scene, layers, opaque, numerics, around, dims, looked)
    components, polarised = _polarisation(scene, dims)
    period = [float(p) for p in scene.period]
    plane = vector(dims, 0.0, period)
    wave = None
    centre, width = pulse(scene.band, periodic=True)
    if oblique is not None:
        wave = (front_index.real * oblique * math.sin(float(scene.angle)), 0.0, 0.0)
        media = [m for m in (front, back) if not isinstance(m, PerfectConductor)]
        onsets = _onsets(wave[0], period, [index_of(m, oblique, materials).real for m in media], oblique)
        centre, width = oblique, min(max(NARROWEST * oblique, onsets), BROADEST * oblique)
    source = Source(
        kind="current",
        component=components[0],
        center=at_place(dims, place.source),
        size=plane,
        frequency=centre,
        width=width,
        wave_vector=wave,
        integrated=True,
    )
    flux = Monitor(
        kind="flux",
        center=at_place(dims, place.reflection),
        size=plane,
        frequencies=lines,
        axis=axis_of(dims),
    )
    monitors: dict[str, Monitor] = {
        "reflection": flux,
        "transmission": replace(flux, center=at_place(dims, place.transmission)),
    }
    orders = {q.side for q in quantities if isinstance(q, (OrderEfficiency, Phase, GroupDelay))}
    if phases := [q.id for q in quantities if isinstance(q, (Phase, GroupDelay))]:
        if oblique is not None:
            raise ValueError(
                f"{', '.join(phases)}: phases are of normal incidence; {scene.id} is lit at an angle"
            )
        orders.add("reflected")  # where the incident light is recorded
    field_components = (components[0],) if dims == 2 else ("Ex", "Ey", "Hx", "Hy")
    for side, at in (("reflected", place.reflection), ("transmitted", place.transmission)):
        if side in orders:
            monitors[f"{side}_fields"] = Monitor(
                kind="fields",
                center=at_place(dims, at),
                size=plane,
                frequencies=lines,
                components=field_components,
            )
    fields = monitors_of(scene, quantities, place, 1 / numerics.resolution, lines)
    monitors |= fields
    used = names_of_materials(scene.model_dump(mode="json"))
    period_1f = 1 / low
    common = Run(
        dimensions=("1D", "2D", "3D")[dims - 1],
        cell=cell,
        resolution=numerics.resolution,
        layers=(Layer("pml", axis_of(dims), around[1]),),
        geometry=(),
        sources=(source,),
        monitors=monitors,
        stop=Stop(
            kind="settled",
            by=numerics.decay,
            max_time=LONGEST_RUN * period_1f * numerics.run_time,
            window=4 * period_1f,
        ),
        background=plain(front),
        materials={name: materials[name] for name in sorted(used)},
        bloch=wave if wave is not None else (0.0, 0.0, 0.0),
        mirrors=() if orders or fields or oblique is not None else mirrors(scene, dims, polarised),
    )
    reference = replace(
        common, monitors={name: m for name, m in monitors.items() if not name.startswith("transm")}
    )
    if not fields:
        reference = _shortened(reference, *placed(scene, (), None, numerics, around, dims), dims)
    structure = replace(
        drawn(common, scene, layers, front, back, opaque, place, materials, dims),
        subtract={"reflection": (reference.digest(), "reflection")},
    )
    facts = {
        "before": place.first - place.reflection,
        "behind": place.transmission - place.last,
        "front_index": float(front_index.real),
        "opaque": opaque is not None or isinstance(back, PerfectConductor),
        "optical_path": optical_path(scene, lines[0], materials),
        "first": place.first,
        "last": place.last,
        "period": tuple(period),
        "components": field_components,
        "angle": float(scene.angle),
        "indices": {
            "reflected": [float(index_of(front, f, materials).real) for f in lines],
            "transmitted": []
            if opaque is not None or isinstance(back, PerfectConductor)
            else [float(index_of(back, f, materials).real) for f in lines],
        },
    }
    return {"reference": reference, "structure": structure}, facts


def _shortened(run: Run, cell: Vector, place: Place, dims: int) -> Run:
    """A reference in a cell of its own: as far from the source to the reflection plane, and no layers behind it."""
    return replace(
        run,
        cell=cell,
        sources=tuple(replace(source, center=at_place(dims, place.source)) for source in run.sources),
        monitors={
            name: replace(monitor, center=at_place(dims, place.reflection))
            for name, monitor in run.monitors.items()
        },
    )


def _onsets(wave: float, period: Sequence[float], indices: Sequence[float], f: float) -> float:
    """How far from `f` the nearest frequency is at which an order of this lateral wave vector begins to travel in one of the
    media: light there is slow, and a pulse without it ends soon."""
    most = [math.ceil((max(indices, default=1.0) * f + abs(wave)) * p) + 1 for p in period]
    if max(most, default=0) > MOST_ORDERS:
        return 0.0  # one begins near any frequency
    found = [
        math.hypot(
            wave + (orders[0] / period[0] if period else 0.0),
            orders[1] / period[1] if len(period) > 1 else 0.0,
        )
        for orders in itertools.product(*(range(-m, m + 1) for m in most))
    ]
    return min((abs(f - k / index) for k in found for index in indices if index > 0), default=math.inf)


def _polarisation(scene: UnitCell, dims: int) -> tuple[tuple[str, ...], str]:
    """The source's component in Meep's axes, and 'x' or 'y' in the scene's."""
    along = {"x": "x", "y": "y", "s": "y", "p": "x"}[scene.polarization]
    if dims == 2:
        return (("Ez",) if along == "y" else ("Hz",)), along
    if dims == 3 and along == "y":
        return ("Ey",), along
    return (("Hy",) if float(scene.angle) else ("Ex",)), along
