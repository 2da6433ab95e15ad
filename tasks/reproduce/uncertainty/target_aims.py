"""From a stage's targets to how well each described quantity must be known for their verdicts.

A verdict asks for a numerical uncertainty of at most half the acceptable error; a ladder aims at half of that again, and is content
with what a verdict asks for where one more grid costs more than all before. The
acceptable error is the target's, with what the paper's digits and data leave open, but of the simulated value: the paper's own
takes no part, so no number of grids tells it, and none depends on whether a value agrees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from schemas.errors import ReproLabError
from schemas.reproduce.planning.plan import Target
from schemas.reproduce.simulations.features import as_feature
from simkit.describe.problem import quantity_of
from tasks.reproduce.curves.curve import Curve as Compared
from tasks.reproduce.curves.curve import normaliser
from tasks.reproduce.describing.in_sandbox import Description
from tasks.reproduce.describing.lengths import Lengths
from tasks.reproduce.describing.vocabulary import answering
from tasks.reproduce.evidence.not_computed import EvidenceError
from tasks.reproduce.evidence.target_feature import Columns, feature_of
from tasks.reproduce.evidence.units import convert
from tasks.reproduce.judging.limits import limits_for, scalar_error, shape_measure
from tasks.reproduce.measuring import Curve, Measured
from tasks.reproduce.references.matching import POWERS
from tasks.reproduce.references.paper_value import ReferenceValue, resolve
from tasks.reproduce.solving.columns import columns_of
from tasks.reproduce.uncertainty.aims import NO_TARGET, Aim, Demand, Pair
from tasks.reproduce.uncertainty.error_parts import scale_of

SHARE = 0.25  # of the acceptable error: half of what a verdict asks for
DOES = 1.4  # times that: less than a verdict asks for, whose paper may state less than we find
NOUGHT = 1e-6  # of a curve's largest value: what is nought by symmetry, which no relative error is of
UNASKED = (
    0.02  # of what no target asks for, and balances rest on; of a share of the power, of the whole power
)


@dataclass(frozen=True)
class Judged:
    """A target with all that its thresholds follow from, but the paper's value: that is exchanged for a simulated one."""

    target: Target
    profile: str
    reference: ReferenceValue
    metal: bool

    def allowed(self, number: float) -> float:
        """The uncertainty of a simulated number, in the target's unit, that is good enough."""
        measure, most = self._limit(number)
        each = scalar_error(number + (step := abs(number) or 1.0), number, measure, self.target.unit)
        return most * step / each if each else 0.0

    def share(self, value: float | Compared) -> float:
        """The same of a curve's root mean square, in the target's unit; of a map, for 1.0, over its range. 0: it has none."""
        measure, most = self._limit(value)
        if not isinstance(value, Compared):
            return most / 100
        if shape_measure(self.target):
            return most / 100 * normaliser(value)
        if measure == "relative_percent":
            size = np.abs(value.y)
            return (
                most / 100 / float(np.sqrt(np.mean(size**-2.0)))
                if np.all(size > NOUGHT * size.max())
                else 0.0
            )
        return most / (scalar_error(1.0, 0.0, measure, self.target.unit) or 1.0)

    def words(self) -> str:
        """What it follows from, for digests."""
        told = self.target.model_dump(include={"kind", "quantity", "unit", "x_unit", "x_range"})
        own = replace(self.reference, value=0.0, upper=None, source="")
        return repr((told, self.target.reference.feature, self.profile, own, self.metal))

    def _limit(self, value: float | Compared) -> tuple[str, float]:
        own = replace(self.reference, value=value, upper=None)
        limits = limits_for(self.target, self.profile, own, self.metal)
        return limits.value.measure, SHARE * limits.value.acceptable


def aims_of(
    found: Description,
    targets: Sequence[Target],
    lengths: Lengths,
    *,
    paper_dir: Path,
    profile: str,
    metal: bool,
    usual: Mapping[str, Aim],
) -> dict[str, Aim]:
    """What is wanted of each quantity and sweep of a description.

    usual: what is wanted where a target's own demand cannot be had (its number, curve or feature is made of two, or is not
    there). metal: whether a material of the stage carries plasmons.
    """
    answers = answering(found)
    demands: dict[str, list[Demand]] = {name: [] for name in usual}
    for target in targets:
        given, light = answers.get(target.target_id, ()), not target.major
        for name, form in given:
            share = usual[name][0].share
            try:
                judged = Judged(target, profile, resolve(target, paper_dir), metal)
            except (EvidenceError, ValueError):
                demands[name].append(Demand(share, light=light))
                continue
            words = judged.words()
            if target.reference.made_of:  # one of two says nothing of what they are together
                pair = _pair(found, target, given, judged, lengths)
                demands[name].append(Demand(share, words=words if pair else "", pair=pair, light=light))
            elif target.kind != "scalar":
                of_value = partial(_share, found, name, judged, lengths, share)
                demands[name].append(Demand(share, of_value, words=words, does=DOES, light=light))
            elif form == "number" or (form == "curve" and _of_one(target, len(given))):
                read = partial(_read, found, name, target, lengths)
                places = _asked_at(found, name, target, lengths)
                demands[name].append(
                    Demand(
                        share,
                        None,
                        read,
                        judged.allowed,
                        words,
                        target.target_id,
                        DOES,
                        light=light,
                        places=places,
                    )
                )
            else:
                demands[name].append(Demand(share, light=light))
    return {name: tuple(asked) or (_unasked(found, name),) for name, asked in demands.items()}


