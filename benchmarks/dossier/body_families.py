"""Families of scatterers, emitters and resonators."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np

from benchmarks.dossier.closed_forms import (
    before_mirror,
    cylinder,
    cylinder_pattern,
    shells_modes,
    slab_frequency,
    sphere,
    sphere_modes,
)
from benchmarks.dossier.drawing_cases import Family, Nothing, Numbers, Range, Words

_LIT = """    scene = Scatterer(id="scene", dimensions="{dimensions}", bodies=({bodies},), background=vacuum(), \
polarization="$polarization",
                      band={band})
    return Problem(scenes=(scene,), quantities=({quantities},))
"""
_WIRE = 'Cylinder(id="wire", medium=Medium(index=p.n), radius=p.radius)'
_TUBE = 'Ring(id="tube", medium=Medium(index=p.n), inner=p.inner, outer=p.inner + p.wall, filling=Medium(index=p.core))'
_WIDE = "Wavelengths(shortest=p.shortest, longest=p.longest)"
_LINE = "Line(wavelength=p.wavelength)"
_SECTION = 'CrossSection(id="Q", scene="scene", process="{}", per=2 * p.{})'
_BAND = {"shortest": Range(550, 550, 1, "nm", view=True), "longest": Range(800, 800, 1, "nm", view=True)}
_WAVE = {"wavelength": Range(500, 900, 5, "nm")}
_WIRE_RANGES = {"n": Range(1.3, 3.5, 0.01), "radius": Range(50, 400, 5, "nm")}


def _lit(bodies: str, band: str, quantities: str, dimensions: str = "2D") -> str:
    return _LIT.format(dimensions=dimensions, bodies=bodies, band=band, quantities=quantities)


def _wire(p: Numbers, words: Words, name: str, x: Any) -> tuple[Any, float]:
    along = words["polarization"] == "z"
    if name == "P":
        return cylinder_pattern((p["radius"],), (p["n"], 1.0), 1 / p["wavelength"], along, np.asarray(x)), 0.0
    found = [cylinder((p["radius"],), (p["n"], 1.0), float(f), along)[0] / (2 * p["radius"]) for f in x]
    return np.array(found), 0.0


def _tube(p: Numbers, words: Words, name: str, x: Any) -> tuple[Any, float]:
    radii = (p["inner"], p["inner"] + p["wall"])
    found = [
        cylinder(radii, (p["core"], p["n"], 1.0), float(f), words["polarization"] == "z")[1] / (2 * radii[0])
        for f in x
    ]
    return np.array(found), 0.0


def _ball(p: Numbers, words: Words, name: str, x: Any) -> tuple[Any, float]:
    return np.array([sphere(p["radius"], p["n"], float(f)) for f in x]), 0.0


SCATTERERS = (
    Family(
        "wire",
        "scatterer",
        "cross-section",
        "partial waves",
        _lit(_WIRE, _WIDE, _SECTION.format("scattering", "radius")),
        {**_WIRE_RANGES, **_BAND},
        4,
        _wire,
        {"polarization": ("z", "y")},
    ),
    Family(
        "wire at one wavelength",
        "scatterer",
        "cross-section",
        "partial waves",
        _lit(_WIRE, _LINE, _SECTION.format("scattering", "radius")),
        {**_WIRE_RANGES, **_WAVE},
        4,
        _wire,
        {"polarization": ("z", "y")},
    ),
    Family(
        "tube around a core",
        "scatterer",
        "cross-section",
        "partial waves",
        _lit(_TUBE, _LINE, _SECTION.format("extinction", "inner")),
        {
            "core": Range(1, 2, 0.01),
            "n": Range(1.3, 3.0, 0.01),
            "inner": Range(80, 300, 5, "nm"),
            "wall": Range(50, 200, 5, "nm"),
            **_WAVE,
        },
        3,
        _tube,
        {"polarization": ("z", "y")},
    ),
    Family(
        "far field of a wire",
        "scatterer",
        "far field",
        "partial waves",
        _lit(_WIRE, _LINE, 'FarField(id="P", scene="scene", towards="y", over="incident")'),
        {**_WIRE_RANGES, **_WAVE},
        1,
        _wire,
        {"polarization": ("z", "y")},
    ),
    Family(
        "field behind two wires",
        "scatterer",
        "field on a line",
        "partial waves of both (ReproLab's)",
        """    wires = tuple(Cylinder(id=name, medium=Medium(index=p.n), radius=p.radius, center=(0, y, 0))
                  for name, y in (("upper", p.radius + p.gap / 2), ("lower", -p.radius - p.gap / 2)))
