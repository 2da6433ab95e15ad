"""Whether what a description measures is told along the axis, and in the lengths, that its targets are told in."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from schemas.reproduce.planning.plan import Target
from schemas.reproduce.simulations import axes
from schemas.reproduce.simulations.units import converted
from schemas.talking.review import Issue
from simkit.describe.measured import Measured
from simkit.describe.problem import quantity_of
from simkit.describe.waveguide import Attenuation
from tasks.reproduce.describing.in_sandbox import Description
from tasks.reproduce.describing.lengths import Lengths
from tasks.reproduce.describing.vocabulary import swept
from tasks.reproduce.solving.columns import axis_unit


def axis_issues(
    found: Description, targets: Sequence[Target], drawn: Mapping[str, Collection[str]], lengths: Lengths
) -> list[Issue]:
    """Sweeps over something else than what the paper draws their target over, or in a unit that nothing converts to its axis's.

    drawn: the abscissae of the paper's data, by target.
    """
    known = {target.target_id: target for target in targets if target.kind != "map"}
    issues = [*_unit_issues(found, known, lengths), *_level_issues(found, lengths)]
    for sweep in found.problem.sweeps:
        along = swept(found, sweep.parameter)
        for target in (known[name] for name in sweep.answers if name in known):
            asked, said = axes.wanted(target, drawn.get(target.target_id, ()))
            if said and not axes.fits(along, asked):
                issues.append(
                    blocking(
                        "answers",
                        f"target {target.target_id!r} is drawn over {axes.SAID[asked]}, sweep {sweep.id} runs over {axes.SAID[along]}",
                        "sweep what the paper varies; a spectrum is a quantity over a band, or swept over the light alone",
                    )
                )
    return issues


def _unit_issues(found: Description, targets: Mapping[str, Target], lengths: Lengths) -> list[Issue]:
    """Abscissae whose unit nothing converts to their target's: K in reciprocal lengths, drawn as a pure number."""
    return [
        blocking(
            f"target {name}",
            f"its axis is in {targets[name].x_unit}, that of {item.id} in {unit}: nothing converts them",
            f"sweep a parameter that is declared in {targets[name].x_unit}, as the paper counts it, and make of it by arithmetic "
            "what the scene takes",
        )
        for item in (*found.problem.quantities, *found.problem.sweeps)
        for name in item.answers
        if name in targets
        and targets[name].x_unit
        and (unit := axis_unit(found, item, lengths))
        and converted(1.0, unit, targets[name].x_unit) is None
    ]


def _level_issues(found: Description, lengths: Lengths) -> list[Issue]:
    """Targets in dB per length that something else than a loss per length answers: a frequency is a number per length too."""
    return [
        blocking(
            f"target {name}",
            f"it is in dB per length, and {item.id} is {kind}",
            "an Attenuation of a Waveguide, or of other scenes a Measured with length_power -1 that computes the dB per length",
        )
        for item in (*found.problem.quantities, *found.problem.sweeps)
        for name in item.answers
        if name in lengths.levels and (kind := _no_level(found, item))
    ]


def _no_level(found: Description, item: Any) -> str:
    """What a quantity, or that of a sweep, is called that is no loss per length; '' of one that is."""
    own: Any = quantity_of(found.problem, item.of) if item.type == "sweep" else item
    per_length = isinstance(own, Attenuation) or (isinstance(own, Measured) and own.length_power == -1)
    return "" if per_length else str(own.type).replace("_", " ")


def length_issues(lengths: Lengths, targets: Sequence[Target]) -> list[Issue]:
    """Targets in c/a whose description is in um, or the other way, where nothing says how long a is."""
    other = "the free length a" if lengths.own == "um" else "metric units"
    fix = (
        f"declare lengths in {other}, or the length of a as a parameter called a (an assumption of 1 um where the paper "
        "has no absolute length)"
    )
    return [
        blocking(
            f"target {target.target_id}",
            "it is in "
            + " over ".join(filter(None, [target.unit, target.x_unit]))
            + f", the description in {lengths.own}: nothing converts them",
            fix,
        )
        for target in targets
        if lengths.missing(target.target_id)
    ]


def blocking(where: str, description: str, fix: str) -> Issue:
    """An issue that sends a description back."""
    return Issue(severity="blocking", where=where, description=description, fix=fix)