def _unasked(found: Description, name: str) -> Demand:
    swept = {sweep.id: sweep.of for sweep in found.problem.sweeps}
    quantity = quantity_of(found.problem, swept.get(name, name))
    return Demand(UNASKED, _of_the_power if quantity.type in POWERS else None, words=NO_TARGET)


def _of_the_power(value: Measured) -> float:
    return UNASKED / min(1.0, scale_of(value) or 1.0)


def _of_one(target: Target, count: int) -> bool:
    """Whether a target is a feature of one curve that one quantity gives."""
    feature = target.reference.feature
    return feature is not None and count == 1 and as_feature(feature).curves == 1


def _pair(
    found: Description,
    target: Target,
    given: Sequence[tuple[str, str]],
    judged: Judged,
    lengths: Lengths,
) -> Pair | None:
    """How a target is made of two numbers; None where it is made of curves."""
    if len(given) != 2 or any(form != "number" for _, form in given):
        return None
    (first, _), (second, _) = given

    def number(name: str, value: Measured, unit: str) -> tuple[float, str]:
        ((column, numbers),) = columns_of(found, name, value, lengths)
        return float(convert(numbers, column.unit, unit or column.unit)[0]), column.unit

    def made(one: Measured, other: Measured) -> float:
        try:
            if target.reference.made_of == "difference":
                return number(first, one, target.unit)[0] - number(second, other, target.unit)[0]
            value, unit = number(first, one, "")
            return float(convert([value / number(second, other, unit)[0]], "1", target.unit)[0])
        except (ReproLabError, ZeroDivisionError) as error:
            raise ValueError(str(error)) from error

    return Pair(first, second, made, judged.allowed)


def _read(
    found: Description, name: str, target: Target, lengths: Lengths, value: Measured
) -> tuple[float, float | None]:
    """The target's number, in its unit, and its sampling. Raises ValueError: the value does not show it."""
    told = columns_of(found, name, value, lengths)
    try:
        if len(told) == 1:
            ((column, numbers),) = told
            return float(convert(numbers, column.unit, target.unit)[0]), 0.0
        (across, x), (own, y) = told
        measured = feature_of(target, [Columns(x, y, across.unit, own.unit)], simulated=True)
    except ReproLabError as error:
        raise ValueError(str(error)) from error
    return measured.value, measured.sampling


def _asked_at(found: Description, name: str, target: Target, lengths: Lengths) -> tuple[float, ...]:
    """The abscissae of a sweep, in its parameter's own unit, at which a target's feature asks for its values."""
    if target.reference.feature is None or all(sweep.id != name for sweep in found.problem.sweeps):
        return ()
    asked = [x for part in as_feature(target.reference.feature).parts for x in part.at]
    if not asked:
        return ()
    try:
        (across, x), _ = columns_of(found, name, Curve(np.ones(2), np.ones(2), "parameter"), lengths)
        own = convert(np.array(asked), target.x_unit or across.unit, across.unit)
    except (ReproLabError, ValueError):
        return ()
    return tuple(float(one / x[0]) for one in own)


def _share(
    found: Description, name: str, judged: Judged, lengths: Lengths, otherwise: float, value: Measured
) -> float:
    """The root mean square that a curve or map may be uncertain by, over its largest value."""
    told = columns_of(found, name, value, lengths)
    (own, numbers), target = told[-1], judged.target
    if not np.any(numbers):
        return otherwise  # of nothing but noughts there is no share
    if len(told) == 3:
        return judged.share(1.0) * float(np.ptp(numbers)) / float(np.max(np.abs(numbers))) or otherwise
    try:
        across, x = told[0]
        y = convert(numbers, own.unit, target.unit)
        curve = Compared.of(convert(x, across.unit, target.x_unit or across.unit), y)
    except (ReproLabError, ValueError):
        return otherwise
    if target.x_range is not None:
        curve = curve.within(*target.x_range) or curve
    return judged.share(curve) / float(np.max(np.abs(y))) or otherwise
