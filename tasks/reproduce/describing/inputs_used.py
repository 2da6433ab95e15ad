"""Which inputs of the paper's a target rests on, and whether a description takes one for another thing than its words say."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from schemas.reproduce.words.bound import InputWords
from simkit.describe.base import INF
from simkit.describe.document import Path, dotted, expressions
from simkit.describe.media import names_of_materials
from simkit.describe.numbers import evaluate, names
from simkit.describe.scene import Scene
from simkit.describe.units import UNITS
from tasks.reproduce.describing.fair_arithmetic import (
    ALIKE,
    EXTENTS,
    LENGTHS,
    ends_of_quotient,
    fair_part,
    fair_sum,
    offset_as_said,
)
from tasks.reproduce.describing.in_sandbox import Description

# field of a description -> the kinds of thing that a number standing there alone may be called, the first its own
_ROUND, _MOST_SHELLS = ("radius", "inner", "outer"), 200
_MAY_BE: dict[str, tuple[str, ...]] = {
    name: tuple(kinds.split())
    for name, kinds in {
        "thickness": "vertical lateral along gap place",
        "period": "period lateral place gap",
        "radius": "radius place",
        "inner": "radius place",
        "outer": "radius place",
        "index": "index",
        "epsilon": "permittivity",
        "wavelength": "light",
        "waist": "radius waist",
        "shortest": "light",
        "longest": "light",
    }.items()
}
_OF_MEDIA = (
    "damping",
    "frequency",
    "strength",
    "index",
    "epsilon",
    "resistance",
    "intensity",
    "chi2",
    "chi3",
)
_VIEWS = ("shortest", "longest")


def inputs_used(found: Description, target_id: str) -> frozenset[str]:
    """The declared parameters that a target's scene, quantities and sweeps are made of, counts and views included."""
    parts = _parts_of(found.parametric, target_id)
    own = frozenset().union(*(names(expression) for part in parts for _, expression in expressions(part)))
    own |= {part["parameter"] for part in parts if part.get("type") == "sweep"} & set(
        found.parameters.items()
    )
    return frozenset().union(*(found.parameters.closure(name) for name in own)) | frozenset(
        found.parameters._counted
    )


def materials_used(found: Description, target_id: str) -> frozenset[str]:
    """ "material NAME" of each confirmed material in a target's scene."""
    return frozenset(
        f"material {name}"
        for part in _parts_of(found.parametric, target_id)
        for name in names_of_materials(dict(part))
    )


def scenes_of(found: Description, target_id: str) -> tuple[Scene, ...]:
    """The scenes that answer a target, in plain numbers; all where none does."""
    return answering(found, target_id) or found.resolved().scenes


def answering(found: Description, target_id: str) -> tuple[Scene, ...]:
    """The scenes that answer a target, in plain numbers."""
    own = {part.get("id") for part in _parts_of(found.parametric, target_id)}
    return tuple(scene for scene in found.resolved().scenes if scene.id in own)


def swept(found: Description, target_id: str) -> frozenset[str]:
    """ "scene.field" of every field that a sweep which answers the target varies."""
    varied = {
        part["parameter"] for part in _parts_of(found.parametric, target_id) if part.get("type") == "sweep"
    }
    return frozenset(
        f"{scene['id']}.{path[0]}"
        for scene in found.parametric.get("scenes", ())
        for path, expression in expressions(scene)
        if any(varied & found.parameters.closure(name) for name in names(expression))
    )


def films_of(found: Description, scene_id: str) -> tuple[str, ...]:
    """The input that each layer of a unit cell is as thick as, from below; '' where it is none as it stands."""
    return tuple(thickness for thickness, _ in layers_of(found, scene_id))


def layers_of(found: Description, scene_id: str) -> tuple[tuple[str, str], ...]:
    """(input that it is as thick as, input that its medium has) of each layer of a unit cell; '' where it is none as it stands,
    or where bodies lie in it."""
    values = found.parameters.values()
    scene = next(scene for scene in found.parametric.get("scenes", ()) if scene["id"] == scene_id)

    def alone(told: Any) -> str:
        return _alone(found, told["="], values) if isinstance(told, Mapping) and "=" in told else ""

    return tuple(
        (
            alone(layer.get("thickness")),
            "" if layer.get("pattern") else alone(medium.get("index")) or alone(medium.get("epsilon")),
        )
        for layer in scene.get("layers", ())
        for medium in (layer.get("medium") or {},)
    )


