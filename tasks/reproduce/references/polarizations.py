"""Which way the light of a scene is polarised, and what a paper's abbreviations mean in scenes of its kind."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from schemas.reproduce.words.polarization_words import COMPLEMENTS
from simkit.describe.base import INF
from simkit.describe.crystal import Chain, Crystal
from simkit.describe.resonator import Resonator
from simkit.describe.scatterer import Scatterer
from simkit.describe.scene import Scene
from simkit.describe.shapes import Block
from simkit.describe.unit_cell import Disk, Film, Rectangle, UnitCell
from simkit.describe.waveguide import Waveguide

_ABBREVIATED_IN_PLANE_CRYSTALS = {
    "TM": "out",
    "TE": "in",
    "flat": "in",
    "upright": "out",
}  # of rods, crystals and resonators
# of films, gratings and slab guides
_ABBREVIATED_IN_LAYERS = {"TE": "out", "TM": "in", "s": "out", "p": "in", "flat": "out", "upright": "in"}


def polarization_of(scene: Scene) -> tuple[str, Mapping[str, str]] | None:
    """(what the scene has, what abbreviations mean in its kind); None where it changes nothing or words cannot tell."""
    if isinstance(scene, UnitCell):
        if not _one_sided(scene):
            return None
        across = {"x": "in", "p": "in", "y": "out", "s": "out"}
        if len(scene.period) < 2:
            return across[scene.polarization], {**_ABBREVIATED_IN_LAYERS, "x": "in", "y": "out"}
        own, long = {"x": "x", "y": "y", "s": "y", "p": "x"}[scene.polarization], _long_axis(scene)
        incident = {"s": "y", "p": "x", "TE": "y", "TM": "x", "flat": "y", "upright": "x"}
        return own, {**incident, "out": long, "in": COMPLEMENTS[long]}
    flat = {"Ez": "out", "z": "out", "tm": "out", "Hz": "in", "te": "in", "x": "in", "y": "in"}
    table = {**_ABBREVIATED_IN_PLANE_CRYSTALS, "x": "in", "y": "in", "s": "out", "p": "in"}
    if isinstance(scene, Scatterer) and scene.dimensions == "2D":
        return flat[scene.polarization], table
    if isinstance(scene, Crystal) and scene.polarization != "all" and not _layered(scene):
        return flat[scene.polarization], table
    if isinstance(scene, Resonator) and scene.dimensions == "2D":
        return flat[scene.field], {**table, **(_ABBREVIATED_IN_LAYERS if _of_films(scene) else {})}
    if isinstance(scene, Waveguide) and scene.dimensions == "2D":
        layers = (
            _ABBREVIATED_IN_LAYERS if scene.period is None else {}
        )  # a periodic guide is a flat crystal, seen from above
        return flat[scene.polarization], {**table, **layers}
    return None


def plainest(values: Collection[str], table: Mapping[str, str]) -> Collection[str]:
    """What one place says of a polarisation, without an abbreviation or axis that it says again in plain words.

    In flat resonators and crystals abbreviations and axes are used either way: "E along y (out of the plane; TE of the slab)". Where
    both of a pair are named, or the scene's kind has one convention, all count.
    """
    plain = {"out", "in"} & {*values}
    pairs = ({"TE", "TM"}, {"s", "p"}, {"x", "y"}, {"flat", "upright"})
    both = any(pair <= {*values} for pair in pairs)
    return (
        plain
        if len(plain) == 1 and not both and table.get("TE") == "in" and table.get("y") == "in"
        else values
    )


def _long_axis(scene: UnitCell) -> str:
    """The axis along which bars of a cell with two periods are longer; y where none are."""
    bars = [
        body
        for film in scene.layers
        if isinstance(film, Film)
        for body in film.pattern
        if isinstance(body, Rectangle)
    ]
    return "x" if bars and all(float(body.size[0]) > float(body.size[1]) for body in bars) else "y"


def _of_films(scene: Resonator) -> bool:
    """Whether a resonator is nothing but plane films, along which its modes travel: what guides are, with a given wave vector."""
    return bool(scene.bodies) and any(
        all(
            isinstance(body, Block) and all(abs(float(end)) >= INF for end in getattr(body, axis))
            for body in scene.bodies
        )
        for axis in "xy"
    )


def _layered(scene: Crystal) -> bool:
    """Whether a crystal is layers that are followed along their normal, where both polarisations are alike."""
    endless = [
        isinstance(body, Block) and all(abs(float(end)) >= INF for end in (*body.y, *body.z))
        for body in scene.bodies
    ]
    return isinstance(scene.lattice, Chain) and all(endless)


def _one_sided(scene: UnitCell) -> bool:
    """Whether the two polarisations of a cell differ."""
    if float(scene.angle):
        return True
    patterns = [body for film in scene.layers if isinstance(film, Film) for body in film.pattern]
    if not patterns:
        return False
    if len(scene.period) == 1 or not math.isclose(float(scene.period[0]), float(scene.period[1])):
        return True
    centred = all(
        isinstance(body, (Disk, Rectangle)) and not any(map(float, body.center)) for body in patterns
    )
    square = all(
        math.isclose(float(body.size[0]), float(body.size[1]))
        for body in patterns
        if isinstance(body, Rectangle)
    )
    return not (centred and square)
