"""Does a value come from the fields? Four tries at the coarse rung, two of them without any simulation.

Blank structure: every body made of what surrounds it. Moved parameters: each by 3 %. Disturbed raw data: a wave added to
every array; and a change of 1e-6, to which an honest value answers smoothly. Dilation: all lengths times two changes every
number by a whole power, because Maxwell's equations have no scale.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from schemas.reproduce.simulations.numerics import Witness
from simkit.arrange import Numerics
from simkit.describe.base import RESOLVED
from simkit.describe.document import used
from simkit.describe.media import names_of_materials
from simkit.describe.problem import quantity_of
from simkit.describe.units import UNITS
from tasks.reproduce.measuring import Curve, Measured, Raw, Scalar
from tasks.reproduce.solving.groups import Group
from tasks.reproduce.solving.one_run import Solver
from tasks.reproduce.solving.varying import Missing, Value, measured, scene_values
from tasks.reproduce.uncertainty.climbed import Climb
from tasks.reproduce.uncertainty.error_parts import difference, scale_of
from tasks.reproduce.uncertainty.free import parted
from tasks.reproduce.uncertainty.power_law import power_laws

MOVED, DISTURBED, TINY = 0.03, 0.01, 1e-6
RESPONDS = 1e-6  # of the scale
ROUGHEST = 1e3  # largest honest amplification of a tiny change
_GOLDEN = 0.6180339887  # its multiples spread evenly: levels of arrays that are numbered in turn lie apart
SAME = 1e-3  # misfit that a dilated value may have
_VIEWS = ("frequency", "x", "y", "z", "weights", "directions", "time", "k", "error")


def witnesses(
    climb: Climb, solver: Solver, affordable: Callable[[float], bool]
) -> dict[str, tuple[Witness, ...]]:
    """The witnesses of each quantity with a trusted reducer that has a value; those that cost too much are left out.

    Functions of the writer's own have harder ones (tasks/reproduce/uncertainty/free_witnesses.py).
    """
    own = {q.id for q in parted(climb.group.description.problem.quantities)[1]}
    out: dict[str, list[Witness]] = {name: [] for name in climb.variants if name not in own}
    base = {
        name: value
        for name, value in climb.coarse.values.items()
        if name in out and not isinstance(value, Missing)
    }
    if climb.group.sweep is None:
        for name in base:
            out[name] += _raw_witnesses(climb, name, base[name])
        if affordable(climb.coarse.cost_s):
            _each(out, base, blank(climb, solver), "blank structure", "every body made of its surroundings")
    if affordable(2 * climb.coarse.cost_s):
        _dilation(climb, solver, base, out)
    if affordable(climb.coarse.cost_s):
        for name, witness in power_laws(climb, solver, base).items():
            out[name].append(witness)
    for parameter in moved_parameters(climb.group):
        if not affordable(climb.coarse.cost_s):
            break
        value = climb.group.description.parameters.values()[parameter]
        outcome = climb.group.evaluate_moved(
            climb.coarse, climb.numerics, solver, parameter, value * (1 + MOVED)
        )
        _each(out, base, dict(outcome.values), "moved parameter", f"{parameter} + {MOVED:.0%}", parameter)
    return {name: tuple(found) for name, found in out.items()}


def verdict(found: tuple[Witness, ...]) -> bool | None:
    """Whether a value comes from the fields: it responds to raw data, to the blank structure and to some parameter."""
    tried = [w for w in found if w.passed is not None]
    if not tried:
        return None
    moved = [w.passed for w in tried if w.name == "moved parameter"]
    return all(w.passed for w in tried if w.name != "moved parameter") and (not moved or any(moved))


def moved_parameters(group: Group) -> list[str]:
    """Physical parameters the description rests on that can be moved: no counts, no derived ones, none that only functions of the
    writer's own are given: what these follow is arithmetic, whatever runs a search begins with."""
    parametric = dict(group.description.parametric)
    parametric["quantities"] = [
        {name: value for name, value in quantity.items() if name != "given"}
        for quantity in parametric.get("quantities", ())
    ]
    shaping = used(parametric, group.description.parameters)
    known = group.description.parameters.items()
    return [
        name
        for name, item in known.items()
        if name in group.rests_on & shaping
        and item.origin in ("paper", "assumption")
        and item.value
        and not group.description.shapes(name)
    ]


def disturb(raw: Raw, by: float, turn: int = 0) -> Raw:
    """Every recorded value changed by up to `by` of itself, along a wave about a level of each array's own; abscissae and
    statistics are left alone.

    A wave, because a common factor would not move the place of a minimum; a level, because waves leave a mean over many samples
    where it is, one for each array, because a ratio of two would not see a common one; of each value itself, so that the dark
    ends of a spectrum stay dark. turn: another number, another disturbance.
    """
    out: Raw = {}
    for number, (run, arrays) in enumerate(raw.items()):
        out[run] = {
            key: _waved(key, values, by, number + turn) if _is_data(key, arrays) else values
            for key, values in arrays.items()
        }
    return out


def blank(climb: Climb, solver: Solver, numerics: Numerics | None = None) -> dict[str, Value]:
    """The values with every medium of the scene replaced by the one around it, at the coarse rung if no other is named."""
    problem = climb.group.description.resolved()
    scene = climb.group.scene(problem)
    plain = scene.model_dump(mode="json")
    around = surroundings(plain)
    emptied = _with_medium(plain, around)
    if emptied == plain:
        return {}
    try:
        empty = type(scene).model_validate(emptied, context=RESOLVED)
    except ValidationError:
        return {}
    return dict(
        scene_values(
            empty, climb.group.quantities(problem), numerics or climb.numerics, climb.group.materials, solver
        ).values
    )