def taken_for_another(
    found: Description, words: Mapping[str, InputWords], scenes: Collection[str] | None = None
) -> dict[str, str]:
    """Input -> where it stands alone for something that its words do not call it, or for two things at once; in these scenes."""
    values, places = found.parameters.values(), dict[str, list[tuple[Path, tuple[str, ...]]]]()
    for path, expression in expressions(found.parametric):
        if _elsewhere(found, path, scenes):
            continue
        kinds = next((_MAY_BE[part] for part in reversed(path) if part in _MAY_BE), None)
        if kinds and path[-1] == "thickness" and _is_row(found, path):
            kinds = ("period", *kinds)  # from row to row
        if kinds and (name := _alone(found, expression, values)) and name in words and not words[name].equal:
            places.setdefault(name, []).append((path, kinds))
    out = {}
    for name, stands in places.items():
        said = words[name].kinds
        wrong = next((path for path, kinds in stands if said and not said.intersection(kinds)), None)
        whole = next((path for path, _ in stands if words[name].ranged and path[-1] not in _VIEWS), None)
        if whole is not None:
            out[name] = f"it is {dotted(whole)}, and its words state a range and no value"
        elif wrong is not None:
            out[name] = f"it is {dotted(wrong)}, and the words quoted for it speak of something else"
        elif (
            apart := next((path for path, kinds in stands if kinds[0] != stands[0][1][0]), None)
        ) is not None:
            out[name] = (
                f"it is {dotted(stands[0][0])} and {dotted(apart)}, and its words do not say that these are equal"
            )
    return out


def _is_row(found: Description, path: Path) -> bool:
    """Whether a thickness is that of a layer which holds a row of rods."""
    layer: Any = found.parametric
    for step in path[:-1]:
        layer = layer[step]
    return any(body.get("type") == "rod" for body in layer.get("pattern", ()))


def _elsewhere(found: Description, path: Path, scenes: Collection[str] | None) -> bool:
    """Whether a place lies in another scene than these."""
    return (
        scenes is not None and path[0] == "scenes" and found.parametric["scenes"][path[1]]["id"] not in scenes
    )


def altered(
    found: Description, words: Mapping[str, InputWords], scenes: Collection[str] | None = None
) -> dict[str, str]:
    """Input -> where a part of it, or a multiple, stands for what its words say that it is (half the film's thickness); in these
    scenes.

    Looked at are sizes, lengths of light, constants of media. Places are anybody's arithmetic.
    """
    values, out = found.parameters.values(), dict[str, str]()
    for path, number, expressed in _sizes(found, values):
        if _elsewhere(found, path, scenes):
            continue
        own, field = _moving(found, values, path, number, expressed), _field(path)
        name = next((name for name in own if name in words and values[name]), "")
        inside = _index_inside(found, path, values)
        said = words[name].kinds or words[name].symbol if name else frozenset[str]()
        if len(own) == 1 and name and not fair_part(field, said, number, values[name], inside):
            out.setdefault(
                name, f"{dotted(path)} is {abs(number / values[name]):.4g} times it, and nothing says so"
            )
        elif len(own) > 1 and name and field in ("index", "epsilon"):
            there = [
                other
                for place, other, _ in _sizes(found, values)
                if scenes is not None
                and place[:1] == path[:1] == ("scenes",)
                and place[1] != path[1]
                and place[2:] == path[2:]
                and not _elsewhere(found, place, scenes)
            ]
            if ends_of_quotient(found, own, number, there, values) or offset_as_said(
                found, own, number, values
            ):
                continue
            made = f"{dotted(path)} = {number:.6g} is arithmetic on {', '.join(own)}"
            out.setdefault(name, f"{made}, and nothing says so")
        elif (
            len(own) > 1
            and name
            and field in LENGTHS
            and not _stacked(found, path, values, number, own, words)
            and not fair_sum(found, field, own, words, number, inside)
        ):
            out.setdefault(
                name,
                f"{dotted(path)} = {number:.6g} {found.parameters.scale} is arithmetic on {', '.join(own)} that nothing says: "
                "no sum or difference of lengths, stated share of one, or part of a wavelength in the medium",
            )
    return out


def inputs_of_scene(found: Description, scene_id: str) -> frozenset[str]:
    """The declared parameters that a scene's structure and light are made of."""
    scene = next(scene for scene in found.parametric.get("scenes", ()) if scene["id"] == scene_id)
    return frozenset().union(
        *(
            found.parameters.closure(name)
            for _, expression in expressions(scene)
            for name in names(expression)
        )
    )