"""
        + _lit(
            "*wires",
            _LINE,
            'NearField(id="I", scene="scene", start=(p.behind, -p.radius, 0), end=(p.behind, p.radius, 0))',
        ),
        {
            "n": Range(1.3, 2.5, 0.01),
            "radius": Range(80, 250, 5, "nm"),
            "gap": Range(50, 300, 10, "nm"),
            "behind": Range(260, 400, 10, "nm"),
            **_WAVE,
        },
        1,
        None,
        {"polarization": ("z", "y")},
    ),
    Family(
        "small sphere",
        "scatterer",
        "cross-section",
        "partial waves",
        _lit(
            'Sphere(id="ball", medium=Medium(index=p.n), radius=p.radius)',
            _LINE,
            'CrossSection(id="Q", scene="scene", process="scattering", per=pi * p.radius**2)',
            "3D",
        ),
        {
            "n": Range(1.3, 2.2, 0.01),
            "radius": Range(100, 200, 10, "nm"),
            "wavelength": Range(800, 1000, 10, "nm"),
        },
        1,
        _ball,
        {"polarization": ("y",)},
    ),
)

_EMITS = """    scene = Emitter(id="scene", dimensions="{dimensions}", bodies=({bodies}), background=vacuum(), position={position},
                    orientation="$orientation", band=Line(wavelength=p.wavelength))
    return Problem(scenes=(scene,), quantities=({quantities},))
"""
_PURCELL = 'PurcellFactor(id="F", scene="scene")'
_NEAR = {"height": Range(60, 600, 10, "nm"), "wavelength": Range(500, 900, 10, "nm")}


def _emits(dimensions: str, bodies: str, position: str, quantities: str = _PURCELL) -> str:
    return _EMITS.format(dimensions=dimensions, bodies=bodies, position=position, quantities=quantities)


def _mirrored(p: Numbers, words: Words, name: str, x: Any) -> tuple[Any, float]:
    return before_mirror(1 / p["wavelength"], p["height"], words["orientation"], bool(words["line"])), 0.0


def _alone(p: Numbers, words: Words, name: str, x: Any) -> tuple[Any, float]:
    """sin^2 of the angle from the dipole, over the angle from z towards x."""
    angle = np.asarray(x, float)
    return (np.cos(angle) if words["orientation"] == "x" else np.sin(angle)) ** 2, 0.0


EMITTERS = (
    Family(
        "line of dipoles before an ideal mirror",
        "emitter",
        "Purcell factor",
        "image",
        _emits("2D", 'Block(id="mirror", medium=PerfectConductor(), y=(-inf, 0)),', "(0, p.height, 0)"),
        _NEAR,
        4,
        _mirrored,
        {"orientation": ("x", "y", "z"), "line": (1,)},
    ),
    Family(
        "dipole before an ideal mirror",
        "emitter",
        "Purcell factor",
        "image (Drexhage)",
        _emits("3D", 'Block(id="mirror", medium=PerfectConductor(), z=(-inf, 0)),', "(0, 0, p.height)"),
        _NEAR,
        3,
        _mirrored,
        {"orientation": ("x", "z"), "line": (0,)},
    ),
    Family(
        "line of dipoles above a film on a substrate",
        "emitter",
        "Purcell factor",
        "integral over plane waves (ReproLab's)",
        _emits(
            "2D",
            'Block(id="below", medium=Medium(index=p.substrate), y=(-inf, -p.t1)), '
            'Block(id="film", medium=Medium(index=p.n1), y=(-p.t1, 0)),',
            "(0, p.height, 0)",
        ),
        {"substrate": Range(1, 2, 0.01), "n1": Range(1.3, 3, 0.01), "t1": Range(50, 300, 10, "nm"), **_NEAR},
        3,
        None,
        {"orientation": ("x", "y", "z")},
    ),
    Family(
        "dipole above a substrate",
        "emitter",
        "Purcell factor",
        "integral over plane waves (ReproLab's)",
        _emits("3D", 'Block(id="below", medium=Medium(index=p.substrate), z=(-inf, 0)),', "(0, 0, p.height)"),
        {"substrate": Range(1.3, 3, 0.01), **_NEAR},
        2,
        None,
        {"orientation": ("x", "z")},
    ),
    Family(
        "pattern of a dipole",
        "emitter",
        "radiation pattern",
        "sine squared",
        _emits("3D", "", "(0, 0, 0)", 'RadiationPattern(id="P", scene="scene", zero="z", towards="x")'),
        {"wavelength": Range(500, 900, 10, "nm")},
        1,
        _alone,
        {"orientation": ("x", "z")},
    ),
)

_MODES = """    scene = Resonator(id="scene", dimensions="{dimensions}", field="{field}", bodies=({bodies},), background=vacuum(){rest},
                      search=Frequencies(lowest=p.lowest, highest=p.highest))
    return Problem(scenes=(scene,), quantities=({quantities},))
