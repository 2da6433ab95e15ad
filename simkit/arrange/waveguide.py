"""A guide into one run of MPB: its cross-section in a supercell, modes at the wavelength and beside it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from simkit.arrange.extent import extent, finite, symmetric
from simkit.arrange.narrowest import coarsest, solids_of
from simkit.arrange.numerics import Arrangement, Needs, Numerics
from simkit.arrange.permittivity import dispersive, permittivity
from simkit.arrange.places import axes_of, ends
from simkit.describe.media import names_of_materials
from simkit.describe.scene import Quantity
from simkit.describe.waveguide import BeatLength, GroupIndex, GuidedProfile, Waveguide
from simkit.runs import BandsRun

PIXELS_PER_WAVELENGTH, PIXELS_PER_BODY = 16, {"2D": 12, "3D": 6}
CLADDING = 1.2  # vacuum wavelengths of it between the bodies and the supercell's edge
BESIDE = 2e-3  # relative step of frequency for the group index of dispersive media
LARGEST_LOSS = 1e-2
POLARISATION = {"Ez": "tm", "Hz": "te", "all": "all"}


def needs(scene: Waveguide, materials: Mapping[str, Any]) -> Needs:
    """Pixels per wavelength in the core and in the narrowest body, four in the narrowest gap; edges of blocks whole."""
    axes = _axes(scene)
    edges = {
        round(abs(v), 9)
        for body in scene.bodies
        for box in [extent([body])]
        for i in axes
        for v in box[i]
        if finite(v) and abs(v) > 0
    }
    core = limits(scene, materials)[1]
    finest = coarsest(
        solids_of(scene.bodies, axes), PIXELS_PER_BODY[scene.dimensions], background=scene.background
    )
    least = min(finest, 200 / float(scene.wavelength))
    return Needs(
        resolution=max(PIXELS_PER_WAVELENGTH * core / float(scene.wavelength), least),
        whole=tuple(sorted(edges)),
    )


def arrange(
    scene: Waveguide, quantities: Sequence[Quantity], numerics: Numerics, materials: Mapping[str, Any]
) -> Arrangement:
    """Run 'modes'. facts: cladding and core index, and whether group indices come from frequencies beside the wavelength."""
    low, high = limits(scene, materials)
    f, axes, pixel = 1 / float(scene.wavelength), _axes(scene), 1 / numerics.resolution
    if scene.dimensions == "3D" and scene.polarization != "all" and not symmetric(scene.bodies, 2):
        raise ValueError(
            f"waveguide {scene.id} is not symmetric about z = 0, so its modes are mixed; polarization='all'"
        )
    sides = [0.0, 0.0, 0.0]
    for i in axes:
        bounds = [abs(v) for body in scene.bodies for v in extent([body])[i] if finite(v)]
        half = max(bounds, default=0.0) + CLADDING * float(scene.wavelength) * numerics.padding
        sides[i] = 2 * math.ceil(half / pixel) * pixel
    shown = [q for q in quantities if isinstance(q, GuidedProfile)]
    poles = any(dispersive(m, materials) for m in _media(scene))
    wanted = any(isinstance(q, GroupIndex) for q in quantities)
    at = (f * (1 - BESIDE), f, f * (1 + BESIDE)) if wanted and poles else (f,)
    for q in shown:
        if any(i not in axes or abs(point[i]) > sides[i] / 2 for i in axes_of(q) for point in ends(q)):
            raise ValueError(
                f"profile {q.id}: it leaves the cross-section that is computed, {sides[1]:.4g} along y"
                + (f", {sides[2]:.4g} along z" if 2 in axes else "")
            )
    count = max(q.second if isinstance(q, BeatLength) else q.mode for q in quantities)  # type: ignore[attr-defined]
    plain = scene.model_dump(mode="json")
    run = BandsRun(
        lattice=((1.0, 0.0, 0.0), (0.0, sides[1] or 1.0, 0.0), (0.0, 0.0, sides[2] or 1.0)),
        size=(0.0, 1.0 if 1 in axes else 0.0, 1.0 if 2 in axes else 0.0),
        geometry=tuple(plain["bodies"]),
        count=count,
        polarisation=POLARISATION[scene.polarization],
        resolution=numerics.resolution,
        find_k_at=at,
        fields_of=tuple(sorted({q.mode for q in shown})),
        k_range=(f * (low + high) / 2, f * low * 0.9, f * high * 1.02),
        background=plain["background"],
        materials={name: materials[name] for name in sorted(names_of_materials(plain))},
    )
    return Arrangement(
        {"modes": run},
        {
            "cladding": low,
            "core": high,
            "beside": len(at) > 1,
            "samples": numerics.samples,
            "longest": float(scene.wavelength) / low,
        },
    )


def limits(scene: Waveguide, materials: Mapping[str, Any]) -> tuple[float, float]:
    """(cladding, core): the highest index far away, where light would leak, and the highest of all.

    Raises ValueError for metals and absorbing media, and where no medium is denser than what is far away.
    """
    f = 1 / float(scene.wavelength)
    for medium in _media(scene):
        eps = permittivity(medium, f, materials)
        if eps.real <= 0 or abs(eps.imag) > LARGEST_LOSS * abs(eps):
            raise ValueError(
                f"waveguide {scene.id}: modes are those of lossless dielectrics; a medium has epsilon "
                f"{eps:.4g}"
            )
    outside = [scene.background]
    for body in scene.bodies:
        if any(not finite(v) for i in _axes(scene) for v in extent([body])[i]):
            outside.append(body.body.medium if body.type == "repeat" else body.medium)
    low = max(math.sqrt(permittivity(medium, f, materials).real) for medium in outside)
    high = max(math.sqrt(permittivity(medium, f, materials).real) for medium in _media(scene))
    if not high > low:
        raise ValueError(
            f"waveguide {scene.id} guides nothing: its densest medium ({high:.4g}) reaches to infinity"
        )
    return low, high


def _axes(scene: Waveguide) -> tuple[int, ...]:
    return (1,) if scene.dimensions == "2D" else (1, 2)


def _media(scene: Waveguide) -> list[Any]:
    shapes = [body.body if body.type == "repeat" else body for body in scene.bodies]
    return [
        scene.background,
        *(m for s in shapes for m in (s.medium, getattr(s, "filling", None)) if m is not None),
    ]
