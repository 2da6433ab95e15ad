"""Values of quantities that are made of others, from the values of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from simkit.describe.feature import Feature
from simkit.describe.measured import Made
from simkit.describe.measured import Measured as Free
from simkit.describe.problem import Problem
from simkit.describe.scene import Quantity
from tasks.reproduce.measuring import Curve, Measured, NotMeasured, Scalar
from tasks.reproduce.measuring.swept_feature import feature_read
from tasks.reproduce.solving.functions import Answer, called

Argument = float | Curve


def parted(quantities: Sequence[Quantity]) -> tuple[list[Quantity], list[Free]]:
    """Quantities with a trusted reducer of their own, and those with a function of their writer's."""
    return [q for q in quantities if not isinstance(q, Made)], [q for q in quantities if isinstance(q, Free)]


def features_of(
    quantities: Sequence[Quantity], values: Mapping[str, Any]
) -> tuple[dict[str, Measured | str], dict[str, Measured | str]]:
    """The same of the features of curves, as trusted code reads them: of each a number, and that number with what the samples of its
    curve leave open."""
    whole: dict[str, Measured | str] = {}
    sampled: dict[str, Measured | str] = {}
    for quantity in quantities:
        if isinstance(quantity, Feature):
            value = values.get(quantity.of)
            if not isinstance(value, Curve):
                whole[quantity.id] = f"{quantity.of}: {getattr(value, 'reason', 'it was not measured')}"
                continue
            try:
                whole[quantity.id], sampled[quantity.id] = feature_read(quantity, value)
            except NotMeasured as error:
                whole[quantity.id] = str(error)
    return whole, sampled


def values_of(
    free: Sequence[Free], values: Mapping[str, Any], allow_degraded: bool
) -> tuple[dict[str, Measured | str], dict[str, Measured | str]]:
    """Of each a value, or in words why there is none; and of each number the same with what its curves' samples leave open.

    values: of trusted quantities, those without one are no Measured. Of the change by every other sample a quarter is left open, as
    of a spline through every other sample (tasks/reproduce/uncertainty/error_parts.py).
    """
    numbers = [quantity for quantity in free if quantity.gives == "number"]
    given = [(quantity, arguments(quantity, values)) for quantity in free]
    given += [(quantity, arguments(quantity, _halved(values))) for quantity in numbers]
    ready = [(quantity, found) for quantity, found in given if not isinstance(found, str)]
    answers = iter(answered(ready, allow_degraded))
    told = [(q.id, found if isinstance(found, str) else next(answers)) for q, found in given]
    whole, half = dict(told[: len(free)]), dict(told[len(free) :])
    for name, other in half.items():
        base = whole[name]
        if isinstance(base, Scalar) and isinstance(other, Scalar):
            half[name] = replace(base, value=base.value + (other.value - base.value) / 4)
    return whole, half


def _halved(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: Curve(value.x[::2], value.y[::2], value.axis, value.power)
        if isinstance(value, Curve) and len(value.y) > 1
        else value
        for name, value in values.items()
    }


def arguments(quantity: Free, values: Mapping[str, Any]) -> list[Argument] | str:
    """What the function of a resolved quantity is called with, or what is missing."""
    out: list[Argument] = []
    for name in quantity.of:
        value = values.get(name)
        if not isinstance(value, (Scalar, Curve)):
            return f"{name}: {getattr(value, 'reason', 'it was not measured')}"
        out.append(
            value.value if isinstance(value, Scalar) else float(value.y[0]) if len(value.y) == 1 else value
        )
    return [*out, *map(float, quantity.given)]


def answered(calls: Sequence[tuple[Free, Sequence[Argument]]], allow_degraded: bool) -> list[Measured | str]:
    """Each quantity for its arguments."""
    answers = called(
        [(quantity.printed(), given) for quantity, given in calls], allow_degraded=allow_degraded
    )
    return [_value(quantity, given, answer) for (quantity, given), answer in zip(calls, answers, strict=True)]


def behind(problem: Problem, name: str) -> Quantity | None:
    """The quantity of that id, or that a sweep of that id computes; None if there is none."""
    of = next((sweep.of for sweep in problem.sweeps if sweep.id == name), name)
    return next((quantity for quantity in problem.quantities if quantity.id == of), None)


def described_by(problem: Problem, name: str) -> Free | None:
    """The same where it is a function of its writer's; None for what trusted code measures."""
    found = behind(problem, name)
    return found if isinstance(found, Free) else None


def _value(quantity: Free, call: Sequence[Argument], answer: Answer) -> Measured | str:
    if isinstance(answer, str):
        return answer
    if quantity.gives == "number":
        return (
            Scalar(answer, quantity.length_power)
            if isinstance(answer, float)
            else "its function gave a row, not a number"
        )
    first = next((item for item in call if isinstance(item, Curve)), None)
    if first is None and isinstance(answer, float):  # at one Line every curve is a number
        return Scalar(answer, quantity.length_power)
    if first is None or isinstance(answer, float) or answer.shape != first.x.shape:
        return f"its function gave {np.shape(answer)} numbers; a curve has one for each sample of the first curve"
    return Curve(first.x, answer, first.axis, quantity.length_power)
