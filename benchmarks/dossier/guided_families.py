"""Families of crystals, guides and devices."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np

from benchmarks.dossier.closed_forms import fibre, group_index, layered, layered_edges, slab
from benchmarks.dossier.drawing_cases import Family, Nothing, Numbers, Range, Words
from benchmarks.dossier.sections import Section, through
from tasks.reproduce.oracles.plane_waves import bands

_CRYSTAL = """    scene = Crystal(id="scene", lattice={lattice}(period=p.period), bodies=({body},), background={around}, \
polarization="{polarization}")
    return Problem(scenes=(scene,), quantities=({quantities},))
"""


def _layers(p: Numbers, words: Words, name: str, x: Any) -> tuple[Any, float]:
    one, other = p["share"] * p["period"], (1 - p["share"]) * p["period"]
    edges = layered_edges(p["n1"], one, p["n2"], other)
    if name in ("lower", "upper"):
        return edges[name == "upper"], 0.0
    return layered(p["k"] / p["period"], p["n1"], one, p["n2"], other, 2)[int(name[-1]) - 1], 0.0


def _rods(p: Numbers, words: Words, name: str, x: Any) -> tuple[Any, float]:
    """Plane waves, 11 and 15 a side; they converge as the cube of that, so a third of what changes is left, and all of it is stated."""
    a = p["period"]
    square = words["lattice"] == "Square"
    basis = np.array(
        [(a, 0, 0), (0, a, 0)] if square else [(a * 3**0.5 / 2, a / 2, 0), (a * 3**0.5 / 2, -a / 2, 0)]
    )
    rod = [("rod", np.zeros(2), p["radius"] * a, p["n"] ** 2)]
    k = np.array([p["k1"], p["k2"], 0.0])
    less, more = (float(bands(basis, rod, 1.0, k, "tm", count)[int(name[-1]) - 1]) for count in (11, 15))
    return more, abs(more - less)


CRYSTALS = (
    Family(
        "layers in turn",
        "crystal",
        "frequency of a band, edges of a gap",
        "trace of the transfer matrix",
        _CRYSTAL.format(
            lattice="Chain",
            body='Block(id="layer", medium=Medium(index=p.n1), x=(-p.share * p.period / 2, p.share * p.period / 2))',
            around="Medium(index=p.n2)",
            polarization="$polarization",
            quantities='BandFrequency(id="band1", scene="scene", band=1, k=(p.k, 0, 0)), '
            'BandFrequency(id="band2", scene="scene", band=2, k=(p.k, 0, 0)), '
            'Gap(id="lower", scene="scene", above=1, what="lower_edge"), '
            'Gap(id="upper", scene="scene", above=1, what="upper_edge")',
        ),
        {
            "n1": Range(2, 3.5, 0.01),
            "n2": Range(1, 1.8, 0.01),
            "share": Range(0.2, 0.8, 0.01),
            "period": Range(200, 800, 10, "nm"),
            "k": Range(0.05, 0.45, 0.01),
        },
        6,
        _layers,
        {"polarization": ("tm", "te")},
    ),
    Family(
        "lattice of rods",
        "crystal",
        "frequency of a band",
        "plane waves, exact Fourier coefficients",
        _CRYSTAL.format(
            lattice="$lattice",
            body='Cylinder(id="rod", medium=Medium(index=p.n), radius=p.radius * p.period)',
            around="vacuum()",
            polarization="tm",
            quantities='BandFrequency(id="band1", scene="scene", band=1, k=(p.k1, p.k2, 0)), '
            'BandFrequency(id="band2", scene="scene", band=2, k=(p.k1, p.k2, 0))',
        ),
        {
            "n": Range(1.5, 3.5, 0.01),
            "radius": Range(0.1, 0.45, 0.01),
            "period": Range(200, 800, 10, "nm"),
            "k1": Range(0.05, 0.5, 0.01),
            "k2": Range(0.05, 0.3, 0.01),
        },
        5,
        _rods,
        {"lattice": ("Square", "Hexagonal")},
    ),
)

_GUIDE = """    scene = Waveguide(id="scene", dimensions="2D", bodies=({bodies},), background={around}, wavelength=p.wavelength,
                      polarization="$polarization")
    return Problem(scenes=(scene,), quantities=({quantities},))
