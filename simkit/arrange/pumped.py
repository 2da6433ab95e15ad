"""Strong light on plain films: a steady wave of a stated intensity, recorded in time before and behind the films.

The current's amplitude is what gives the incident wave its intensity on this very grid (Yee's scheme in one dimension, solved
exactly); the cell without films checks it. Fields are in V/um, as chi2 (um/V) and chi3 (um^2/V^2) are: an intensity in base
units is the square of the amplitude that it has in vacuum. Runs 'clear' (no films), 'weak' (no chi), 'pump_<n>'.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from simkit.arrange.cell_layout import (
    at_place,
    axis_of,
    dimensions,
    drawn,
    films_of,
    opaque_depth,
    placed,
    plain,
    room,
    vector,
)
from simkit.arrange.numerics import Numerics
from simkit.arrange.permittivity import dispersive, index_of
from simkit.describe.media import Medium, PerfectConductor, names_of_materials
from simkit.describe.unit_cell import HarmonicEfficiency, KerrPhase, UnitCell
from simkit.runs import Layer, Monitor, Run, Source, Stop

RAMP, RAMPS = 4.0, 14.0  # periods of the switch-on's scale; in which it is over (1e-8)
TRANSITS = 12.0  # of the cell, until nothing changes any more
WINDOW = 24.0  # periods that are looked at
TIME_ONLY = 1e-9
STRONGEST = (
    0.1  # change of permittivity by the incident field, relative: beyond it Meep's step is a poor root (1e-3)
)


def pump_runs(
    scene: UnitCell,
    quantities: Sequence[HarmonicEfficiency | KerrPhase],
    numerics: Numerics,
    materials: Mapping[str, Any],
) -> tuple[dict[str, Run], dict[str, Any]]:
    """Runs by name; facts: frequency, window, run of each quantity, indices of both sides by harmonic, amplitude of each run.

    Raises ValueError for what is not expressible: patterns, an angle, loss or chi where the light comes from.
    """
    _plain_films(scene, quantities, materials)
    f, _ = scene.band.frequencies()
    layers = tuple(scene.layers if scene.light_from == "below" else reversed(scene.layers))
    front, back = (scene.below, scene.above) if scene.light_from == "below" else (scene.above, scene.below)
    opaque = opaque_depth(back, f, f, materials)
    free, pml = room(scene, None, numerics.resolution, materials)
    around = free / f * numerics.padding, pml / f * numerics.absorber
    cell, place = placed(scene, layers, opaque, numerics, around, 1)
    n = index_of(front, f, materials).real
    highest = max([1, *(q.harmonic for q in quantities if isinstance(q, HarmonicEfficiency))]) * f
    look = Monitor(
        "ringdown", at_place(1, place.reflection), (0.0, 0.0, 0.0), (f, highest), components=("Ex",)
    )
    monitors = {"reflected": look, "transmitted": replace(look, center=at_place(1, place.transmission))}
    way = cell[2] * max(
        [
            n,
            *(
                abs(index_of(film.medium, f, materials).real)
                for film in films_of(scene)
                if not isinstance(film.medium, PerfectConductor)
            ),
            _index(back, f, materials),
        ]
    )
    begin = (RAMP * RAMPS / f + TRANSITS * way) * numerics.run_time
    steady = Run(
        dimensions="1D",
        cell=cell,
        resolution=numerics.resolution,
        layers=(Layer("pml", axis_of(1), around[1]),),
        geometry=(),
        monitors=monitors,
        sources=(Source("continuous", "Ex", at_place(1, place.source), vector(1, 0.0, ()), f, f / RAMP),),
        stop=Stop("time", TIME_ONLY, begin + WINDOW / f, 0.0),
        background=plain(front),
        bloch=(0.0, 0.0, 0.0),
        materials={
            name: materials[name] for name in sorted(names_of_materials(scene.model_dump(mode="json")))
        },
    )
    structure = drawn(steady, scene, layers, front, back, opaque, place, materials, 1)
    runs, run_of, amplitudes = {"clear": steady}, {}, {"clear": 1.0}
    if any(isinstance(q, KerrPhase) for q in quantities):
        runs["weak"], amplitudes["weak"] = _without_chi(structure), 1.0
    for intensity in sorted({float(q.intensity) for q in quantities}):
        name, amplitude = f"pump_{len(runs)}", math.sqrt(intensity / n)
        _not_too_strong(scene, amplitude, materials)
        runs[name], amplitudes[name] = structure, amplitude
        run_of |= {q.id: name for q in quantities if float(q.intensity) == intensity}
    by = current(f, n, numerics.resolution, steady.courant)
    runs = {
        name: replace(run, sources=tuple(replace(s, amplitude=amplitudes[name] * by) for s in run.sources))
        for name, run in runs.items()
    }
    dark = opaque is not None or isinstance(back, PerfectConductor)
    indices = {
        str(h): {
            "reflected": index_of(front, h * f, materials).real,
            "transmitted": 0.0 if dark else index_of(back, h * f, materials).real,
        }
        for h in {1, *(q.harmonic for q in quantities if isinstance(q, HarmonicEfficiency))}
    }
    return runs, {"run": run_of, "frequency": f, "begin": begin, "amplitude": amplitudes, "indices": indices}


def current(f: float, n: float, resolution: float, courant: float) -> float:
    """The amplitude of a current on one node that radiates waves of amplitude 1 on this grid: 2 sin(k dz) / (Omega dz)."""
    pixel = 1 / resolution
    omega = 2 * math.sin(math.pi * f * courant * pixel) / (courant * pixel)
    k = 2 * math.asin(n * omega * pixel / 2) / pixel
    return 2 * math.sin(k * pixel) / (omega * pixel)


def chi_of(medium: Any, materials: Mapping[str, Any]) -> tuple[float, float]:
    """chi2 and chi3 of a medium along x, in um/V and um^2/V^2."""
    if isinstance(medium, PerfectConductor):
        return 0.0, 0.0
    if medium.material is None:
        return float(medium.chi2), float(medium.chi3)
    entry = materials.get(medium.material, {})
    first = [entry.get(name) or (0.0,) for name in ("chi2", "chi3")]
    return float(first[0][0]), float(first[1][0])


def _plain_films(scene: UnitCell, quantities: Sequence[Any], materials: Mapping[str, Any]) -> None:
    names = ", ".join(q.id for q in quantities)
    if dimensions(scene) > 1 or float(scene.angle):
        raise ValueError(
            f"{names}: strong light is computed on plain films at normal incidence; {scene.id} has a period or an "
            "angle"
        )
    for side in (scene.below, scene.above):
        if any(chi_of(side, materials)):
            raise ValueError(
                f"{names}: a half-space of {scene.id} is nonlinear, so its light never settles; make it a film"
            )
    front = scene.below if scene.light_from == "below" else scene.above
    if dispersive(front, materials) or index_of(front, scene.band.frequencies()[0], materials).imag:
        raise ValueError(f"{names}: the light of {scene.id} comes through a medium with loss or poles")
    for film in films_of(scene):
        if isinstance(film.medium, Medium) and isinstance(film.medium.epsilon, tuple):
            raise ValueError(f"{names}: an anisotropic film of {scene.id} is not computed with strong light")


def _not_too_strong(scene: UnitCell, amplitude: float, materials: Mapping[str, Any]) -> None:
    f = scene.band.frequencies()[0]
    for film in films_of(scene):
        chi2, chi3 = chi_of(film.medium, materials)
        if not (chi2 or chi3):
            continue
        change = (abs(chi2) * amplitude + abs(chi3) * amplitude**2) / abs(
            index_of(film.medium, f, materials)
        ) ** 2
        if change > STRONGEST:
            raise ValueError(
                f"the light on {scene.id} ({amplitude:.3g} V/um) changes a film's permittivity by {change:.2g} of "
                f"itself; up to {STRONGEST:g} is computed. Check the units of intensity, chi2 and chi3"
            )


def _index(medium: Any, f: float, materials: Mapping[str, Any]) -> float:
    return 1.0 if isinstance(medium, PerfectConductor) else abs(index_of(medium, f, materials).real)


def _without_chi(run: Run) -> Run:
    def weak(entry: Mapping[str, Any]) -> dict[str, Any]:
        return {key: value for key, value in entry.items() if key not in ("chi2", "chi3")}

    return replace(
        run,
        stack=tuple((weak(medium), low, high) for medium, low, high in run.stack),
        materials={name: weak(entry) for name, entry in run.materials.items()},
    )
