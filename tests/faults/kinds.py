"""Honest mistakes of a description, by kind: each finds the places of a parsed description where it can be made."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from simkit.describe.numbers import names
from simkit.describe.parameters import Parameter
from simkit.describe.units import UNITS
from tests.faults.asked import (
    Made,
    another_quantity,
    band_cut,
    choice,
    count,
    crossed_answers,
    normalised,
    sweep_cut,
)
from tests.faults.parsed import Document, Place, Spot, Stage, put, renamed, without

_NEAR = 3.0  # times as large: what is farther off nobody takes for the other
VACUUM: Document = {
    "kind": "medium",
    "material": None,
    "index": 1.0,
    "epsilon": None,
    "poles": [],
    "chi2": 0.0,
    "chi3": 0.0,
}


@dataclass(frozen=True)
class Kind:
    """A kind of mistake. find: the places of a stage's description where it can be made, each with its outcome."""

    name: str
    words: str
    find: Callable[[Stage], Made]


def _shaping(stage: Stage, power: str) -> list[Parameter]:
    """The paper's inputs of a kind ('length', 'pure') that stand in structure or light, not only in a view."""
    lengths = {
        u
        for s in stage.spots
        if "length" in s.kind and isinstance(s.value, dict)
        for u in names(s.expression)
    }
    return [
        p
        for p in stage.inputs
        if p.id in stage.shaping and (p.unit != "1" and p.id in lengths) == (power == "length")
    ]


def _base(item: Parameter) -> float:
    """An input's value in base units."""
    return (item.value or 0.0) * UNITS[item.unit].factor


def _leading(item: Parameter) -> str:
    """Words that lead to an input which is taken for another: its name, or of light and angles what was sent in."""
    if "wavelength" in item.id:
        return rf"{re.escape(item.id)}|has light of"
    return rf"{re.escape(item.id)}|sent in at" if item.unit in ("deg", "rad") else re.escape(item.id)


def _misread(into: Callable[[Parameter], str], only: str = "") -> Callable[[Stage], Made]:
    """A length that is taken for a function of itself wherever it stands."""

    def find(stage: Stage) -> Made:
        for item in _shaping(stage, "length"):
            if re.search(only, item.id):
                new = into(item)
                yield f"{new} for {item.id}", _leading(item), renamed(stage.document, item.id, new)

    return find


def _another(power: str) -> Callable[[Stage], Made]:
    """Another input of the paper of the same dimension, from another line."""

    def find(stage: Stage) -> Made:
        others = [p for p in stage.inputs if (p.unit == "1") == (power != "length")]
        for item in _shaping(stage, power):
            for other in others:
                near = (
                    abs(math.log(abs(_base(other) / _base(item)))) < math.log(_NEAR)
                    if _base(item) and _base(other)
                    else False
                )
                if other.id != item.id and near and _base(other) != _base(item):
                    yield (
                        f"{other.id} for {item.id}",
                        f"{_leading(item)}|{re.escape(other.id)}",
                        renamed(stage.document, item.id, other.id),
                    )

    return find


