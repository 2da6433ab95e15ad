"""A guide of metal or absorbing films into runs in which one mode rings at a real wave vector, in a cell two pixels long.

Where a mode is looked for is found first (film_modes.py). Its complex frequency at a few wave vectors about the wanted one is an analytic
function of the wave vector; where that function is the real frequency of the light, its argument is the complex wave vector of the mode
(tasks/reproduce/measuring/damped_guide.py). Against exact f(k) of plasmons and absorbing slabs (silver near its surface resonance, gaps
and films of it, Q 5 to 2,600) three wave vectors are right within 5e-4 of the loss from a Q of 200 on, five within 1e-3 down to 12; what
is less sure shows in how far three of the five agree with them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from simkit.arrange.damped_cell import PROBES, Guide, ringing, rounded
from simkit.arrange.extent import finite
from simkit.arrange.film_modes import STEP, FilmMode, Films, film_modes
from simkit.arrange.numerics import Arrangement, Needs, Numerics
from simkit.arrange.permittivity import dispersive, permittivity
from simkit.describe.media import names_of_materials
from simkit.describe.scene import Quantity
from simkit.describe.waveguide import Attenuation, BeatLength, GuidedProfile, PropagationLength, Waveguide
from simkit.runs import Run

E_ALONG = {"Ez": "z", "Hz": "xy"}
LARGEST_LOSS = 1e-2  # of the permittivity, of media whose modes are those of the lossless guide
OF_LOSS = (PropagationLength, Attenuation)
PIXELS_PER_WAVELENGTH = 12  # in a medium, as if a metal's permittivity were positive: two in its skin depth
PIXELS_PER_FILM = 4
LEAST_Q, CLEAR_Q, MOST_Q = 8.0, 200.0, 1e6
FEW, MANY, NEAR_K, LEAST_SPREAD = (
    3,
    5,
    0.01,
    0.02,
)  # wave vectors, and their relative distance from the middle one
LIGHT_LINE = 0.5  # of the way to where a mode would be bound no more


def is_damped(scene: Waveguide, materials: Mapping[str, Any]) -> bool:
    """Whether a medium is a metal or absorbs more than a lossless guide may have of it, at the wavelength."""
    f = 1 / float(scene.wavelength)
    axes = E_ALONG[scene.polarization] if scene.dimensions == "2D" else "xyz"
    return any(
        eps.real <= 0 or abs(eps.imag) > LARGEST_LOSS * abs(eps)
        for medium in media_of(scene)
        for eps in (permittivity(medium, f, materials, axis) for axis in axes)
    )


def media_of(scene: Waveguide) -> list[Any]:
    """The background, and what bodies are made of and filled with."""
    shapes = [body.body if body.type == "repeat" else body for body in scene.bodies]
    return [
        scene.background,
        *(m for s in shapes for m in (s.medium, getattr(s, "filling", None)) if m is not None),
    ]


def films_of(scene: Waveguide) -> tuple[list[Any], list[float]]:
    """Media from below to above, half-spaces first and last, and the faces between them. Raises ValueError: no plane films."""
    for body in scene.bodies:
        name = body.body.id if body.type == "repeat" else body.id
        if body.type != "block" or any(finite(float(v)) for pair in (body.x, body.z) for v in pair):
            raise ValueError(
                f"waveguide {scene.id}: modes that lose power are those of plane films; body {name} is no block that is bounded "
                "along y alone"
            )
    nothing = f"waveguide {scene.id} guides nothing: it is one medium everywhere"
    cuts = sorted({float(v) for body in scene.bodies for v in body.y if finite(float(v))})  # type: ignore[union-attr]
    if not cuts:
        raise ValueError(nothing)
    places = [cuts[0] - 1, *((a + b) / 2 for a, b in zip(cuts, cuts[1:], strict=False)), cuts[-1] + 1]
    media = [scene.background for _ in places]
    for number, place in enumerate(places):
        for body in scene.bodies:
            if float(body.y[0]) <= place <= float(body.y[1]):  # type: ignore[union-attr]
                media[number] = body.medium  # type: ignore[union-attr]
    same = [number for number in range(len(cuts)) if media[number] == media[number + 1]]
    if len(same) == len(cuts):
        raise ValueError(nothing)
    return (
        [medium for number, medium in enumerate(media) if number not in same],
        [cut for number, cut in enumerate(cuts) if number not in same],
    )


def needs(scene: Waveguide, materials: Mapping[str, Any]) -> Needs:
    """Pixels per wavelength in the densest medium and per skin depth, four in the thinnest film; films whole."""
    media, faces = films_of(scene)
    f, axes = 1 / float(scene.wavelength), E_ALONG[scene.polarization]
    most = max(abs(permittivity(medium, f, materials, axis)) for medium in media for axis in axes)
    thick = [round(b - a, 9) for a, b in zip(faces, faces[1:], strict=False)]
    finest = max((PIXELS_PER_FILM / d for d in thick), default=0.0)
    return Needs(
        resolution=max(PIXELS_PER_WAVELENGTH * math.sqrt(max(most, 1.0)) * f, finest),
        whole=tuple(sorted(set(thick))),
        alone=True,
    )


def arrange(
    scene: Waveguide, quantities: Sequence[Quantity], numerics: Numerics, materials: Mapping[str, Any]
) -> Arrangement:
    """Runs 'mode_<m>_<n>', one for each wave vector of each mode that is asked for.

    facts: `damped`, by number of mode what is looked for (index, frequency, wave vectors, runs) or `why` there is nothing; `guided`,
    the effective indices of all.
    """
    media, faces = films_of(scene)
    films = _films(scene, media, faces, materials)
    found = film_modes(films)
    wanted = sorted({number for q in quantities for number in _modes_of(q)})
    plain, used = scene.model_dump(mode="json"), [m.model_dump(mode="json") for m in media]
    guide = Guide(
        films,
        tuple(used),
        "absorber" if any(dispersive(media[side], materials) for side in (0, -1)) else "pml",
        {name: materials[name] for name in sorted(names_of_materials(plain))},
    )
    runs: dict[str, Run] = {}
    damped: dict[str, dict[str, Any]] = {}
    for number in wanted:
        shown = [q for q in quantities if isinstance(q, GuidedProfile) and q.mode == number]
        damped[str(number)] = about = _looked_for(number, found, films)
        for at, name in enumerate(about.get("runs", ())):
            runs[name] = ringing(
                guide, found, number, (about["k"][at], complex(*about["frequency"][at])), shown, numerics
            )
    return Arrangement(
        runs,
        {
            "damped": damped,
            "guided": [[mode.index.real, mode.index.imag] for mode in found],
            "probes": [f"probe_{n}" for n in range(PROBES)],
            "samples": numerics.samples,
            "lowest": faces[0],
        },
    )


def _modes_of(quantity: Any) -> tuple[int, ...]:
    return (quantity.first, quantity.second) if isinstance(quantity, BeatLength) else (quantity.mode,)


def _films(
    scene: Waveguide, media: Sequence[Any], faces: Sequence[float], materials: Mapping[str, Any]
) -> Films:
    f = 1 / float(scene.wavelength)

    def at(frequency: float) -> tuple[tuple[complex, complex, complex], ...]:
        return tuple(tuple(permittivity(m, frequency, materials, axis) for axis in "xyz") for m in media)  # type: ignore[misc]

    return Films(f, scene.polarization, at(f), at(f * (1 - STEP)), at(f * (1 + STEP)), tuple(faces))


def _looked_for(number: int, found: Sequence[FilmMode], films: Films) -> dict[str, Any]:
    """Wave vectors of a mode's runs with the complex frequencies that it should have there, or why there is none."""
    told = ", ".join(f"{mode.index.real:.5g}{mode.index.imag:+.2g}i" for mode in found[:8]) or "none"
    if number > len(found):
        return {"why": f"mode {number} is not guided", "found": f"effective indices {told}"}
    index, group = found[number - 1].index, found[number - 1].group
    f, cladding = films.frequency, films.cladding
    quality = group.real / (2 * index.imag) if index.imag > 0 else math.inf
    about = {"index": [index.real, index.imag], "q": min(quality, 1e300)}
    if group.real <= 0 or quality < LEAST_Q:
        return {
            **about,
            "why": f"mode {number} loses its power too fast for a wave vector that is real: "
            + ("its light runs backwards" if group.real <= 0 else f"its Q there is {quality:.2g}"),
            "found": f"effective index about {index.real:.5g}{index.imag:+.3g}i",
            "allowed": f"a Q of {LEAST_Q:g} or more",
        }
    if quality > MOST_Q:
        return {
            **about,
            "lossless": True,
            "why": f"mode {number} loses nothing that could be seen",
            "found": f"Im n about {index.imag:.2g}",
        }
    few = quality >= CLEAR_Q
    spread = NEAR_K if few else max(LEAST_SPREAD, index.imag / index.real)
    slower = abs(1 - index.real / group.real)  # relative change of the index over that of the wave vector
    if slower > 0:
        spread = min(spread, LIGHT_LINE * (1 - cladding / index.real) / slower)
    count = FEW if few else MANY
    shares = [-math.cos(math.pi * n / (count - 1)) for n in range(count)]
    k = [rounded(index.real * f * (1 + spread * share)) for share in shares]
    at = [f + (one - index * f) / group for one in k]
    return {
        **about,
        "k": k,
        "frequency": [[rounded(one.real), rounded(one.imag)] for one in at],
        "runs": [f"mode_{number}_{n}" for n in range(count)],
    }