"""
_F_Q = 'ResonanceFrequency(id="f", scene="scene", choose="nearest"{0}), QualityFactor(id="Q", scene="scene", choose="nearest"{0})'
LEAST_Q, MOST_Q = 20.0, 2000.0


def _search(f: complex, rng: random.Random, half: float = 0.04) -> dict[str, tuple[float, str]]:
    """A band about a mode, which stands anywhere in its middle half."""
    middle = f.real * (1 + half * rng.uniform(-0.5, 0.5))
    return {"lowest": (middle * (1 - half), "c/um"), "highest": (middle * (1 + half), "c/um")}


def _some(modes: list[complex], rng: random.Random) -> complex:
    fit = [f for f in modes if LEAST_Q <= f.real / (-2 * f.imag) <= MOST_Q]
    if not fit:
        raise Nothing
    return rng.choice(fit)


def _nearest(modes: list[complex], p: Numbers) -> complex:
    """Of modes of a Q of 5 or more, as a Resonator counts them."""
    middle = (p["lowest"] + p["highest"]) / 2
    return min((f for f in modes if f.real / (-2 * f.imag) >= 5), key=lambda f: abs(f.real - middle))


def _told(f: complex, name: str) -> tuple[float, float]:
    return (f.real if name == "f" else f.real / (-2 * f.imag)), 0.0


def _ring(p: Numbers, words: Words) -> tuple[tuple[float, ...], tuple[float, ...], int, bool]:
    return (p["inner"], p["inner"] + p["wall"]), (1.0, p["n"], 1.0), int(p["m"]), words["field"] == "Ez"


def _ring_band(p: Numbers, words: Words, rng: random.Random) -> dict[str, tuple[float, str]]:
    return _search(_some(shells_modes(*_ring(p, words), 0.2, 1.0), rng), rng)


def _ring_mode(p: Numbers, words: Words, name: str, x: Any) -> tuple[Any, float]:
    return _told(_nearest(shells_modes(*_ring(p, words), p["lowest"], p["highest"]), p), name)


def _rod_band(p: Numbers, words: Words, rng: random.Random) -> dict[str, tuple[float, str]]:
    return _search(
        _some(
            shells_modes((p["radius"],), (p["n"], 1.0), int(p["m"]), words["field"] == "Ez", 0.2, 1.0), rng
        ),
        rng,
    )


def _rod_mode(p: Numbers, words: Words, name: str, x: Any) -> tuple[Any, float]:
    found = shells_modes(
        (p["radius"],), (p["n"], 1.0), int(p["m"]), words["field"] == "Ez", p["lowest"], p["highest"]
    )
    return _told(_nearest(found, p), name)


def _of_order(order: int, p: Numbers, words: Words, low: float, high: float) -> list[complex]:
    """Those of azimuthal order m with a parity of E about z = 0: without radial E they have Ez there where order - m is even."""
    magnetic = ((order - int(p["m"])) % 2 == 0) == (words["parity"] == "odd")
    return sphere_modes(p["radius"], p["n"], order, magnetic, low, high)


def _ball_band(p: Numbers, words: Words, rng: random.Random) -> dict[str, tuple[float, str]]:
    return _search(_some(_of_order(max(int(p["m"]), 1), p, words, 0.2, 1.2), rng), rng)


def _ball_mode(p: Numbers, words: Words, name: str, x: Any) -> tuple[Any, float]:
    m = int(p["m"])
    found = [
        f for order in range(max(m, 1), m + 17) for f in _of_order(order, p, words, p["lowest"], p["highest"])
    ]
    return _told(_nearest(found, p), name)


def _surface(p: Numbers, words: Words) -> float:
    return slab_frequency(p["k"], p["below"], p["n"], 1.0, p["width"], words["field"] == "Ez")


def _surface_band(p: Numbers, words: Words, rng: random.Random) -> dict[str, tuple[float, str]]:
    try:
        f = _surface(p, words)
    except ValueError as error:
        raise Nothing from error
    if math.isclose(
        f * p["below"], p["k"], rel_tol=0.03
    ):  # its field reaches far: the next one may be another mode
        raise Nothing
    return _search(complex(f, 0), rng)


def _surface_mode(p: Numbers, words: Words, name: str, x: Any) -> tuple[Any, float]:
    return _surface(p, words), 0.0


RESONATORS = (
    Family(
        "ring, one azimuthal order",
        "resonator",
        "frequency, quality factor",
        "poles of Bessel and Hankel functions",
        _MODES.format(
            dimensions="2D",
            field="$field",
            bodies='Ring(id="ring", medium=Medium(index=p.n), inner=p.inner, outer=p.inner + p.wall, filling=vacuum())',
            rest=', m=p.count("m")',
            quantities=_F_Q.format(""),
        ),
        {
            "n": Range(2, 3.5, 0.01),
            "inner": Range(0.3, 1.0, 0.05, "um"),
            "wall": Range(0.2, 0.6, 0.05, "um"),
            "m": Range(2, 8, 1, count=True),
        },
        4,
        _ring_mode,
        {"field": ("Ez", "Hz")},
        _ring_band,
    ),
    Family(
        "rod, one azimuthal order",
        "resonator",
        "frequency, quality factor",
        "poles of Bessel and Hankel functions",
        _MODES.format(
            dimensions="2D",
            field="$field",
            bodies='Cylinder(id="rod", medium=Medium(index=p.n), radius=p.radius)',
            rest=', m=p.count("m")',
            quantities=_F_Q.format(""),
        ),
        {"n": Range(1.8, 3.5, 0.01), "radius": Range(0.4, 1.2, 0.05, "um"), "m": Range(1, 8, 1, count=True)},
        4,
        _rod_mode,
        {"field": ("Ez", "Hz")},
        _rod_band,
    ),
    Family(
        "ball in a cylindrical cell",
        "resonator",
        "frequency, quality factor",
        "poles of spherical Bessel and Hankel functions",
        _MODES.format(
            dimensions="cylindrical",
            field="all",
            bodies='Sphere(id="ball", medium=Medium(index=p.n), radius=p.radius)',
            rest=', m=p.count("m")',
            quantities=_F_Q.format(', parity_z="$parity"'),
        ),
        {"n": Range(2, 3.5, 0.01), "radius": Range(0.4, 0.8, 0.05, "um"), "m": Range(0, 5, 1, count=True)},
        3,
        _ball_mode,
        {"parity": ("even", "odd")},
        _ball_band,
    ),
    Family(
        "wave along a film",
        "resonator",
        "frequency at a wavenumber",
        "dispersion relation of a film",
        _MODES.format(
            dimensions="2D",
            field="$field",
            bodies='Block(id="below", medium=Medium(index=p.below), y=(-inf, 0)), '
            'Block(id="film", medium=Medium(index=p.n), y=(0, p.width))',
            rest=', periodic=(Periodic(axis="x", k=p.k),)',
            quantities='ResonanceFrequency(id="f", scene="scene", choose="nearest")',
        ),
        {
            "n": Range(1.8, 3.5, 0.01),
            "below": Range(1, 1.5, 0.01),
            "width": Range(100, 500, 10, "nm"),
            "k": Range(0.8, 2.5, 0.05, "1/um"),
        },
        4,
        _surface_mode,
        {"field": ("Ez", "Hz")},
        _surface_band,
    ),
)
