"""Which axes a node is scored on: five generic ones, with the venue's and the plan's, or a user's own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from schemas.errors import InputError
from schemas.explore.evaluation import AxisAnswer, AxisScore
from schemas.explore.idea import PlanSection
from schemas.explore.settings import CustomAxis, SearchSettings

GENERIC = (
    CustomAxis(
        name="measurement_validity",
        what="Does what was run measure what is claimed, with its noise accounted for?",
    ),
    CustomAxis(
        name="comparative_rigor", what="Is it compared with a fair baseline under the same conditions?"
    ),
    CustomAxis(name="novelty", what="Does it try something that its ancestors and siblings did not?"),
    CustomAxis(
        name="reproducibility", what="Could another person run it again from its files and get the same?"
    ),
    CustomAxis(name="insight", what="Does it explain why the result is as it is?"),
)
IMPROVEMENT = "measured_improvement"
"""Scored by code from the measurement, on every set; no model is asked for it."""
_MOST_PLAN_AXES, _MOST_AXES = 4, 24
_STOP = {"a", "an", "and", "for", "in", "of", "on", "or", "our", "section", "study", "the", "to", "with"}


def axes_of(
    search: SearchSettings, dimensions: Iterable[tuple[str, str]] = (), plan: Sequence[PlanSection] = ()
) -> tuple[CustomAxis, ...]:
    """The axes a model scores. dimensions: (name, what) of the venue's rubric. Raises InputError for an empty custom set."""
    if search.axes == "custom":
        if not search.custom_axes:
            raise InputError(
                "the axis set is custom, but no axis is given",
                fix="set search.custom_axes, or axes to dynamic",
            )
        return _distinct(search.custom_axes)
    if search.axes == "legacy":
        return GENERIC
    venue = [CustomAxis(name=_name(name), what=what[:400]) for name, what in dimensions if _name(name)]
    return _distinct((*GENERIC, *venue, *plan_axes(plan)))


def plan_axes(plan: Sequence[PlanSection]) -> tuple[CustomAxis, ...]:
    """One axis for each of the plan's first sections, named by the keywords of its title."""
    return tuple(
        CustomAxis(
            name=f"plan_{keywords}", what=f"Does it carry out this part of the plan: {section.title}?"[:400]
        )
        for section in plan[:_MOST_PLAN_AXES]
        if (keywords := _keywords(section.title))
    )


def scored(axes: Sequence[CustomAxis], answers: Sequence[AxisAnswer]) -> tuple[AxisScore, ...]:
    """One score for each axis: an axis left out scores 0, of one answered twice the lowest counts, others are not counted."""
    found: list[AxisScore] = []
    for axis in axes:
        given = [answer for answer in answers if _name(answer.axis) == axis.name or answer.axis == axis.name]
        lowest = min(given, key=lambda answer: answer.score, default=None)
        found.append(
            AxisScore(
                axis=axis.name,
                score=lowest.score if lowest else 0.0,
                weight=axis.weight,
                reason=lowest.reason if lowest else "it was not scored",
            )
        )
    return tuple(found)


def _name(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")[:60]


def _keywords(title: str) -> str:
    words = [word for word in _name(title).split("_") if word and word not in _STOP]
    return "_".join(words[:3])


def _distinct(axes: Iterable[CustomAxis]) -> tuple[CustomAxis, ...]:
    first: dict[str, CustomAxis] = {}
    for axis in axes:
        if axis.name != IMPROVEMENT:
            first.setdefault(axis.name, axis)
    return tuple(first.values())[:_MOST_AXES]