def surroundings(plain: Mapping[str, Any]) -> dict[str, Any]:
    """The medium around a scene's bodies: its background, or the side the light comes from; vacuum otherwise."""
    for name in ("background", "surroundings", "around", "medium", "cladding"):
        if isinstance(plain.get(name), dict) and plain[name].get("kind") == "medium":
            return dict(plain[name])
    if plain.get("light_from") in ("below", "above"):
        return dict(plain[plain["light_from"]])
    return {"kind": "medium", "index": 1.0}


def _with_medium(node: Any, medium: dict[str, Any]) -> Any:
    if isinstance(node, dict):
        if node.get("kind") in ("medium", "perfect_conductor"):
            return medium
        return {key: _with_medium(value, medium) for key, value in node.items()}
    return [_with_medium(item, medium) for item in node] if isinstance(node, list) else node


def dilated(group: Group, numerics: Numerics, by: float = 2.0) -> tuple[dict[str, float], Numerics] | None:
    """Parameters and numerics of the problem with every length `by` times as long; None where a table sets the scale."""
    if names_of_materials(dict(group.description.parametric)):
        return None
    items = group.description.parameters.items()
    values = group.description.parameters.values()
    changed = {
        name: values[name] * by ** UNITS[item.unit].power
        for name, item in items.items()
        if item.origin != "derived" and UNITS[item.unit].power
    }
    return changed, replace(numerics, resolution=numerics.resolution / by)


def _dilation(
    climb: Climb, solver: Solver, base: Mapping[str, Measured], out: dict[str, list[Witness]]
) -> None:
    found = dilated(climb.group, climb.numerics)
    if found is None or climb.group.sweep is not None:
        return
    outcome = climb.group.evaluate(found[1], solver, found[0])
    for name, value in base.items():
        other = outcome.values.get(name)
        if other is None or isinstance(other, Missing):
            out[name].append(
                Witness(name="dilation", passed=None, detail="no value" if other is None else other.reason)
            )
            continue
        out[name].append(dilation_witness(value, other))


def dilation_witness(value: Measured, other: Measured) -> Witness:
    """Whether `other`, with all lengths times two, is `value` times its power of two."""
    factor = 2.0**value.power
    if isinstance(value, Scalar) and isinstance(other, Scalar):
        misfit = abs(other.value / factor - value.value) / max(scale_of(value), 1e-300)
    elif isinstance(value, Curve) and isinstance(other, Curve) and value.y.shape == other.y.shape:
        misfit = float(np.max(np.abs(other.y / factor - value.y))) / max(scale_of(value), 1e-300)
    else:
        misfit = float("inf")
    return Witness(
        name="dilation",
        response=min(misfit, 1e300),
        passed=misfit < SAME,
        detail=f"all lengths times two: the value times 2^{value.power}, to {misfit:.1e}",
    )


def _raw_witnesses(climb: Climb, name: str, value: Measured) -> list[Witness]:
    quantity = quantity_of(climb.group.description.problem, name)
    found = []
    for witness, by in (("disturbed raw data", DISTURBED), ("tiny changes", TINY)):
        other = measured(climb.coarse, quantity, disturb(climb.coarse.raw, by))
        if isinstance(other, Missing):  # it noticed that the data are wrong
            passed = True if witness == "disturbed raw data" else None
            found.append(Witness(name=witness, passed=passed, detail=other.reason[:200]))  # type: ignore[arg-type]
            continue
        response = difference(value, other) / max(scale_of(value), 1e-300)
        good = response > RESPONDS if by == DISTURBED else response < ROUGHEST * by
        found.append(
            Witness(
                name=witness,
                response=min(response, 1e300),
                passed=good,  # type: ignore[arg-type]
                detail=f"all recorded values changed by up to {by:g} of themselves",
            )
        )
    return found


def _each(
    out: dict[str, list[Witness]],
    base: Mapping[str, Measured],
    others: Mapping[str, Value],
    name: Any,
    detail: str,
    of: str = "",
) -> None:
    for quantity, value in base.items():
        other = others.get(quantity)
        if other is None:
            continue
        if isinstance(other, Missing):  # no resonance without the structure: a response
            gone = name == "blank structure" and other.cause == "not measured"
            out[quantity].append(
                Witness(
                    name=name, of=of, passed=True if gone else None, detail=f"{detail}: {other.reason[:160]}"
                )
            )
            continue
        response = difference(value, other) / max(scale_of(value), 1e-300)
        out[quantity].append(
            Witness(
                name=name, of=of, response=min(response, 1e300), passed=response > RESPONDS, detail=detail
            )
        )


def _is_data(key: str, arrays: Mapping[str, Any]) -> bool:
    monitor, _, name = key.rpartition("/")
    if monitor in ("stats", "") or not np.issubdtype(arrays[key].dtype, np.inexact):
        return False
    if (
        name == "frequency"
    ):  # the abscissa of a spectrum and of guided modes, the result of Harminv and of bands
        return monitor == "bands" or f"{monitor}/decay" in arrays or f"{monitor}/Q" in arrays
    return name not in _VIEWS or key == "modes/k"


def _waved(key: str, values: NDArray[np.generic], by: float, number: int) -> NDArray[np.generic]:
    plain = np.asarray(values)
    seed = sum(map(ord, key)) + 7 * number
    level = 2 * ((_GOLDEN * seed) % 1) - 1
    wave = 0.75 * np.sin(0.7 * np.arange(plain.size) + seed) + 0.25 * level
    return np.asarray(plain * (1 + by * wave.reshape(plain.shape)))
