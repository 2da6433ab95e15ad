"""Light from far away onto the films around a dipole, which tells what the dipole sends to where that light comes from.

By reciprocity (H. A. Lorentz; L. Novotny, B. Hecht, "Principles of Nano-Optics", chapters 2 and 10) the field of a plane wave from
a half-space, taken along the dipole at its place, is the amplitude that the dipole radiates into the wave's direction. Each angle and
polarisation is a pair of runs of a unit cell of plain films, so that no cell has an end sideways, and guided waves cost nothing.
Fields are kept along all of the dipole's own layer: a sweep over its height solves nothing again.

Near the critical angle and near the films light travels along them and takes its time to leave; there is no run. The field is an
analytic function of w = q + q' (normal wavenumbers in both half-spaces, on either side of the critical angle), which goes on between
the angles that were solved, and vanishes with q.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from simkit.arrange.cell_fields import height
from simkit.arrange.extent import extent, finite
from simkit.arrange.numerics import Numerics
from simkit.arrange.permittivity import LOSSLESS_TANGENT, permittivity
from simkit.arrange.unit_cell import pair
from simkit.describe.emitter import ConeShare, Emitter, HalfSpacePattern
from simkit.describe.media import AnyMedium, PerfectConductor
from simkit.describe.scene import Quantity
from simkit.describe.unit_cell import Film, UnitCell
from simkit.runs import Monitor, Run

ANGLES, A_WAVELENGTH, SAMPLES = (
    19,
    6,
    101,
)  # angles; more of them for each wavelength of films; at that many samples of a band
# Least normal wavenumber of light that is solved, over that of free space: absorbers throw back 1e-15 to its power (of 0.2 with what
# that makes of the field 3 % were missing). Least cosine; least share of 1 - (sin / sin of the critical angle)^2.
LEAST, FLAT, BESIDE = 0.35, 0.2, 0.09
UPRIGHT = 0.6  # normal wavenumber over that of free space below which absorbers grow
OF_ONSET, BROADEST = (
    1.2,
    0.3,
)  # width of a pulse over the distance to where light travels along the films, and over its frequency
FINE = 4000  # steps in which the way of w is measured
NEAR = 1e-9


@dataclass(frozen=True)
class Layered:
    """Plane films: media from low to high along `axis`, one more than faces; own: number of the dipole's."""

    axis: int
    faces: tuple[float, ...]
    media: tuple[AnyMedium, ...]
    own: int

    def front(self, side: str) -> AnyMedium:
        """The half-space on a side ('-z')."""
        return self.media[-1 if side[0] == "+" else 0]


def layered(scene: Emitter) -> Layered:
    """The scene as films. Raises ValueError where it is none, or the dipole touches a face."""
    bounded = {i for body in scene.bodies for i, pair in enumerate(extent([body])) if any(map(finite, pair))}
    if scene.dimensions != "3D" or len(bounded) != 1 or any(body.type != "block" for body in scene.bodies):
        raise ValueError(
            f"emitter {scene.id}: a pattern or share of a half-space is for plane films in 3D, blocks that are all bounded along "
            "the same single axis; among finite bodies there is RadiationPattern"
        )
    (axis,) = bounded
    ends = sorted({v for body in scene.bodies for v in extent([body])[axis] if finite(v)})
    places = [ends[0] - 1, *((a + b) / 2 for a, b in zip(ends, ends[1:], strict=False)), ends[-1] + 1]
    media = [_medium(scene, axis, place) for place in places]
    if any(isinstance(getattr(medium, "epsilon", None), tuple) for medium in media):
        raise ValueError(f"emitter {scene.id}: half-space patterns are for isotropic films")
    faces = [end for end, one, other in zip(ends, media, media[1:], strict=False) if one != other]
    kept = [media[0], *(other for one, other in zip(media, media[1:], strict=False) if one != other)]
    at = float(scene.position[axis])
    if not faces:
        raise ValueError(
            f"emitter {scene.id}: all is of one medium; the dipole's own pattern is a RadiationPattern"
        )
    if any(abs(at - face) < NEAR for face in faces):
        raise ValueError(
            f"emitter {scene.id}: the dipole lies on a face; which medium is it in? Put it there, however near"
        )
    return Layered(axis, tuple(faces), tuple(kept), sum(face < at for face in faces))


def _medium(scene: Emitter, axis: int, place: float) -> AnyMedium:
    found = scene.background
    for body in scene.bodies:
        low, high = extent([body])[axis]
        found = body.medium if low <= place <= high else found  # type: ignore[union-attr]
    return found


