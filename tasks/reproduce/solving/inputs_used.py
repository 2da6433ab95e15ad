"""Which inputs of the paper's a target rests on, and whether a description takes one for another thing than its words say."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from schemas.reproduce.bound import InputWords
from simkit.describe.document import Path, dotted, expressions
from simkit.describe.media import names_of_materials
from simkit.describe.numbers import evaluate, names
from tasks.reproduce.solving.describing import Description

# field of a description -> the kinds of thing that a number standing there alone may be called, the first its own
_MAY_BE: dict[str, tuple[str, ...]] = {name: tuple(kinds.split()) for name, kinds in {
    "thickness": "vertical lateral along gap place", "period": "period lateral place gap", "radius": "radius place",
    "inner": "radius place", "outer": "radius place", "index": "index", "epsilon": "permittivity", "wavelength": "light",
    "waist": "radius waist", "shortest": "light", "longest": "light"}.items()}
_VIEWS = ("shortest", "longest")
_ALIKE = 1e-9


def inputs_used(found: Description, target_id: str) -> frozenset[str]:
    """The declared parameters that a target's scene, quantities and sweeps are made of, counts and views included."""
    parts = _parts_of(found.parametric, target_id)
    own = frozenset().union(*(names(expression) for part in parts for _, expression in expressions(part)))
    own |= {part["parameter"] for part in parts if part.get("type") == "sweep"} & set(found.parameters.items())
    return frozenset().union(*(found.parameters.closure(name) for name in own)) | frozenset(found.parameters._counted)


def materials_used(found: Description, target_id: str) -> frozenset[str]:
    """"material NAME" of each confirmed material in a target's scene."""
    return frozenset(f"material {name}" for part in _parts_of(found.parametric, target_id)
                     for name in names_of_materials(dict(part)))


def taken_for_another(found: Description, words: Mapping[str, InputWords]) -> dict[str, str]:
    """Input -> where it stands alone for something that its words do not call it, or for two things at once."""
    values, places = found.parameters.values(), dict[str, list[tuple[Path, tuple[str, ...]]]]()
    for path, expression in expressions(found.parametric):
        kinds = next((_MAY_BE[part] for part in reversed(path) if part in _MAY_BE), None)
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
        elif (apart := next((path for path, kinds in stands if kinds[0] != stands[0][1][0]), None)) is not None:
            out[name] = f"it is {dotted(stands[0][0])} and {dotted(apart)}, and its words do not say that these are equal"
    return out


def _alone(found: Description, expression: str, values: Mapping[str, float]) -> str:
    """The one input of the paper's that an expression is, whatever it is wrapped in; '' if it is arithmetic on several."""
    rests = frozenset().union(*(found.parameters.closure(name) for name in names(expression)))
    own = [name for name in rests if found.parameters.items()[name].origin != "derived"]
    if len(own) != 1 or not values[own[0]]:
        return ""
    return own[0] if math.isclose(evaluate(expression, values), values[own[0]], rel_tol=_ALIKE) else ""


def _parts_of(document: Mapping[str, Any], target_id: str) -> list[Mapping[str, Any]]:
    """The scenes, quantities and sweeps that answer a target; the whole document where that is not plain."""
    quantities = {item["id"]: item for item in document.get("quantities", ())}
    sweeps = [item for item in document.get("sweeps", ()) if target_id in item.get("answers", ())]
    answering = [item for item in quantities.values() if target_id in item.get("answers", ())]
    answering += [quantities[sweep["of"]] for sweep in sweeps if sweep.get("of") in quantities]
    waiting = [name for item in answering for name in item.get("of", ()) if isinstance(item.get("of"), (list, tuple))]
    answering += [quantities[name] for name in waiting if name in quantities]
    lit = {item["scene"] for item in answering if "scene" in item}
    scenes = [scene for scene in document.get("scenes", ()) if scene["id"] in lit]
    return [*scenes, *answering, *sweeps] if scenes else [document]
