"""Which bodies a description has of those that the paper's words speak of: how many, of what, and how they are arranged."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from schemas.reproduce.simulations.units import converted
from schemas.reproduce.words.structure_words import SaidOfBodies, StatedNumber, StructureWords
from simkit.describe.base import INF
from simkit.describe.emitter import Emitter
from simkit.describe.scene import Scene

_CLOSE = 1e-3


def alike_layers(numbers: Sequence[StatedNumber], spoken: set[int], scenes: Sequence[Scene]) -> Iterator[str]:
    """Layers of several materials that are as thick as one another, and fewer layers of that thickness."""
    layers = [
        (float(layer["thickness"]), int(layer.get("count", 1)))
        for scene in scenes
        for layer in scene.model_dump(mode="json").get("layers", ())
        if "thickness" in layer
    ]
    alike: dict[tuple[float, str], list[StatedNumber]] = {}
    for n in numbers if layers else ():
        if n.unit and n.subjects and "vertical" in n.kinds and ((n.told and n.paragraph in spoken) or n.laid):
            alike.setdefault((n.value, n.unit), []).append(n)
    for (value, unit), told in alike.items():
        own, made_of = converted(value, unit, "um"), {n.subjects for n in told}
        if own is None or len(made_of) < 2 or frozenset.intersection(*made_of):
            continue
        there = sum(count for thickness, count in layers if math.isclose(thickness, own, rel_tol=_CLOSE))
        if there < len(made_of):
            yield f"What was described has fewer layers of this thickness than the paper speaks of: {told[-1].words!r}"


def bodies_missing(
    words: StructureWords, spoken: set[int], scenes: Sequence[Scene], everything: Sequence[Scene]
) -> Iterator[str]:
    """Bodies and arrangements that the words speak of and a target's scenes have not, and elements that no words name."""
    said: dict[str, SaidOfBodies] = {}
    for one in words.bodies:
        if one.paragraph in spoken:
            said.setdefault(one.body, one)
    for scene in scenes:
        plain = scene.model_dump(mode="json")
        yield from _other_media(scene, plain, words, said)
        yield from _other_shapes(scene, plain, words, said)
    several = max(
        (one for one in words.bodies if one.body == "several" and one.paragraph in spoken),
        key=lambda one: one.number,
        default=None,
    )
    if several and sum(map(_count, everything)) < several.number:
        yield f"What was described has fewer bodies than the paper speaks of: {several.words!r}"


def _other_media(
    scene: Scene, plain: Mapping[str, Any], words: StructureWords, said: Mapping[str, SaidOfBodies]
) -> Iterator[str]:
    """What a scene is made of, against the words."""
    if (air := said.get("air")) and not _has_air(plain):
        yield f"Scene {scene.id} has empty space nowhere, and the paper says otherwise: {air.words!r}"
    for element, kind in (("sheet", "sheet"), ("conductor", "perfect_conductor")):
        if element not in words.named and _has(plain, kind):
            yield f"Scene {scene.id} has a {kind.replace('_', ' ')}, and no words of the paper name one"
    if (metal := said.get("metal")) and not _has_metal(plain):
        yield f"Scene {scene.id} has no metal, and the paper says otherwise: {metal.words!r}"
    if changed := said.get("changed"):
        yield f"The paper says that what it states is changed: {changed.words!r}"
    background = _around(plain)
    if (stands := said.get("in air")) and background and not _has_air(background):
        yield f"Scene {scene.id} has another medium than air around its bodies, and the paper says: {stands.words!r}"


def _other_shapes(
    scene: Scene, plain: Mapping[str, Any], words: StructureWords, said: Mapping[str, SaidOfBodies]
) -> Iterator[str]:
    """How a scene is arranged, against the words."""
    lattice = plain.get("lattice", {}).get("type", "")
    for own, other in (("square", "hexagonal"), ("hexagonal", "square")):
        there = said.get(f"{other} lattice")
        if lattice == own and there and f"{own} lattice" not in said:
            yield f"Scene {scene.id} has a {own} lattice, and the paper says otherwise: {there.words!r}"
    if isinstance(scene, Emitter) and scene.orientation == "isotropic":
        named = [told for name in ("upright dipole", "flat dipole") if (told := said.get(name))]
        if len(named) == 1:
            yield f"Scene {scene.id} has dipoles along all directions alike, and the paper says otherwise: {named[0].words!r}"
    elif isinstance(scene, Emitter) and (normal := _normal(plain)):
        own, other = ("upright", "flat") if scene.orientation == normal else ("flat", "upright")
        told = said.get(f"{other} dipole")
        if told and f"{own} dipole" not in words.named:
            yield f"Scene {scene.id} has the dipole along {scene.orientation}, and the paper says otherwise: {told.words!r}"
    if (solid := said.get("solid")) and plain.get("dimensions") == "2D" and not words.flat:
        yield f"Scene {scene.id} does not change along one direction, and the paper speaks of: {solid.words!r}"
    if (
        (pattern := said.get("pattern"))
        and plain["type"] == "unit_cell"
        and not any(layer.get("pattern") for layer in plain["layers"])
    ):
        yield f"Scene {scene.id} has unbroken films, and the paper speaks of: {pattern.words!r}"


def _around(plain: Mapping[str, Any]) -> Any:
    """The medium around a scene's bodies: its background, or the last body that has no end."""
    around = plain.get("background")
    for body in plain.get("bodies", ()):
        ends = [end for axis in "xyz" for end in body.get(axis) or (0.0,)]
        if body.get("type") == "block" and all(abs(float(end)) >= INF for end in ends):
            around = body.get("medium")
    return around


def _normal(plain: Mapping[str, Any]) -> str:
    """The axis along which the bodies of a scene end, where they do along one only."""
    axes = {
        axis
        for body in plain["bodies"]
        for axis in "xyz"
        if isinstance(body.get(axis), list) and any(abs(float(end)) < INF for end in body[axis])
    }
    return axes.pop() if len(axes) == 1 else ""


def _has_air(node: Any) -> bool:
    if isinstance(node, Mapping):
        return node.get("index") == 1 or node.get("epsilon") == 1 or any(map(_has_air, node.values()))
    return isinstance(node, (list, tuple)) and any(map(_has_air, node))


def _has_metal(node: Any) -> bool:
    """Whether there is an ideal metal, a confirmed material, or a medium of negative permittivity."""
    if isinstance(node, Mapping):
        epsilon = node.get("epsilon")
        return (
            _has(node, "perfect_conductor")
            or bool(node.get("material"))
            or (isinstance(epsilon, (int, float)) and epsilon < 0)
            or any(map(_has_metal, node.values()))
        )
    return isinstance(node, (list, tuple)) and any(map(_has_metal, node))


def _has(node: Any, kind: str) -> bool:
    if isinstance(node, Mapping):
        return kind in (node.get("type"), node.get("kind")) or any(
            _has(value, kind) for value in node.values()
        )
    return isinstance(node, (list, tuple)) and any(_has(value, kind) for value in node)


def _count(scene: Scene) -> int:
    plain = scene.model_dump(mode="json")
    parts = [*plain.get("bodies", ()), *plain.get("layers", ())]
    parts += [body for layer in plain.get("layers", ()) for body in layer.get("pattern", ())]
    return sum(int(part.get("count", 1)) for part in parts)