def sides_of(
    scene: Emitter, films: Layered, quantity: Quantity, materials: Mapping[str, Any]
) -> tuple[str, ...]:
    """The half-spaces that a quantity needs: its own, and where all radiated power counts the other one, if light gets far there.
    Raises ValueError: a side along the films, an absorbing one, a dipole in an absorbing film."""
    assert isinstance(quantity, (HalfSpacePattern, ConeShare))
    axis = "xyz"[films.axis]
    if quantity.side[1] != axis:
        raise ValueError(
            f"{quantity.id}: the half-spaces of {scene.id} are -{axis} and +{axis}, not {quantity.side}"
        )
    f = scene.band.frequencies()[0]
    if not clear(films.front(quantity.side), f, materials):
        raise ValueError(
            f"{quantity.id}: in the half-space on {quantity.side} of {scene.id} no light gets far: it absorbs"
        )
    if not clear(films.media[films.own], f, materials):
        raise ValueError(
            f"{quantity.id}: the dipole of {scene.id} lies in an absorbing film, which takes any power from it"
        )
    other = ("-" if quantity.side[0] == "+" else "+") + axis
    both = (
        isinstance(quantity, ConeShare)
        and quantity.over == "radiated"
        and clear(films.front(other), f, materials)
    )
    return (quantity.side, other) if both else (quantity.side,)


def clear(medium: AnyMedium, f: float, materials: Mapping[str, Any]) -> bool:
    """Whether light gets far in it."""
    eps = permittivity(medium, f, materials)
    return eps.real > 0 and abs(eps.imag) <= LOSSLESS_TANGENT * eps.real


def way(sine: float, front: float, back: complex) -> complex:
    """w: normal wavenumbers over that of free space, of light at an angle in the front half-space (index) and behind the films
    (permittivity; of an ideal metal without any)."""
    q = front * math.sqrt(max(0.0, 1 - sine**2))
    if not cmath.isfinite(back):
        return complex(q)
    behind = cmath.sqrt(back - (front * sine) ** 2)
    return q + (-behind if behind.imag < 0 else behind)


def critical(front: float, back: complex) -> float | None:
    """The angle beyond which nothing travels behind the films, radian; None where there is none."""
    index = (
        cmath.sqrt(back).real
        if cmath.isfinite(back) and abs(back.imag) <= LOSSLESS_TANGENT * abs(back)
        else 0.0
    )
    return math.asin(index / front) if 0 < index < front * (1 - NEAR) else None


def solved_at(front: float, back: complex, count: int) -> tuple[float, ...]:
    """Angles at which light is solved, ascending from 0: close at both ends of the way of w, none too near the critical angle."""
    steepest = math.acos(min(0.9, max(FLAT, LEAST / front)))
    fine = [steepest * i / FINE for i in range(FINE + 1)]
    points = [way(math.sin(angle), front, back) for angle in fine]
    gone = [0.0]
    for one, other in zip(points, points[1:], strict=False):
        gone.append(gone[-1] + abs(other - one))
    edge = critical(front, back)
    good = [
        i
        for i, angle in enumerate(fine)
        if edge is None or abs(1 - (math.sin(angle) / math.sin(edge)) ** 2) >= BESIDE
    ]
    found = set()
    for number in range(count):
        wanted = gone[-1] * (1 - math.cos(math.pi * number / (count - 1))) / 2
        found.add(min(good, key=lambda i: abs(gone[i] - wanted)))
    return tuple(fine[i] for i in sorted(found))


def half_space_runs(
    scene: Emitter, films: Layered, sides: Sequence[str], numerics: Numerics, materials: Mapping[str, Any]
) -> tuple[dict[str, Run], dict[str, Any]]:
    """Runs 'SIDE POLARISATION NUMBER' and the same with 'alone' (the light without films), and facts of each side."""
    f = scene.band.frequencies()[0]
    runs: dict[str, Run] = {}
    facts: dict[str, Any] = {}
    at, cell, added = _cell(scene, films, f)
    bounds = _bounds(cell, films)
    polarizations = ("p",) if scene.orientation == "xyz"[films.axis] else ("s", "p")
    for side in sides:
        other = ("-" if side[0] == "+" else "+") + side[1]
        front = cmath.sqrt(permittivity(films.front(side), f, materials)).real
        back = permittivity(films.front(other), f, materials)
        first = films.own == (len(films.media) - 1 if side[0] == "+" else 0)
        optical = _optical(films, scene, f, materials, side)
        count = math.ceil((ANGLES + A_WAVELENGTH * optical) * max(numerics.samples - 1, 1) / (SAMPLES - 1))
        angles = solved_at(front, back, max(count, 5))
        told: list[dict[str, float]] = []
        for number, angle in enumerate(angles):
            upright = front * math.cos(angle)
            behind = abs(way(math.sin(angle), front, back) - upright) if cmath.isfinite(back) else upright
            more = replace(numerics, absorber=numerics.absorber * max(1.0, UPRIGHT / min(upright, behind)))
            onset = min(abs(1 - front * math.sin(angle) / n) for n in (front, _index(back)) if n > 0)
            places: dict[str, float] = {}
            for polarization in polarizations:
                own = cell.model_copy(
                    update={
                        "light_from": "above" if side[0] == "+" else "below",
                        "angle": angle,
                        "polarization": polarization,
                    }
                )
                both, known = pair(own, (), more, materials, (f,), f)
                both = {called: _turned(run, front * math.sin(angle), f) for called, run in both.items()}
                low, high = sorted(height(own, known, z) for z in bounds)
                places = {
                    "at": height(own, known, at),
                    "low": low,
                    "high": high,
                    "arrived": on_grid(both["reference"], front * math.cos(angle), f)
                    * (known["before"] + (added if first else 0.0)),
                }
                name = f"{side} {polarization} {number}"
                runs |= _kept(name, both, polarization, (low, high), min(OF_ONSET * onset, BROADEST) * f)
            told.append(places)
        facts[side] = {
            "angles": angles,
            "front": front,
            "back": back,
            "own": permittivity(films.media[films.own], f, materials),
            "alone": cmath.sqrt(permittivity(scene.background, f, materials)).real,
            "frequency": f,
            "first": first,
            "beyond": _beyond(films, scene)
            if films.own == (0 if side[0] == "+" else len(films.media) - 1)
            else None,
            "places": told,
        }
    return runs, {"half_spaces": facts}