def _media(node: Any, place: Place = ()) -> Iterator[tuple[Place, Document]]:
    if isinstance(node, dict):
        if node.get("kind") in ("medium", "perfect_conductor"):
            yield place, node
        else:
            for key, value in node.items():
                yield from _media(value, (*place, key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from _media(value, (*place, index))


def _told(medium: Document) -> str:
    given = medium.get("material") or medium.get("index") or medium.get("epsilon") or medium["kind"]
    return str(given["="] if isinstance(given, dict) else given)


def _different(stage: Stage) -> dict[str, Document]:
    """The different media of a description, by their words."""
    return {json.dumps(medium): medium for _, medium in _media(stage.document)}


def _exchanged(stage: Stage) -> Made:
    for one, two in itertools.combinations(_different(stage).values(), 2):
        changes = {p: two if m == one else one for p, m in _media(stage.document) if m in (one, two)}
        yield (
            f"{_told(one)} and {_told(two)} exchanged",
            f"{re.escape(_told(one))}|{re.escape(_told(two))}|denser side|guides nothing|out of a metal",
            put(stage.document, changes),
        )


def _around(fields: tuple[str, ...], emptied: bool) -> Callable[[Stage], Made]:
    """What lies around or beneath: empty for a medium, or filled for empty space."""

    def find(stage: Stage) -> Made:
        for field in fields:
            there = [(p, m) for p, m in _media(stage.document) if p[-1] == field]
            for medium in {json.dumps(m): m for _, m in there}.values():
                if (medium.get("index") == 1.0) == emptied:
                    continue
                others = (
                    [VACUUM]
                    if emptied
                    else [m for m in _different(stage).values() if m != medium and m["kind"] == "medium"]
                )
                for other in others:
                    yield (
                        f"{field}: {_told(other)} for {_told(medium)}",
                        rf"{field}\b.*(?:vacuum|air|{re.escape(_told(medium))})",
                        put(stage.document, {p: other for p, m in there if m == medium}),
                    )

    return find


def _index_for_epsilon(stage: Stage) -> Made:
    for medium in _different(stage).values():
        for old, new in (("index", "epsilon"), ("epsilon", "index")):
            if isinstance(medium.get(old), dict) and "=" in medium[old]:
                swapped = {**medium, old: None, new: medium[old]}
                changes = {p: swapped for p, m in _media(stage.document) if m == medium}
                yield (
                    f"{new}={_told(medium)} for {old}",
                    r"epsilon|permittivit|squared|medium\.index|guides nothing",
                    put(stage.document, changes),
                )


def _other_material(stage: Stage) -> Made:
    known = [m["name"] for m in stage.recorded.planned["plan"]["materials"]]
    for medium in _different(stage).values():
        for other in known:
            if medium.get("material") and medium["material"] != other:
                changes = {p: {**medium, "material": other} for p, m in _media(stage.document) if m == medium}
                yield (
                    f"material {other} for {medium['material']}",
                    re.escape(medium["material"]),
                    put(stage.document, changes),
                )


def _ideal(stage: Stage) -> Made:
    pages = {m["name"] for m in stage.recorded.planned["plan"]["materials"] if m.get("index") is None}
    for medium in _different(stage).values():
        if medium.get("material") in pages:
            changes = {p: {"kind": "perfect_conductor"} for p, m in _media(stage.document) if m == medium}
            yield (
                f"a perfect conductor for {medium['material']}",
                rf"ideal|perfect|{re.escape(medium['material'])}",
                put(stage.document, changes),
            )


def _left_out(*lists: str) -> Callable[[Stage], Made]:
    """One entry of a list of things is missing in every scene that holds it."""

    def find(stage: Stage) -> Made:
        for index, scene in enumerate(stage.document["scenes"]):
            for place, things in _lists(scene, lists, ("scenes", index)):
                for number, thing in enumerate(things):
                    name = thing.get("id") or thing["type"]
                    yield (
                        f"{scene['id']} without {name}",
                        rf"without|missing|nothing depends on it|{re.escape(name)}\b",
                        without(stage.document, (*place, number)),
                    )

    return find


def _lists(node: Any, lists: tuple[str, ...], place: Place) -> Iterator[tuple[Place, list[Any]]]:
    if isinstance(node, dict):
        for key, value in node.items():
            if key in lists and isinstance(value, list):
                yield (*place, key), value
            yield from _lists(value, lists, (*place, key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from _lists(value, lists, (*place, index))


def _one_sided(stage: Stage) -> Made:
    """Bodies that lie about zero end there: half of what was to be drawn."""
    changes: dict[Place, Any] = {}
    for spot in stage.spots:
        if spot.place[-1] == 0 and isinstance(spot.value, dict) and "(-inf)" not in spot.expression:
            other = next((s for s in stage.spots if s.place == (*spot.place[:-1], 1)), None)
            if other and isinstance(other.value, dict) and not spot.view and _opposite(stage, spot, other):
                changes[spot.place] = 0.0
    if changes:
        yield (
            "bodies from 0 instead of from minus a half",
            r"\bhalf\b|one-sided|width",
            put(stage.document, changes),
        )


def _opposite(stage: Stage, one: Spot, two: Spot) -> bool:
    from simkit.describe.numbers import evaluate

    values = {p.id: _base(p) for p in stage.inputs} | {
        p["id"]: 1.0
        for p in stage.design.get("parameters", ())
        if p["id"] not in {q.id for q in stage.inputs}
    }
    low, high = evaluate(one.expression, values), evaluate(two.expression, values)
    return low < 0 and abs(low + high) < 1e-9 * high


def _lattice(stage: Stage) -> Made:
    for index, scene in enumerate(stage.document["scenes"]):
        kind = scene.get("lattice", {}).get("type")
        if kind in ("square", "hexagonal"):
            other = "hexagonal" if kind == "square" else "square"
            changed = put(stage.document, {("scenes", index, "lattice", "type"): other})
            yield f"a {other} lattice for a {kind} one", "lattice|hexagonal|square", changed


def _square_rod(stage: Stage) -> Made:
    changes = {}
    for place, bodies in _lists(stage.document["scenes"], ("bodies",), ("scenes",)):
        for number, body in enumerate(bodies):
            if body["type"] == "cylinder" and body["axis"] == "z":
                r = body["radius"]["="]
                sides = [{"=": f"-({r})"}, {"=": r}]
                changes[(*place, number)] = {
                    "id": body["id"], "medium": body["medium"], "type": "block", "x": sides, "y": sides, "z": body["bounds"],
                }  # fmt: skip
    if changes:
        yield "a square rod for a round one", r"square|round|circular|block", put(stage.document, changes)


def _filled_ring(stage: Stage) -> Made:
    changes: dict[Place, Any] = {
        (*place, number, "filling"): body["medium"]
        for place, bodies in _lists(stage.document["scenes"], ("bodies",), ("scenes",))
        for number, body in enumerate(bodies)
        if body["type"] == "ring"
    }
    if changes:
        yield "a disk for a ring", r"disk|disc|hole|filling|filled", put(stage.document, changes)


def _turned(stage: Stage) -> Made:
    """Blocks stand along the other axis."""
    changes: dict[Place, Any] = {}
    for place, bodies in _lists(stage.document["scenes"], ("bodies",), ("scenes",)):
        for number, body in enumerate(bodies):
            if body["type"] == "block":
                changes[(*place, number, "x")], changes[(*place, number, "y")] = body["y"], body["x"]
    if changes:
        yield (
            "x and y of the blocks exchanged",
            r"\baxis\b|along [xy]|direction|uniform",
            put(stage.document, changes),
        )


def _in_medium(over: bool, only: str) -> Callable[[Stage], Made]:
    """A wavelength or a thickness in vacuum for one in the medium, or the other way round."""

    def find(stage: Stage) -> Made:
        indices = dict.fromkeys(
            m["index"]["="]
            for m in _different(stage).values()
            if isinstance(m.get("index"), dict) and "=" in m["index"]
        )
        for item in _shaping(stage, "length"):
            for index in indices if re.search(only, item.id) else ():
                new = f"{item.id} {'/' if over else '*'} {index}"
                yield (
                    f"{new} for {item.id}",
                    f"{re.escape(item.id)}|optical",
                    renamed(stage.document, item.id, new),
                )

    return find


def _negative(stage: Stage) -> Made:
    for spot in stage.spots:
        if (
            spot.kind in ("angle", "length")
            and isinstance(spot.value, dict)
            and not spot.view
            and "inf" not in spot.expression
        ):
            if spot.field in ("angle", "position", "center"):
                yield (
                    f"{spot.field} -({spot.expression})",
                    f"sign|negative|{spot.field}",
                    put(stage.document, {spot.place: {"=": f"-({spot.expression})"}}),
                )


def _from_the_surface(stage: Stage) -> Made:
    for spot in stage.spots:
        if spot.field == "angle" and isinstance(spot.value, dict):
            yield (
                "an angle from the surface for one from the normal",
                r"angle|surface",
                put(stage.document, {spot.place: {"=": f"pi / 2 - ({spot.expression})"}}),
            )


KINDS: tuple[Kind, ...] = (
    Kind("diameter for radius", "twice a stated length", _misread(lambda p: f"2 * {p.id}", "radius|width|depth|thick|gap|distance")),
    Kind("radius for diameter", "half a stated length", _misread(lambda p: f"{p.id} / 2", "radius|width|depth|thick|gap|distance")),
    Kind("half the cell", "half a stated period or lattice constant", _misread(lambda p: f"{p.id} / 2", "period|lattice|pitch")),
    Kind("twice the cell", "twice a stated period or lattice constant", _misread(lambda p: f"2 * {p.id}", "period|lattice|pitch")),
    Kind("2 pi", "a wavelength over 2 pi, as if it were a wave number's", _misread(lambda p: f"{p.id} / (2 * pi)", "wavelength")),
    Kind("another length", "a length from another line of the paper", _another("length")),
    Kind("another index", "a pure number from another line of the paper", _another("pure")),
    Kind("in the medium", "a wavelength or a length divided by an index", _in_medium(True, "")),
    Kind("optical length", "a thickness or a wavelength times an index", _in_medium(False, "wavelength|thick|depth|width")),
    Kind("n for epsilon", "an index taken for a permittivity, or the other way round", _index_for_epsilon),
    Kind("media exchanged", "core and cladding, rod and hole, film and bar", _exchanged),
    Kind("nothing around", "vacuum for what lies around or beneath", _around(("below", "above", "background", "filling"), True)),
    Kind("not empty", "a medium where there is empty space", _around(("below", "above", "background", "filling"), False)),
    Kind("other material", "the table of another material", _other_material),
    Kind("ideal metal", "a perfect conductor for a material of a table", _ideal),
    Kind("missing layer", "a layer of the stack is left out", _left_out("layers")),
    Kind("missing body", "a body or a part of a pattern is left out", _left_out("bodies", "pattern")),
    Kind("one-sided", "a body from zero in place of about zero", _one_sided),
    Kind("other lattice", "square for hexagonal", _lattice),
    Kind("square rod", "a square rod for a round one", _square_rod),
    Kind("filled ring", "a disk for a ring", _filled_ring),
    Kind("wrong axis", "bodies along the other axis", _turned),
    Kind("polarisation", "the other polarisation", choice("polarization")),
    Kind("parity or family of the mode", "the other field out of the plane", choice("field")),
    Kind("dipole's direction", "the dipole along another axis", choice("orientation")),
    Kind("side of illumination", "light from the other side", choice("light_from")),
    Kind("sign of k", "light along another direction", choice("direction")),
    Kind("reflected for transmitted", "an order on the other side", choice("side")),
    Kind("other process", "scattering, absorption, extinction confused", choice("process")),
    Kind("edge for edge", "another number of a gap", choice("what")),
    Kind("other corner", "another corner of the zone", choice("k")),
    Kind("other component", "another component of a field", choice("component")),
    Kind("next order", "the next order, band or mode", count(lambda n: n + 1, "order", "band", "mode", "m", "above", "second")),
    Kind("sign of an order", "the order of the other sign", count(lambda n: -n, "order", "m")),
    Kind("another quantity", "R for T, group for phase index, width for Q", another_quantity),
    Kind("results crossed", "two results the other way round", crossed_answers),
    Kind("band cut above", "a band that cuts the peak", band_cut(True)),
    Kind("band cut below", "a band that cuts the peak", band_cut(False)),
    Kind("sweep cut", "a sweep that ends too early", sweep_cut),
    Kind("sign of an angle", "the other sign of an angle or a position", _negative),
    Kind("angle from the surface", "from the surface in place of the normal", _from_the_surface),
    Kind("radius in an efficiency", "a cross-section over half of the width", normalised("half")),
    Kind("cross-section for efficiency", "a cross-section over nothing", normalised("none")),
)  # fmt: skip
