"""Honest mistakes of how a scene is lit and of what is measured in it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from simkit.describe import EffectiveIndex, GroupIndex, LineWidth, QualityFactor, Reflectance, Transmittance
from simkit.describe.base import Described
from tests.faults.parsed import Document, Place, Stage, at, put

Made = Iterator[tuple[str, str, Document]]
"""(what was done, in words; a pattern of words that lead to it; the description with the mistake)"""


def choice(*fields: str) -> Callable[[Stage], Made]:
    """Another of the words that are allowed in a field, in everything that says it."""

    def find(stage: Stage) -> Made:
        spots = [s for s in stage.spots if s.field in fields and s.choices]
        for value, kind, field in dict.fromkeys((s.value, s.owner, s.field) for s in spots):
            alike = [s for s in spots if (s.value, s.owner, s.field) == (value, kind, field)]
            for other in alike[0].choices:
                if other != value and {other, value} not in ({"x", "s"}, {"y", "p"}, {"x", "p"}, {"y", "s"}):
                    yield (
                        f"{field} {other} for {value}",
                        _SAID.get(field, field),
                        put(stage.document, {s.place: other for s in alike}),
                    )

    return find


_SAID = {
    "polarization": r"polari[sz]|electric field|\bE\b along",
    "orientation": r"orient|dipole.*along",
    "light_from": r"light.*(?:from|comes)|side",
    "direction": r"direction|travels",
    "field": r"polari[sz]|Ez|Hz",
    "side": r"transmitted|reflected",
    "process": r"scatter|absor|extinct",
    "what": r"edge|ratio|width",
    "k": r"\bat (?:X|M|K|Gamma)\b|corner",
    "component": r"component|E[xyz]",
    "path": r"path",
}


def count(changed: Callable[[int], int], *fields: str) -> Callable[[Stage], Made]:
    """Another whole number in a quantity or a scene."""

    def find(stage: Stage) -> Made:
        for spot in stage.spots:
            if (
                spot.field in fields
                and isinstance(spot.value, int)
                and (new := changed(spot.value)) not in (spot.value, 0)
            ):
                yield (
                    f"{spot.field} {new} for {spot.value}",
                    rf"{spot.field}|order|band",
                    put(stage.document, {spot.place: new}),
                )

    return find


_SIBLINGS = ((Reflectance, Transmittance), (EffectiveIndex, GroupIndex), (QualityFactor, LineWidth))


def another_quantity(stage: Stage) -> Made:
    for one, two in (*_SIBLINGS, *((b, a) for a, b in _SIBLINGS)):
        changes: dict[Place, Any] = {}
        for index, quantity in enumerate(stage.document["quantities"]):
            if quantity["type"] == _type(one) and quantity["answers"]:
                changes[("quantities", index, "type")] = _type(two)
        if changes:
            yield (
                f"{two.__name__} for {one.__name__}",
                f"{_type(two)}|{_type(one)}|transmitted into".replace("_", "[ _]"),
                put(stage.document, changes),
            )


def _type(word: type[Described]) -> str:
    return str(word.model_fields["type"].default)


def crossed_answers(stage: Stage) -> Made:
    for group in ("quantities", "sweeps"):
        items = stage.document[group]
        for one, two in itertools.combinations(range(len(items)), 2):
            if items[one]["type"] == items[two]["type"] and items[one]["answers"] and items[two]["answers"]:
                changes: dict[Place, Any] = {
                    (group, one, "answers"): items[two]["answers"],
                    (group, two, "answers"): items[one]["answers"],
                }
                yield (
                    f"results of {items[one]['id']} and {items[two]['id']} the other way round",
                    "other way|exchanged|round",
                    put(stage.document, changes),
                )


def band_cut(upper: bool) -> Callable[[Stage], Made]:
    """The band reaches over one half of what it should."""

    def find(stage: Stage) -> Made:
        for low, high in (("shortest", "longest"), ("lowest", "highest")):
            changes: dict[Place, Any] = {}
            for spot in stage.spots:
                if spot.field == (high if upper else low) and isinstance(spot.value, dict):
                    both = at(stage.document, spot.place[:-1])
                    changes[spot.place] = {"=": f"({both[low]['=']} + {both[high]['=']}) / 2"}
            if changes:
                yield (
                    f"the band without its {'upper' if upper else 'lower'} half",
                    r"band|view|cover|reach|search",
                    put(stage.document, changes),
                )

    return find


def sweep_cut(stage: Stage) -> Made:
    changes: dict[Place, Any] = {
        ("sweeps", index, "high"): {"=": f"({sweep['low']['=']} + {sweep['high']['=']}) / 2"}
        for index, sweep in enumerate(stage.document["sweeps"])
    }
    if changes:
        yield "the sweep without its upper half", r"sweep|cover|reach", put(stage.document, changes)


def normalised(new: str) -> Callable[[Stage], Made]:
    def find(stage: Stage) -> Made:
        changes: dict[Place, Any] = {}
        for spot in stage.spots:
            if spot.field == "per" and isinstance(spot.value, dict):
                changes[spot.place] = {"=": f"({spot.expression}) / 2"} if new == "half" else None
        if changes:
            yield (
                f"cross-section over {'the radius' if new == 'half' else 'nothing'}",
                r"\bper\b|efficien|over the",
                put(stage.document, changes),
            )

    return find