"""
_CORE = 'Block(id="core", medium=Medium(index=p.n), y=(0, p.width))'
_SLAB_RANGES = {
    "n": Range(1.8, 3.5, 0.01),
    "width": Range(200, 800, 10, "nm"),
    "wavelength": Range(1200, 1600, 10, "nm"),
}


def _indices(p: Numbers, words: Words, f: float | None = None) -> list[float]:
    below = p.get("below", p.get("outside", 1.0))
    return slab(
        f or 1 / p["wavelength"],
        below,
        p["n"],
        p.get("outside", 1.0),
        p["width"],
        words["polarization"] == "Ez",
    )


def _guided(p: Numbers, words: Words, name: str, x: Any) -> tuple[Any, float]:
    if name == "ng":
        return group_index(lambda f: _indices(p, words, f)[0], 1 / p["wavelength"]), 0.0
    return _indices(p, words)[int(name[-1]) - 1], 0.0


def _holds(count: int) -> Any:
    def more(p: Numbers, words: Words, rng: random.Random) -> dict[str, tuple[float, str]]:
        found = _indices(p, words)
        if len(found) < count:
            raise Nothing
        return {}

    return more


def _round(p: Numbers, words: Words, name: str, x: Any) -> tuple[Any, float]:
    return fibre(1 / p["wavelength"], p["n"], p["outside"], p["radius"]), 0.0


GUIDES = (
    Family(
        "slab guide, two modes",
        "waveguide",
        "effective index, group index",
        "dispersion relation of a film",
        _GUIDE.format(
            bodies=_CORE,
            around="Medium(index=p.outside)",
            quantities='EffectiveIndex(id="n1", scene="scene", mode=1), EffectiveIndex(id="n2", scene="scene", mode=2), '
            'GroupIndex(id="ng", scene="scene", mode=1)',
        ),
        {**_SLAB_RANGES, "outside": Range(1, 1.5, 0.01)},
        6,
        _guided,
        {"polarization": ("Ez", "Hz")},
        _holds(2),
    ),
    Family(
        "film on a substrate",
        "waveguide",
        "effective index, group index",
        "dispersion relation of a film",
        _GUIDE.format(
            bodies='Block(id="below", medium=Medium(index=p.below), y=(-inf, 0)), ' + _CORE,
            around="vacuum()",
            quantities='EffectiveIndex(id="n1", scene="scene", mode=1), GroupIndex(id="ng", scene="scene", mode=1)',
        ),
        {**_SLAB_RANGES, "below": Range(1, 1.7, 0.01)},
        5,
        _guided,
        {"polarization": ("Ez", "Hz")},
        _holds(1),
    ),
    Family(
        "two slabs side by side",
        "waveguide",
        "beat length",
        "dispersion relation of films (ReproLab's)",
        _GUIDE.format(
            bodies='Block(id="one", medium=Medium(index=p.n), y=(p.gap / 2, p.gap / 2 + p.width)), '
            'Block(id="other", medium=Medium(index=p.n), y=(-p.gap / 2 - p.width, -p.gap / 2))',
            around="Medium(index=p.outside)",
            quantities='BeatLength(id="L", scene="scene")',
        ),
        {
            "n": Range(1.8, 3.5, 0.01),
            "width": Range(200, 400, 10, "nm"),
            "gap": Range(100, 400, 10, "nm"),
            "wavelength": Range(1200, 1600, 10, "nm"),
            "outside": Range(1, 1.5, 0.01),
        },
        4,
        None,
        {"polarization": ("Ez", "Hz")},
        _holds(1),
    ),
    Family(
        "profile of a slab's mode",
        "waveguide",
        "field on a line",
        "dispersion relation of films (ReproLab's)",
        _GUIDE.format(
            bodies=_CORE,
            around="Medium(index=p.outside)",
            quantities='GuidedProfile(id="profile", scene="scene", mode=1, component="$polarization", '
            "start=(0, -p.width, 0), end=(0, 2 * p.width, 0))",
        ),
        {**_SLAB_RANGES, "outside": Range(1, 1.5, 0.01)},
        4,
        None,
        {"polarization": ("Ez", "Hz")},
        _holds(1),
    ),
    Family(
        "round fibre",
        "waveguide",
        "effective index",
        "characteristic equation of HE11",
        """    core = Cylinder(id="core", medium=Medium(index=p.n), radius=p.radius, axis="x")
    scene = Waveguide(id="scene", dimensions="3D", bodies=(core,), background=Medium(index=p.outside), wavelength=p.wavelength,
                      polarization="Hz")
    return Problem(scenes=(scene,), quantities=(EffectiveIndex(id="n", scene="scene", mode=1),))