def _index(eps: complex) -> float:
    return cmath.sqrt(eps).real if cmath.isfinite(eps) and eps.real > 0 else 0.0


def _beyond(films: Layered, scene: Emitter) -> float:
    """Distance of a dipole in a half-space from the films."""
    at = float(scene.position[films.axis])
    return films.faces[0] - at if films.own == 0 else at - films.faces[-1]


def _optical(films: Layered, scene: Emitter, f: float, materials: Mapping[str, Any], side: str) -> float:
    """Wavelengths of films, and of the way from them to a dipole on this side, whose field goes to and fro."""
    thick = [high - low for low, high in zip(films.faces, films.faces[1:], strict=False)]
    total = sum(
        t * abs(cmath.sqrt(permittivity(m, f, materials)).real)
        for t, m in zip(thick, films.media[1:-1], strict=True)
        if not isinstance(m, PerfectConductor)
    )
    if films.own == (len(films.media) - 1 if side[0] == "+" else 0):
        total += 2 * _beyond(films, scene) * cmath.sqrt(permittivity(films.front(side), f, materials)).real
    return total * f


def _cell(scene: Emitter, films: Layered, f: float) -> tuple[float, UnitCell, float]:
    """(the dipole's height in it, the films as a unit cell, what is added). A dipole in a half-space lies in a film of it as thick
    as the next whole wavelengths, so that nearby heights share their runs."""
    faces, media, added = list(films.faces), list(films.media), 0.0
    if films.own in (0, len(films.media) - 1):
        added = (math.floor(_beyond(films, scene) * f) + 1) / f
        if films.own == 0:
            faces, media = [faces[0] - added, *faces], [media[0], *media]
        else:
            faces, media = [*faces, faces[-1] + added], [*media, media[-1]]
    layers = tuple(
        Film.model_construct(medium=medium, thickness=high - low)
        for low, high, medium in zip(faces, faces[1:], media[1:-1], strict=False)
    )
    cell = UnitCell.model_construct(
        id=scene.id,
        below=media[0],
        layers=layers,
        above=media[-1],
        light_from="below",
        polarization="s",
        band=scene.band,
    )
    return float(scene.position[films.axis]) - faces[0], cell, added


def _bounds(cell: UnitCell, films: Layered) -> tuple[float, float]:
    """Heights of the faces of the dipole's own layer in the cell."""
    own = max(films.own - 1, 0)
    thick = [float(layer.thickness) for layer in cell.layers]  # type: ignore[union-attr]
    return sum(thick[:own]), sum(thick[: own + 1])


def on_grid(run: Run, index: float, f: float) -> float:
    """The wavenumber (1/unit) along an axis with which a run's grid carries a wave of this index along it (of n cos, n sin), so that
    its angle is the same in all media as without a grid."""
    pixel, step = 1 / run.resolution, run.courant / run.resolution
    return math.asin(pixel * index * math.sin(math.pi * f * step) / step) / (math.pi * pixel)


def _turned(run: Run, index: float, f: float) -> Run:
    """With the lateral wavenumber of the grid: with that of free space a wave at 78 degrees went at 74 on 13 pixels a wavelength."""
    wave = (on_grid(run, index, f), 0.0, 0.0)
    return replace(
        run, bloch=wave, sources=tuple(replace(source, wave_vector=wave) for source in run.sources)
    )


def _kept(
    name: str, both: Mapping[str, Run], polarization: str, line: tuple[float, float], width: float
) -> dict[str, Run]:
    """A pair of runs with what is kept of them."""
    out = {}
    for run, called in ((both["reference"], f"{name} alone"), (both["structure"], name)):
        plane = run.monitors["reflection"]
        monitor = (
            replace(plane, kind="fields", components=("Ez",) if polarization == "s" else ("Hz",))
            if run is both["reference"]
            else Monitor(
                "fields",
                (0.0, (line[0] + line[1]) / 2, 0.0),
                (0.0, line[1] - line[0], 0.0),
                plane.frequencies,
                components=("Ez",) if polarization == "s" else ("Ex", "Hz"),
            )
        )
        sources = tuple(replace(source, width=width) for source in run.sources)
        out[called] = replace(run, monitors={"field": monitor}, sources=sources, subtract={})
    return out
