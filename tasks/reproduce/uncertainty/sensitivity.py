"""What each doubt about the description is worth.

Assumptions at their alternatives, quoted values within their rounding, materials by another table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from typing import Any

from schemas.reproduce.simulations.numerics import Sensitivity
from schemas.reproduce.words.written import numbers_in
from simkit.describe.document import used
from simkit.describe.parameters import Parameter
from simkit.describe.units import UNITS
from tasks.reproduce.solving.one_run import Solver
from tasks.reproduce.solving.varying import Missing, Outcome
from tasks.reproduce.uncertainty.boundaries import materials_of
from tasks.reproduce.uncertainty.climbed import Climb
from tasks.reproduce.uncertainty.error_parts import difference, scale_of, shifted
from tasks.reproduce.uncertainty.few_points import Beside

STEP = 0.05
STILL = 1e-9  # of the scale: nothing changed
ONE_GRID = "one grid alone says nothing about what moves with a parameter"
_DEGREES = ("deg", "degree", "degrees")


Tables = Mapping[str, Mapping[str, Any]]
"""Of a material other tables by page, as params.json has them."""


def sensitivities(
    climb: Climb, solver: Solver, affordable: Callable[[float], bool], others: Tables | None = None
) -> dict[str, tuple[Sensitivity, ...]]:
    """Of each quantity of a group, the largest change first. Those that the budget did not reach say so, last."""
    out: dict[str, list[Sensitivity]] = {name: [] for name in climb.variants}
    description, group = climb.group.description, climb.group
    beside = Beside.of(group, climb.coarse)
    each = beside.cost_s
    rests_on = used(description.parametric, description.parameters)
    items = [
        item
        for item in description.parameters.items().values()
        if item.id in rests_on and not description.shapes(item.id)
    ]

    if one := [name for name, variants in climb.variants.items() if len(variants.rungs) < 2]:
        told = Sensitivity(
            parameter="any", origin="", tried="", reason="", remark=f"not computed: {ONE_GRID}"
        )
        out |= {name: [told] for name in one if items}
    moved = [name for name in out if name not in one]
    if not moved:
        return {name: tuple(found) for name, found in out.items()}

    def tried(evaluate: Callable[[Solver], Outcome], shift: float, **common: str) -> None:
        if not affordable(each):
            for name in moved:
                out[name].append(
                    Sensitivity(
                        **common,
                        remark="not computed: more CPU time than the value itself is not spent on it, or none was left",
                    )
                )
            return
        outcome = evaluate(solver)
        for name in moved:
            base, other = climb.coarse.values[name], outcome.values.get(name)
            if isinstance(base, Missing) or other is None or isinstance(other, Missing):
                out[name].append(
                    Sensitivity(**common, remark=f"no value: {getattr(other, 'reason', '')}"[:300])
                )
                continue
            change = difference(base, other)
            if change <= STILL * scale_of(base) and shift and not outcome.same_runs(climb.coarse):
                out[name].append(
                    Sensitivity(
                        **common, remark=f"not resolved: moved by {shift:.2g} pixels, nothing changed"
                    )
                )
                continue
            out[name].append(
                Sensitivity(
                    **common,
                    change=change,
                    relative=change / max(scale_of(base), 1e-300),
                    moved=shifted(base, other),
                )
            )

    doubts: list[tuple[Callable[[Solver], Outcome], float, dict[str, str]]] = []
    for item in sorted(items, key=lambda item: item.origin != "assumption"):
        for value, reason in tries(item):
            doubts.append(
                (
                    partial(
                        beside.evaluate_moved,
                        climb.numerics,
                        parameter=item.id,
                        value=item.base(value),
                    ),
                    _pixels(item, value, climb.numerics.resolution),
                    {
                        "parameter": item.id,
                        "origin": item.origin,
                        "reason": reason,
                        "tried": f"{value:.6g} {item.unit}".removesuffix(" 1"),
                    },
                )
            )
    for material in materials_of(climb.coarse):
        for page, entry in (others or {}).get(material, {}).items():
            doubts.append(
                (
                    partial(
                        beside.evaluate,
                        climb.numerics,
                        materials={**group.materials, material: entry},
                        anew=True,
                    ),
                    0.0,
                    {"parameter": material, "origin": "material", "tried": page, "reason": "another table"},
                )
            )
    solver.ahead(
        [evaluate for number, (evaluate, _, _) in enumerate(doubts) if affordable((number + 1) * each)], each
    )
    for evaluate, shift, common in doubts:
        tried(evaluate, shift, **common)
    return {
        name: tuple(sorted(found, key=lambda s: -(s.change if s.change is not None else -1.0)))
        for name, found in out.items()
    }


def _pixels(item: Parameter, value: float, resolution: float) -> float:
    """By how much of a pixel a length is moved; 0 where by a pixel or more, or where it is no length."""
    assert item.value is not None
    found = abs(item.base(value) - item.base(item.value)) * resolution if UNITS[item.unit].power == 1 else 0.0
    return found if found < 1 else 0.0


def tries(item: Parameter) -> list[tuple[float, str]]:
    """Values (in the parameter's unit) that it might have instead; one of 1 a is the unit of all lengths, and has none."""
    if (
        (item.unit, item.value) == ("a", 1.0)
        or item.count
        or item.value is None
        or item.origin not in ("paper", "assumption")
    ):
        return []
    if item.origin == "assumption":
        found = [(value, "alternative of the ledger") for value in item.alternatives]
        if (
            item.value == 0
            or _of_symmetry(item)
            or any(abs(value - item.value) >= STEP * abs(item.value) for value in item.alternatives)
        ):
            return found
        return [
            *found,
            (item.value * (1 - STEP), f"{STEP:.0%} less"),
            (item.value * (1 + STEP), f"{STEP:.0%} more"),
        ]
    half = said_rounding(item)
    if half > STEP * abs(item.value) and math.isclose(half, rounding(item.value)):
        # "1 um" and "3" are a design's numbers, not 0.5 to 1.5
        return [(item.value * (1 + STEP), f"{STEP:.0%} more")]
    return [(item.value + half, "within the quotation's rounding")] if half else []


def _of_symmetry(item: Parameter) -> bool:
    """An assumed angle that is what it is or another problem: 0, 30, 45, 60, 90 degrees, ..."""
    return item.unit in _DEGREES and item.value is not None and (item.value % 30 == 0 or item.value % 45 == 0)


def said_rounding(item: Parameter) -> float:
    """Half a unit of the last digit that the paper's words give, in the parameter's unit: 0.005 of "an index of 2.00"."""
    assert item.value is not None
    for number in numbers_in(item.quotation):
        found = number.in_unit(item.unit)
        if found is not None and abs(found[0] - item.value) <= 1e-9 * abs(item.value) and found[2] > 0:
            return found[2]
    return rounding(item.value)


def rounding(value: float) -> float:
    """Half a unit of the last digit a value is written with: 0.05 of 1.5, 0.5 of 620."""
    number = Decimal(repr(value)).normalize()
    exponent = min(int(number.as_tuple().exponent), 0)
    return 0.5 * 10.0**exponent if value else 0.0