""",
        {
            "n": Range(1.8, 3.5, 0.01),
            "outside": Range(1, 1.5, 0.01),
            "radius": Range(250, 500, 10, "nm"),
            "wavelength": Range(1200, 1600, 10, "nm"),
        },
        2,
        _round,
    ),
)

_DEVICE = """    guide = {guide}
    scene = Device(id="scene", dimensions="2D", bodies=guide, background=Medium(index=p.outside), polarization="Ez",
                   ports=(Port(id="left", side="-x"), Port(id="right", side="+x")), source="left", band=Line(wavelength=p.wavelength))
    return Problem(scenes=(scene,), quantities=({quantities},))
"""
_DEVICE_RANGES = {
    "n": Range(1.8, 3.2, 0.01),
    "outside": Range(1, 1.5, 0.01),
    "width": Range(200, 500, 10, "nm"),
    "wavelength": Range(1200, 1600, 10, "nm"),
}
_MODAL = 'PortTransmittance(id="T", scene="scene", port="right", mode=1), PortReflectance(id="R", scene="scene", mode=1)'


def _core_of(p: Numbers, width: float) -> Section:
    return Section(p["outside"] ** 2, ((width, p["n"] ** 2),))


def _straight(p: Numbers, words: Words, name: str, x: Any) -> tuple[Any, float]:
    if name == "phase":
        index = slab(1 / p["wavelength"], p["outside"], p["n"], p["outside"], p["width"], True)[0]
        return 2 * math.pi / p["wavelength"] * index * p["length"], 0.0
    return {"T": 1.0, "R": 0.0, "loss": 0.0}[name], 0.0


def _across(p: Numbers, words: Words, name: str, x: Any) -> tuple[Any, float]:
    """A piece of another width, or none, between two guides, by modes of each piece."""
    ends = _core_of(p, p["width"])
    middle = _core_of(p, p["width"] + p["more"]) if "more" in p else Section(p["outside"] ** 2, ())
    found = [
        through(1 / p["wavelength"], (ends, middle, ends), (p["length"],), count) for count in (180, 250)
    ]
    at = 1 if name == "T" else 0
    return found[1][at], 2 * abs(found[1][at] - found[0][at])


def _single(p: Numbers, words: Words, rng: random.Random) -> dict[str, tuple[float, str]]:
    if not slab(1 / p["wavelength"], p["outside"], p["n"], p["outside"], p["width"], True):
        raise Nothing
    return {}


_HALF = 'Block(id="{0}", medium=Medium(index=p.n), x=({1}, {2}), y=(-p.width / 2, p.width / 2))'
DEVICES = (
    Family(
        "straight guide",
        "device",
        "transmittance, reflectance, loss, phase",
        "dispersion relation of a film",
        _DEVICE.format(
            guide='(Block(id="guide", medium=Medium(index=p.n), y=(-p.width / 2, p.width / 2)),)',
            quantities=_MODAL
            + ', Loss(id="loss", scene="scene"), PortPhase(id="phase", scene="scene", port="right", mode=1, '
            "start=-p.length / 2, end=p.length / 2)",
        ),
        {**_DEVICE_RANGES, "length": Range(200, 1000, 100, "nm")},
        2,
        _straight,
        {},
        _single,
    ),
    Family(
        "gap in a guide",
        "device",
        "transmittance, reflectance",
        "modes of each piece, in complex coordinates",
        _DEVICE.format(
            guide=f"({_HALF.format('one', '-inf', '-p.length / 2')}, {_HALF.format('other', 'p.length / 2', 'inf')})",
            quantities=_MODAL,
        ),
        {**_DEVICE_RANGES, "length": Range(50, 400, 10, "nm")},
        3,
        _across,
        {},
        _single,
    ),
    Family(
        "wider piece in a guide",
        "device",
        "transmittance, reflectance",
        "modes of each piece, in complex coordinates",
        _DEVICE.format(
            guide='(Block(id="guide", medium=Medium(index=p.n), y=(-p.width / 2, p.width / 2)), '
            'Block(id="piece", medium=Medium(index=p.n), x=(-p.length / 2, p.length / 2), '
            "y=(-(p.width + p.more) / 2, (p.width + p.more) / 2)))",
            quantities=_MODAL,
        ),
        {**_DEVICE_RANGES, "more": Range(50, 500, 10, "nm"), "length": Range(200, 1000, 10, "nm")},
        2,
        _across,
        {},
        _single,
    ),
)
