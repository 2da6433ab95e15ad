"""A guide into one run of MPB: its cross-section or one period in a supercell, modes at the wavelength and beside it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from simkit.arrange import damped_guide
from simkit.arrange.damped_guide import E_ALONG, LARGEST_LOSS, OF_LOSS, is_damped
from simkit.arrange.damped_guide import media_of as _media
from simkit.arrange.extent import extent, finite, symmetric
from simkit.arrange.narrowest import coarsest, solids_of
from simkit.arrange.numerics import Arrangement, Needs, Numerics
from simkit.arrange.permittivity import dispersive, permittivity
from simkit.arrange.places import axes_of, ends
from simkit.describe.media import names_of_materials
from simkit.describe.scene import Quantity
from simkit.describe.waveguide import BeatLength, GroupIndex, GuidedProfile, Waveguide
from simkit.runs import BandsRun

PIXELS_PER_WAVELENGTH, PIXELS_PER_BODY, PIXELS_PER_PART = (
    16,
    {"2D": 12, "3D": 6},
    6,
)  # of a period, as of a crystal
CLADDING = 1.2  # vacuum wavelengths of it between the bodies and the supercell's edge
BESIDE = 2e-3  # relative step of frequency for the group index of dispersive media
POLARISATION = {"Ez": "tm", "Hz": "te", "all": "all"}


def needs(scene: Waveguide, materials: Mapping[str, Any]) -> Needs:
    """Pixels per wavelength in the core and in the narrowest body, four in the narrowest gap; edges of blocks whole, and periods.

    Of a guide in a crystal these alone: its edges are those of many bodies.
    """
    if _loses(scene, materials):
        return damped_guide.needs(scene, materials)
    axes, repeated = _axes(scene), _repeated(scene)
    edges = {
        round(abs(v), 9)
        for body in scene.bodies
        for box in [extent([body])]
        for i in axes
        for v in box[i]
        if finite(v) and abs(v) > 0 and scene.supercell is None
    }
    core = limits(scene, materials)[1]
    finest = coarsest(
        solids_of(scene.bodies, (0, *axes) if repeated else axes),
        PIXELS_PER_PART if repeated else PIXELS_PER_BODY[scene.dimensions],
        [tuple(length * (i == axis) for i in range(3)) for axis, length in repeated.items()],
        background=scene.background,
    )
    least = min(finest, 200 / float(scene.wavelength))
    return Needs(
        resolution=max(PIXELS_PER_WAVELENGTH * core / float(scene.wavelength), least),
        whole=tuple(sorted({*edges, *repeated.values()})),
        periods=tuple(sorted({*repeated.values()})),
    )


def arrange(
    scene: Waveguide, quantities: Sequence[Quantity], numerics: Numerics, materials: Mapping[str, Any]
) -> Arrangement:
    """Run 'modes', of guides without loss. facts: cladding and core index, and whether group indices come from frequencies beside the
    wavelength. Of films of metal or absorbing media, and for their loss, the runs of `damped_guide`."""
    loss = [q for q in quantities if isinstance(q, OF_LOSS)]
    if _loses(scene, materials):
        return damped_guide.arrange(scene, quantities, numerics, materials)
    if loss and not _is_plain(scene):
        raise ValueError(
            f"{loss[0].id}: loss per length is had of 2D guides that do not change along x; of a cross-section, describe the films "
            "through its middle in 2D; of two lengths of a Device, the ratio of what they pass"
        )
    rest = [q for q in quantities if not isinstance(q, OF_LOSS)]
    own = _of_bands(scene, rest, numerics, materials) if rest else Arrangement({})
    if not loss:
        return own
    found = damped_guide.arrange(scene, loss, numerics, materials)
    return Arrangement({**own.runs, **found.runs}, {**own.facts, **found.facts})


def _of_bands(
    scene: Waveguide, quantities: Sequence[Quantity], numerics: Numerics, materials: Mapping[str, Any]
) -> Arrangement:
    low, high = limits(scene, materials)
    f, axes, pixel, repeated = (
        1 / float(scene.wavelength),
        _axes(scene),
        1 / numerics.resolution,
        _repeated(scene),
    )
    if scene.dimensions == "3D" and scene.polarization != "all" and not symmetric(scene.bodies, 2):
        raise ValueError(
            f"waveguide {scene.id} is not symmetric about z = 0, so its modes are mixed; polarization='all'"
        )
    sides = [repeated.get(i, 0.0) for i in range(3)]
    for i in (i for i in axes if i not in repeated):
        bounds = [abs(v) for body in scene.bodies for v in extent([body])[i] if finite(v)]
        half = max(bounds, default=0.0) + CLADDING * float(scene.wavelength) * numerics.padding
        sides[i] = 2 * math.ceil(half / pixel) * pixel
    shown = [q for q in quantities if isinstance(q, GuidedProfile)]
    if shown and repeated:
        raise ValueError(f"profile {shown[0].id}: fields of a periodic guide are not had, only its indices")
    poles = any(dispersive(m, materials) for m in _media(scene))
    wanted = any(isinstance(q, GroupIndex) for q in quantities)
    at = (f * (1 - BESIDE), f, f * (1 + BESIDE)) if wanted and poles else (f,)
    for q in shown:
        if any(i not in axes or abs(point[i]) > sides[i] / 2 for i in axes_of(q) for point in ends(q)):
            raise ValueError(
                f"profile {q.id}: it leaves the cross-section that is computed, {sides[1]:.4g} along y"
                + (f", {sides[2]:.4g} along z" if 2 in axes else "")
            )
    k_range = f * (low + high) / 2, f * low * 0.9, f * high * 1.02
    if repeated:
        k_range = _below_light_line(scene, low * (1 - BESIDE * (len(at) > 1)))
    count = max(q.second if isinstance(q, BeatLength) else q.mode for q in quantities)  # type: ignore[attr-defined]
    plain = scene.model_dump(mode="json")
    run = BandsRun(
        lattice=((sides[0] or 1.0, 0.0, 0.0), (0.0, sides[1] or 1.0, 0.0), (0.0, 0.0, sides[2] or 1.0)),
        size=(1.0 if repeated else 0.0, 1.0 if 1 in axes else 0.0, 1.0 if 2 in axes else 0.0),
        geometry=tuple(plain["bodies"]),
        count=count,
        polarisation=POLARISATION[scene.polarization],
        resolution=numerics.resolution,
        find_k_at=at,
        fields_of=tuple(sorted({q.mode for q in shown})),
        k_range=k_range,
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
            "longest": float(scene.wavelength) / (low or high),
        },
    )


def limits(scene: Waveguide, materials: Mapping[str, Any]) -> tuple[float, float]:
    """(cladding, core): the highest index far away, where light would leak, and the highest of all, along the axes of E; the
    cladding's is 0 where a crystal is on all sides.

    Raises ValueError for metals and absorbing media, which have no limits, and where no medium is denser than what is far away.
    """
    f, axes = 1 / float(scene.wavelength), E_ALONG[scene.polarization] if scene.dimensions == "2D" else "xyz"

    def along(medium: Any) -> list[complex]:
        return [permittivity(medium, f, materials, axis) for axis in axes]

    for eps in (eps for medium in _media(scene) for eps in along(medium)):
        if eps.real <= 0 or abs(eps.imag) > LARGEST_LOSS * abs(eps):
            raise ValueError(
                f"waveguide {scene.id}: modes of metal or absorbing media (epsilon {eps:.4g}) are had in 2D alone, of films along y "
                "that are the same all along x; describe the films through the middle of the cross-section with dimensions='2D', or, "
                "of a period with its wave vector stated, a Resonator"
            )
    free = [i for i in _axes(scene) if i not in _repeated(scene)]
    outside = [scene.background] if free else []
    for body in scene.bodies:
        if any(not finite(v) for i in free for v in extent([body])[i]):
            outside.append(body.body.medium if body.type == "repeat" else body.medium)
    low, high = (
        max((math.sqrt(eps.real) for medium in media for eps in along(medium)), default=0.0)
        for media in (outside, _media(scene))
    )
    if not high > low:
        raise ValueError(
            f"waveguide {scene.id} guides nothing: its densest medium ({high:.4g}) reaches to infinity"
        )
    return low, high


def _below_light_line(scene: Waveguide, low: float) -> tuple[float, float, float]:
    """Guess, lowest and highest wave vector of a periodic guide's modes without loss, 1/length; low: the cladding's index."""
    wavelength, most = float(scene.wavelength), 0.5 / _repeated(scene)[0]
    if not low / wavelength < most:
        raise ValueError(
            f"waveguide {scene.id}: no mode of this period is without loss at wavelength {wavelength:.6g}: light leaves into the "
            f"cladding (index {low:.4g}), because wavelength / (2 period) = {most * wavelength:.4g} is no larger; a longer "
            f"wavelength, or leaky light as a Resonator that is periodic"
        )
    return (low / wavelength + most) / 2, low / wavelength, most


def _repeated(scene: Waveguide) -> dict[int, float]:
    """Lengths by which a guide is repeated, by axis."""
    lengths = {0: scene.period, 1: scene.supercell}
    return {axis: float(length) for axis, length in lengths.items() if length is not None}


def _axes(scene: Waveguide) -> tuple[int, ...]:
    return (1,) if scene.dimensions == "2D" else (1, 2)


def _is_plain(scene: Waveguide) -> bool:
    """Whether it is of two dimensions and not called periodic."""
    return scene.dimensions == "2D" and not _repeated(scene)


def _loses(scene: Waveguide, materials: Mapping[str, Any]) -> bool:
    return _is_plain(scene) and is_damped(scene, materials)
