"""What of the paper a run did not attempt: figures, and numbers of abstract and conclusions, in the paper's own words.

The plan's main claim is held like a conclusion: it may state no number that no target compares."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from schemas.reproduce.judging.comparison import FigureComparison
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.coverage import (
    follows_by_hand,
    names_what_is_missing,
    not_attempted,
    reason_for,
    uncovered,
)
from schemas.reproduce.planning.parameters import ExtractedParameter
from schemas.reproduce.planning.plan import TEXT, Plan, Target
from schemas.reproduce.simulations.features import as_feature
from schemas.reproduce.words.claims import Claim, claims_in, claims_of, stated_as_input
from schemas.reproduce.words.written import numbers_in
from schemas.text.numbers import quantities_in
from schemas.text.unit_forms import unit_name

Value = tuple[float, str]
MAIN_CLAIM = "main claim"
ANSWERED = 0.2  # "about 1 %" rounds the 1.13 % that a target answers


@dataclass(frozen=True)
class Left:
    """One thing that no target answers. words: the paper's own. reason: the plan's, if it gives one. counts: whether the run
    cannot be called reproduced without it. place: the section of a number; '' for a figure. data: whether the numbers of a
    figure came with the paper."""

    what: str
    words: str
    reason: str
    counts: bool
    place: str = ""
    data: bool = False

    @property
    def figure(self) -> bool:
        """Whether it is a figure."""
        return not self.place

    @property
    def told(self) -> str:
        """The paper's words and the plan's."""
        place = f"{self.place}: " if self.place else ""
        return f"{place}\u201c{self.words}\u201d The plan" + (
            f": {self.reason}" if self.reason else " gives no reason."
        )


def left_of(
    plan: Plan | None,
    extracted: Sequence[ExtractedParameter],
    paper: PaperInput,
    comparisons: Sequence[FigureComparison] = (),
    numbers: Mapping[str, Sequence[float]] | None = None,
) -> tuple[Left, ...]:
    """Figures and claims that the plan's targets do not answer; none without a plan.

    numbers: before anything is compared, what targets take from the paper's data, by target, in its unit.
    """
    if plan is None:
        return ()
    taken = [
        (value, unit_name(target.unit))
        for _, target in plan.targets()
        for value in (numbers or {}).get(target.target_id, ())
    ]
    return (*_figures(plan, paper), *_claims(plan, extracted, paper, comparisons, taken))


def inputs_of(plan: Plan, extracted: Sequence[ExtractedParameter]) -> list[Value]:
    """(value, unit) of every input that the plan takes from the paper: its parameters, its materials."""
    found = [
        (number, unit or p.unit)
        for p in extracted
        if p.role == "input"
        for number, unit in quantities_in(p.value)
    ]
    for material in plan.materials:
        found += [(material.index, "1")] if material.index is not None else []
        found += [(number.value, number.unit) for term in material.terms for number in term.numbers]
    return [(value, unit_name(unit) if unit else "") for value, unit in found]


def ranges_of(plan: Plan) -> list[Value]:
    """(value, unit) of the ends of every range that a target looks at."""
    return [
        (end, unit_name(target.x_unit) if target.x_unit else "")
        for _, target in plan.all_targets()
        for end in target.x_range or ()
    ]


def references_of(
    plan: Plan, comparisons: Sequence[FigureComparison] = (), *, counting: bool = False
) -> list[Value]:
    """(value, unit) of every number that a target names or was compared with, features of compared curves included.

    counting: only of targets that count: that carry the claim or are major, agree, or are not compared yet.
    """
    found: list[Value] = []
    classes = {c.target_id: c.classification for c in comparisons}
    evidence = {c.target_id: c.evidence for c in comparisons}
    for stage, target in plan.targets():
        light = (
            plan.role(stage, target) not in ("claim", "major") and classes.get(target.target_id) != "SUCCESS"
        )
        if counting and comparisons and light:
            continue
        found += [
            (value, target.unit)
            for value in (target.reference.value, target.reference.upper)
            if value is not None
        ]
        found += _crossed(target)
        if (own := evidence.get(target.target_id)) is not None:
            found += [
                (value, own.unit) for value in (own.reference, own.reference_upper) if value is not None
            ]
            found += [(value, own.unit) for value in own.points]
            found += [(feature.x_reference, target.x_unit) for feature in own.features]
    return [(value, unit_name(unit) if unit else "") for value, unit in found]


def _crossed(target: Target) -> list[Value]:
    """The levels that a target's own quotation states and whose crossing it compares: "above 90 % from 900 to 1180 nm"."""
    if target.reference.feature is None:
        return []
    stated = [n.in_unit("1") or (n.low, n.low, 0.0) for n in numbers_in(target.reference.quotation)]
    levels = [
        p.level[0] for p in as_feature(target.reference.feature).parts if p.kind == "crossing" and p.level
    ]
    return [
        (level, "1") for level in levels if any(math.isclose(level, low, rel_tol=1e-3) for low, *_ in stated)
    ]


def _figures(plan: Plan, paper: PaperInput) -> Iterator[Left]:
    bare = uncovered(plan, paper)
    for figure in not_attempted(plan, paper):
        yield Left(
            figure.figure_id,
            figure.caption,
            reason_for(plan, figure.figure_id),
            figure.figure_id in bare,
            data=bool(figure.data),
        )


def _claims(
    plan: Plan,
    extracted: Sequence[ExtractedParameter],
    paper: PaperInput,
    comparisons: Sequence[FigureComparison],
    taken: list[Value],
) -> Iterator[Left]:
    if not paper.scope.covers(TEXT):
        return
    answered, inputs = (
        references_of(plan, comparisons, counting=True) + taken,
        inputs_of(plan, extracted) + ranges_of(plan),
    )
    for claim in (*claims_of(paper), *claims_in(plan.main_claim, MAIN_CLAIM)):
        if claim.among(answered, ANSWERED) or (
            claim.among(inputs)
            and (not claim.result or claim.place == MAIN_CLAIM or stated_as_input(paper, claim))
        ):
            continue
        reason = _reason(plan, claim)
        excused = names_what_is_missing(reason) or follows_by_hand(reason)
        yield Left(claim.told, claim.words, reason, claim.result and not excused, claim.place)


def _reason(plan: Plan, claim: Claim) -> str:
    """The plan's reason that names the number."""
    return next(
        (
            entry
            for entry in plan.not_reproducible
            if claim.among(
                (end, number.unit) for number in numbers_in(entry) for end in (number.low, number.high)
            )
        ),
        "",
    )
