"""What each doubt about the description is worth.

Assumptions at their alternatives, quoted values within their rounding, materials by another table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from typing import Any

from schemas.reproduce.simulations.numerics import Sensitivity
from schemas.reproduce.words.written import numbers_in
from simkit.describe.parameters import Parameter, Parameters
from simkit.describe.units import UNITS
from simkit.runs import Run
from tasks.reproduce.measuring import Curve, Measured
from tasks.reproduce.solving.one_run import Solver
from tasks.reproduce.solving.varying import Missing, Outcome
from tasks.reproduce.uncertainty.aims import Aim
from tasks.reproduce.uncertainty.boundaries import materials_of
from tasks.reproduce.uncertainty.climbed import Climb
from tasks.reproduce.uncertainty.error_parts import difference, scale_of, shifted
from tasks.reproduce.uncertainty.few_points import Beside

STEP = 0.05
STILL = 1e-9  # of the scale: nothing changed
WHOLE = 2.0  # pixels by which a length is moved where faces are drawn in steps: each face by whole ones
ONE_GRID = "one grid alone says nothing about what moves with a parameter"
_DEGREES = ("deg", "degree", "degrees")


@dataclass(frozen=True)
class _Doubt:
    """What is changed, in words; how many pixels a length moves (a whole one where it is none); which share of the way to what is
    solved instead it lies."""

    evaluate: Callable[..., Outcome]
    told: Mapping[str, str]
    pixels: float = 1.0
    share: float = 1.0


Tables = Mapping[str, Mapping[str, Any]]
"""Of a material other tables by page, as params.json has them."""


def sensitivities(
    climb: Climb,
    solver: Solver,
    affordable: Callable[[float], bool],
    others: Tables | None = None,
    wanted: Mapping[str, Aim] | None = None,
) -> dict[str, tuple[Sensitivity, ...]]:
    """Of each quantity of a group, the largest change first. Those that the budget did not reach say so, last.

    wanted: whose targets read numbers of the quantities.
    """
    out: dict[str, list[Sensitivity]] = {name: [] for name in climb.variants}
    description, group = climb.group.description, climb.group
    beside = Beside.of(group, climb.coarse)
    each = beside.cost_s
    items = [
        item
        for item in description.parameters.items().values()
        if item.id in group.rests_on and not description.shapes(item.id)
    ]

    if one := [name for name, variants in climb.variants.items() if len(variants.rungs) < 2]:
        told = Sensitivity(
            parameter="any", origin="", tried="", reason="", remark=f"not computed: {ONE_GRID}"
        )
        out |= {name: [told] for name in one if items}
    moved = [name for name in out if name not in one]
    if not moved:
        return {name: tuple(found) for name, found in out.items()}

    def tried(doubt: _Doubt, number: str) -> None:
        common, share = doubt.told, doubt.share
        if not affordable(each):
            for name in moved:
                out[name].append(
                    Sensitivity(
                        **common,
                        remark="not computed: more CPU time than the value itself is not spent on it, or none was left",
                    )
                )
            return
        outcome = doubt.evaluate(solver, told=number)
        for name in moved:
            base, other = climb.coarse.values[name], outcome.values.get(name)
            if isinstance(base, Missing) or other is None or isinstance(other, Missing):
                out[name].append(
                    Sensitivity(**common, remark=f"no value: {getattr(other, 'reason', '')}"[:300])
                )
                continue
            change, along = difference(base, other), shifted(base, other)
            if change <= STILL * scale_of(base) and doubt.pixels < 1 and not outcome.same_runs(climb.coarse):
                out[name].append(
                    Sensitivity(
                        **common, remark=f"not resolved: moved by {doubt.pixels:.2g} pixels, nothing changed"
                    )
                )
                continue
            read = {target: share * by for target, by in _read(base, other, (wanted or {}).get(name, ()))}
            if share < 1:
                along = None if along is None else share * along
                change = max(share * change, _of_shift(base, along))
            out[name].append(
                Sensitivity(
                    **common,
                    change=change,
                    relative=change / max(scale_of(base), 1e-300),
                    moved=along,
                    read=read,
                )
            )

    doubts = _doubts(climb, beside, items, others or {})
    numbered = [
        (doubt, f", change {number} of {len(doubts)} ({doubt.told['parameter']})")
        for number, doubt in enumerate(doubts, 1)
    ]
    if doubts and affordable(each) and not solver.enough():
        solver.tell(
            f"{group.name}: {len(doubts)} changes of what it rests on{beside.at}, one at a time, about {len(doubts) * each:.0f} CPU s"
        )
    solver.ahead(
        [
            partial(doubt.evaluate, told=words)
            for number, (doubt, words) in enumerate(numbered, 1)
            if affordable(number * each)
        ],
        each,
    )
    for doubt, words in numbered:
        tried(doubt, words)
    return {
        name: tuple(sorted(found, key=lambda s: -(s.change if s.change is not None else -1.0)))
        for name, found in out.items()
    }


def _read(base: Measured, other: Measured, aim: Aim) -> Iterator[tuple[str, float]]:
    """(target, by how much the number changes that it reads of a value), where both show it."""
    for demand in aim:
        if demand.read is not None and demand.target:
            with suppress(ValueError):
                by = abs(demand.read(other)[0] - demand.read(base)[0])
                if math.isfinite(by):
                    yield demand.target, by


def _doubts(climb: Climb, beside: Beside, items: Sequence[Parameter], others: Tables) -> list[_Doubt]:
    """Everything that is tried, assumptions first."""
    found = []
    given = climb.group.description.parameters
    stepped = any(isinstance(run, Run) and run.stepped for run in climb.coarse.runs.values())
    for item in sorted(items, key=lambda item: item.origin != "assumption"):
        for value, reason in tries(item):
            pixels = _pixels(given, item, value, climb.numerics.resolution)
            share = min(1.0, pixels / WHOLE) if stepped and pixels else 1.0
            there = _further(item, value, share)
            if share < 1:
                reason += f"; in proportion from {there:.6g} {item.unit}, {WHOLE:g} pixels: faces are drawn in steps"
            told = {
                "parameter": item.id,
                "origin": item.origin,
                "reason": reason,
                "tried": f"{value:.6g} {item.unit}".removesuffix(" 1"),
            }
            moved = partial(
                beside.evaluate_moved, climb.numerics, parameter=item.id, value=given.base(item.id, there)
            )
            found.append(_Doubt(moved, told, pixels / share if pixels else 1.0, share))
    media = climb.group.materials
    for material in materials_of(climb.coarse):
        for page, entry in others.get(material, {}).items():
            told = {"parameter": material, "origin": "material", "tried": page, "reason": "another table"}
            changed = {**media, material: entry}
            found.append(_Doubt(partial(beside.evaluate, climb.numerics, materials=changed, anew=True), told))
    return found


def _pixels(given: Parameters, item: Parameter, value: float, resolution: float) -> float:
    """By how many pixels a length is moved; 0 where it is no length."""
    assert item.value is not None
    return abs(given.base(item.id, value - item.value)) * resolution if UNITS[item.unit].power == 1 else 0.0


def _further(item: Parameter, value: float, share: float) -> float:
    """The value that lies so much further off that the one to be tried is `share` of the way; on the other side of what is declared
    where this way leads through nought."""
    assert item.value is not None
    further = (value - item.value) / share
    away = item.value + further
    return value if share == 1 else item.value - further if away * item.value <= 0 else away


def _of_shift(base: Measured, share: float | None) -> float:
    """What a spectrum's own shift by a share of its frequency changes: of a narrow line more than in proportion."""
    if share is None or not isinstance(base, Curve):
        return 0.0
    found = difference(base, replace(base, x=base.x * (1 + share)))
    return found if math.isfinite(found) else 0.0


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