def sizes_of(found: Description, scene_id: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """(part, place, inputs) of each size of a scene's layers and bodies that is one length as it is, or made of several."""
    number = next(place for place, one in enumerate(found.parametric["scenes"]) if one["id"] == scene_id)
    values, items = found.parameters.values(), found.parameters.items()
    for path, value, expressed in _sizes(found, values):
        field = _field(path)
        if (
            path[:2] != ("scenes", number)
            or field not in (*LENGTHS, *EXTENTS)
            or field in ("period", "waist")
        ):
            continue
        own = [
            name
            for name in _moving(found, values, path, value, expressed)
            if UNITS[items[name].unit].power == 1
        ]
        part = path[:-1] if isinstance(path[-1], str) else path[:-2]
        if len(own) > 1 and _stacked(found, path, values, value, own):
            continue
        if len(own) > 1 or (own and math.isclose(abs(value), values[own[0]], rel_tol=ALIKE)):
            yield dotted(part), dotted(path), tuple(own)


def typed(found: Description, scene_id: str) -> tuple[str, ...]:
    """ "place = number" of every medium and size of a scene that rests on nothing the paper gives; 1 is empty space, or 1 a."""
    scene = next(scene for scene in found.parametric.get("scenes", ()) if scene["id"] == scene_id)
    free = {1.0} if found.parameters.scale == "a" else frozenset[float]()
    out = []
    for path, value in _numbers(scene):
        field = _field(path)
        if (
            field in ("index", "epsilon")
            and value != 1.0
            or field in ("resistance", *LENGTHS)
            and value not in free
        ):
            out.append(f"{dotted(path)} = {value:g}")
    return tuple(out)


def _numbers(node: Any, path: Path = ()) -> Iterator[tuple[Path, float]]:
    """Every number of a document that is typed: it rests on no parameter."""
    if isinstance(node, Mapping):
        if set(node) == {"="}:
            if not names(node["="]):
                yield path, evaluate(node["="], {})
            return
        for key, value in node.items():
            yield from _numbers(value, (*path, key))
    elif isinstance(node, (list, tuple)):
        for index, value in enumerate(node):
            yield from _numbers(value, (*path, index))
    elif isinstance(node, (int, float)) and not isinstance(node, bool):
        yield path, float(node)


def _stacked(
    found: Description,
    path: Path,
    values: Mapping[str, float],
    number: float,
    own: Sequence[str],
    words: Mapping[str, InputWords] = {},
) -> bool:
    """Whether a radius is where a shell ends that lies on others about one centre, each as thick as a declared length, the innermost
    half of what words call a diameter: as a film that lies on films, it begins where the one below ends, whatever words say of sums."""
    if len(path) != 5 or path[2] != "bodies":
        return False
    if path[-1] in EXTENTS:
        return _nested(found, path, values, number, own)
    if path[-1] not in _ROUND:
        return False
    steps, reached = [values[name] for name in own], [0.0]
    cores = [
        values[name] / 2
        for name in own
        if name in words and "diameter" in (words[name].kinds or words[name].symbol) and not words[name].whole
    ]
    bodies = found.parametric["scenes"][path[1]]["bodies"]
    centre = _plain(bodies[path[3]].get("center"), values)
    for radius in sorted(
        {
            _plain(body[name], values)
            for body in bodies[:_MOST_SHELLS]
            for name in _ROUND
            if name in body and _plain(body.get("center"), values) == centre
        }
    ):
        core = len(reached) == 1 and any(math.isclose(radius, half, rel_tol=1e-6) for half in cores)
        if core or any(
            math.isclose(radius - below, step, rel_tol=1e-6) for below in reached for step in steps
        ):
            reached.append(radius)
    return any(math.isclose(number, radius, rel_tol=ALIKE) for radius in reached[1:])


def _nested(
    found: Description, path: Path, values: Mapping[str, float], number: float, own: Sequence[str]
) -> bool:
    """Whether a body reaches, along an axis, one declared length further on both sides than another about the same middle, which
    hides the rest of it: films on both sides of a core, drawn as one body below the core."""
    bodies, axis = found.parametric["scenes"][path[1]]["bodies"][:_MOST_SHELLS], path[-1]
    ranges = [_plain(body[axis], values) for body in bodies if body.get(axis) is not None]
    ends = [(low, high) for low, high in ranges if max(abs(low), abs(high)) < INF]
    middle = sum(_plain(bodies[int(path[3])][axis], values)) / 2 if int(path[3]) < len(bodies) else math.nan
    steps, reached = [values[name] for name in own], [0.0]
    for size in sorted(
        {high - low for low, high in ends if abs((low + high) / 2 - middle) <= 1e-9 * (high - low)}
    ):
        if any(
            math.isclose(size - below, sides * step, rel_tol=1e-6)
            for below in reached
            for step in steps
            for sides in ((1, 2) if below else (1,))
        ):
            reached.append(size)
    return any(math.isclose(number, size, rel_tol=ALIKE) for size in reached[1:])


def _plain(node: Any, values: Mapping[str, float]) -> Any:
    """A node of the document in plain numbers."""
    if isinstance(node, Mapping) and set(node) == {"="}:
        return evaluate(node["="], values)
    return tuple(_plain(each, values) for each in node) if isinstance(node, (list, tuple)) else node


def _index_inside(found: Description, path: Path, values: Mapping[str, float]) -> float | None:
    """The index of the medium that fills what a size is of; None where that is a confirmed material, or nothing says."""
    node: Any = found.parametric
    for step in path[:-1]:
        node = node[step]
    medium = node.get("medium") if isinstance(node, Mapping) and not node.get("pattern") else None
    for name, power in (("index", 1.0), ("epsilon", 0.5)):
        told: Any = (medium or {}).get(name)
        told = evaluate(told["="], values) if isinstance(told, Mapping) and "=" in told else told
        if isinstance(told, (int, float)) and told > 0:
            root: float = float(told) ** power
            return root
    return None


def _sizes(found: Description, values: Mapping[str, float]) -> Iterator[tuple[Path, float, tuple[str, ...]]]:
    """(path, value, expressions) of every size, wavelength and constant of the document; an extent counts from side to side."""
    ends: dict[Path, list[str]] = {}
    for path, expression in expressions(found.parametric):
        field = _field(path)
        if field in _MAY_BE or field in _OF_MEDIA or field == "size":
            yield path, evaluate(expression, values), (expression,)
        elif field in EXTENTS and isinstance(path[-1], int):
            ends.setdefault(path[:-1], []).append(expression)
    for path, both in ends.items():
        node: Any = found.parametric
        for step in path:
            node = node[step]
        numbers = [evaluate(end["="], values) if isinstance(end, Mapping) else end for end in node]
        if len(numbers) == 2 and all(isinstance(end, (int, float)) and abs(end) < INF for end in numbers):
            yield path, numbers[1] - numbers[0], tuple(both)


def _moving(
    found: Description, values: Mapping[str, float], path: Path, number: float, expressed: Sequence[str]
) -> tuple[str, ...]:
    """The inputs that a size changes with: what reaches from gap / 2 to gap / 2 + t is as long as t."""
    own = _inputs_of(found, expressed)
    if len(own) < 2:
        return own
    moved = {
        name: next(
            size
            for place, size, _ in _sizes(found, found.parameters.values({name: values[name] * 1.01 or 1.0}))
            if place == path
        )
        for name in own
    }
    return tuple(name for name in own if not math.isclose(moved[name], number, rel_tol=ALIKE))


def _inputs_of(found: Description, expressed: Sequence[str]) -> tuple[str, ...]:
    """What expressions rest on that is not derived from anything."""
    rests = frozenset().union(*(found.parameters.closure(name) for one in expressed for name in names(one)))
    return tuple(sorted(name for name in rests if found.parameters.items()[name].origin != "derived"))


def _field(path: Path) -> str:
    return next((part for part in reversed(path) if isinstance(part, str)), "")


def _alone(found: Description, expression: str, values: Mapping[str, float]) -> str:
    """The one input of the paper's that an expression is, whatever it is wrapped in; '' if it is arithmetic on several."""
    own = _inputs_of(found, (expression,))
    if len(own) != 1 or not values[own[0]]:
        return ""
    return own[0] if math.isclose(evaluate(expression, values), values[own[0]], rel_tol=ALIKE) else ""


def _parts_of(document: Mapping[str, Any], target_id: str) -> list[Mapping[str, Any]]:
    """The scenes, quantities and sweeps that answer a target; the whole document where that is not plain."""
    quantities = {item["id"]: item for item in document.get("quantities", ())}
    sweeps = [item for item in document.get("sweeps", ()) if target_id in item.get("answers", ())]
    answering = [item for item in quantities.values() if target_id in item.get("answers", ())]
    answering += [quantities[sweep["of"]] for sweep in sweeps if sweep.get("of") in quantities]
    waiting = [
        name for item in answering for name in item.get("of", ()) if isinstance(item.get("of"), (list, tuple))
    ]
    answering += [quantities[name] for name in waiting if name in quantities]
    lit = {item["scene"] for item in answering if "scene" in item}
    scenes = [scene for scene in document.get("scenes", ()) if scene["id"] in lit]
    return [*scenes, *answering, *sweeps] if scenes else [document]
