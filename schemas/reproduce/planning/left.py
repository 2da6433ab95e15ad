"""What of the paper a run did not attempt: figures, and numbers of abstract and conclusions, in the paper's own words.

The plan's main claim is held like a conclusion: it may state no number that no target compares."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from schemas.reproduce.judging.comparison import FigureComparison
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.by_hand import NEAR, is_step, made_by_hand
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
from schemas.reproduce.simulations.units import converted, dimension
from schemas.reproduce.words.claims import Claim, claims_in, claims_of
from schemas.reproduce.words.clauses import extremum_of, governing, places_of, processes_of
from schemas.reproduce.words.input_nouns import kinds_in_words
from schemas.reproduce.words.same_number import same
from schemas.reproduce.words.structure_words import STRUCTURE
from schemas.reproduce.words.subject_words import colours_in
from schemas.reproduce.words.written import Written, numbers_in
from schemas.text.numbers import quantities_in
from schemas.text.unit_forms import unit_name

Value = tuple[float, str]
MAIN_CLAIM = "main claim"
_LIES_AT = re.compile(
    r"(?i)\b(?:lies?|lay|found|occurs?|appears?|located|situated|is|are|resonates?|peaks?|dips?)\s+(?:\w+\s+)?(?:at|near|around)\s+(?:about\s+)?$"
)
ANSWERED = 0.2  # "about 1 %" rounds the 1.13 % that a target answers


@dataclass(frozen=True)
class Taken:
    """What a target takes from the paper's data: the numbers, in its unit; of a curve its first and last abscissa, in its x_unit.

    drawn: those of the data that it is taken from, of a curve or a number.
    """

    numbers: tuple[float, ...] = ()
    reach: tuple[float, float] | None = None
    drawn: tuple[float, ...] = ()


@dataclass(frozen=True)
class Left:
    """One thing that no target answers. words: the paper's own. reason: the plan's, if it gives one. counts: whether the run
    cannot be called reproduced without it. place: the section of a number; '' for a figure. data: whether the numbers of a
    figure came with the paper. by_hand: whether code got the number from the plan's by the arithmetic that the reason names. tried:
    targets that would answer it and do not agree, or were not reached."""

    what: str
    words: str
    reason: str
    counts: bool
    place: str = ""
    data: bool = False
    by_hand: bool = False
    tried: tuple[str, ...] = ()

    @property
    def figure(self) -> bool:
        """Whether it is a figure."""
        return not self.place

    @property
    def told(self) -> str:
        """The paper's words and the plan's."""
        said = f"The plan: {self.reason}" if self.reason else "The plan gives no reason."
        if self.tried:
            said = f"Compared, and no SUCCESS, or not reached: {', '.join(self.tried)}."
        return (
            f"{self.place}: \u201c{self.words}\u201d {said}"
            if self.place
            else f"\u201c{self.words}\u201d {said}"
        )


def left_of(
    plan: Plan | None,
    extracted: Sequence[ExtractedParameter],
    paper: PaperInput,
    comparisons: Sequence[FigureComparison] = (),
    taken: Mapping[str, Taken] | None = None,
) -> tuple[Left, ...]:
    """Figures and claims that the plan's targets do not answer; none without a plan.

    taken: before anything is compared, what targets take from the paper's data, by target.
    """
    if plan is None:
        return ()
    return (*_figures(plan, paper), *_claims(plan, extracted, paper, comparisons, taken or {}))


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
    return [
        (value, unit_name(unit) if unit else "")
        for _, value, unit in _compared(plan, comparisons, counting=counting)
    ]


def _compared(
    plan: Plan, comparisons: Sequence[FigureComparison], *, counting: bool
) -> list[tuple[Target, float, str]]:
    found: list[tuple[Target, float, str]] = []
    classes = {c.target_id: c.classification for c in comparisons}
    evidence = {c.target_id: c.evidence for c in comparisons}
    for stage, target in plan.targets():
        light = (
            plan.role(stage, target) not in ("claim", "major") and classes.get(target.target_id) != "SUCCESS"
        )
        if counting and comparisons and light:
            continue
        found += [
            (target, value, target.unit)
            for value in (target.reference.value, target.reference.upper)
            if value is not None
        ]
        if (own := evidence.get(target.target_id)) is not None:
            found += [
                (target, value, own.unit)
                for value in (own.reference, own.reference_upper, *own.points)
                if value is not None
            ]
            found += [(target, feature.x_reference, target.x_unit) for feature in own.features]
    return found


def _answered(claim: Claim, numbers: Sequence[tuple[Target, float, str]]) -> bool:
    """Whether a target answers a claim: one that is not of another process, by its number, or of a bound by one that keeps to it
    and is near, by those that keep to it at each place of the claim's own sentence, or by one that crosses this level there."""
    of_it = [
        (target, value, unit_name(unit) if unit else "")
        for target, value, unit in numbers
        if not claim.process or claim.process in (_processes(target) or (claim.process,))
    ]
    if claim.among([(value, unit) for _, value, unit in of_it], ANSWERED) or _only_where(claim, numbers):
        return True
    if claim.number.unit == "%" and _is_change(claim):
        factors = [
            value
            for target, value, unit in of_it
            if _is_factor(target) and unit in ("", "1") and _of_one_quantity(claim, target)
        ]
        return (falls := _falls(claim)) is not None and claim.among(
            [(100 * abs(f - 1), "%") for f in factors if (f < 1) is falls], ANSWERED
        )
    if claim.number.unit == "dB":
        shares = [
            value / 100 if unit == "%" else value for _, value, unit in numbers if unit in ("", "1", "%")
        ]
        levels = [
            10 * math.log10(share) for share in shares if share > 0
        ]  # a loss, a level or an improvement
        return claim.among([(sign * level, "dB") for level in levels for sign in (1, -1)], ANSWERED)
    if not claim.bound:
        return False
    low, high = (1.0, 1 + NEAR) if claim.bound == "above" else (1 - NEAR, 1.0)
    beside = [(end, n.unit) for n in numbers_in(claim.words) for end in (n.low, n.high)]
    places, covered = _places(claim), set[Value]()
    for target, value, unit in of_it:
        kept = converted(value, unit, claim.number.unit or "1") if unit else value
        share = math.nan if kept is None else kept / (claim.number.low or math.inf)
        keeps = share >= 1 if claim.bound == "above" else 0 <= share <= 1
        if low <= share <= high:
            return True
        covered |= {place for place in places if keeps and _at_its_place(target, place)}
        if any(claim.among([(level, "1")]) for level in _levels(target)) and any(
            same(end, unit_name(own) if own else "", value, unit, 0.02) for end, own in beside
        ):
            return True
    measured = {dimension(unit or "1") for _, unit in covered}
    return bool(covered) and all(
        place in covered for place in places if dimension(place[1] or "1") in measured
    )


_BY = re.compile(r"(?i)\bby\s+(?:(?:about|some|nearly|almost|only|roughly)\s+)?$")
_WAY = re.compile(
    r"(?i)\b(?:(?P<falls>falls?|fell|fallen|drop(?:s|ped)?|decreas(?:es?|ed)|declin(?:es?|ed)|reduc(?:es?|ed)|lower(?:s|ed)?|less|smaller|"
    r"weaker|below|shrinks?|shrank|loses?|lost)|"
    r"(?P<rises>rises?|rose|risen|rais(?:es?|ed)|increas(?:es?|ed)|gr(?:ows?|ew|own)|enhanc(?:es?|ed)|gains?|gained|higher|larger|more|"
    r"greater|stronger|above|exceeds?))\b"
)
_MORE = re.compile(r"(?i)\s*(?:higher|larger|more|greater|stronger|lower|less|smaller|weaker|above|below)\b")


def _falls(claim: Claim) -> bool | None:
    """Whether what changed fell: by the last such word before "by 28 %", by the first behind "28 % lower"; None where neither is
    known ("suppressed by 28 %")."""
    ways = set()
    for n in (n for n in numbers_in(claim.words) if _is(n, claim)):
        before = list(_WAY.finditer(claim.words, 0, n.start))
        behind = _MORE.match(claim.words, n.end)
        told = _WAY.search(claim.words, n.end) if behind else before[-1] if before else None
        near = told is not None and (
            behind or not re.search(r"[,;:]|\b\w+ed\b", claim.words[told.end() : n.start])
        )
        ways.add(told.lastgroup == "falls" if told is not None and near else None)
    return ways.pop() if len(ways) == 1 else None


def _is_change(claim: Claim) -> bool:
    """Whether a share is what something changed by: "rises by 28 %", "28 % higher"."""
    own = [n for n in numbers_in(claim.words) if _is(n, claim)]
    return any(_BY.search(claim.words[: n.start]) or _MORE.match(claim.words[n.end :]) for n in own)


def _of_one_quantity(claim: Claim, target: Target) -> bool:
    """Whether a claim and a target's own words do not call their numbers different things: a rise of Q is no ratio of reflectances."""
    own = {
        name for n in numbers_in(claim.words) if _is(n, claim) for name in [governing(claim.words, n)] if name
    }
    reference = target.reference
    places = (
        places_of(reference.quotation, reference.value, target.unit) if reference.value is not None else ()
    )
    its = {name for place in places for name in [governing(reference.quotation, place)] if name}
    return not own or not its or bool(own & its) or "rate" in own | its


def _is_factor(target: Target) -> bool:
    """Whether a target is one result over another."""
    feature = target.reference.feature
    return target.reference.made_of == "ratio" or (
        feature is not None and as_feature(feature).kind == "ratio"
    )


def _only_where(claim: Claim, numbers: Sequence[tuple[Target, float, str]]) -> bool:
    """Whether a claim's number is only where another number of its words holds that a target takes there ("0.105 at 0.22 um"): no place
    of an extremum, and none that a bound is told for."""
    place, own = (claim.number.low, claim.number.unit), [n for n in numbers_in(claim.words) if _is(n, claim)]
    if claim.bound or claim.number.low < claim.number.high or not own:
        return False
    if any(
        extremum_of(claim.words, n) in ("maximum", "minimum") or _LIES_AT.search(claim.words[: n.start])
        for n in own
    ):
        return False
    beside = [n for n in numbers_in(claim.words) if not _is(n, claim)]
    return any(
        _at_its_place(target, place)
        and any(
            same(value, unit_name(unit) if unit else "", n.low, unit_name(n.unit) if n.unit else "1", 1e-6)
            for n in beside
        )
        for target, value, unit in numbers
        if value == target.reference.value
    )


def _places(claim: Claim) -> list[Value]:
    """The places of a claim's sentence: no sizes, and no ends of a range, of all of which it says something."""
    told = numbers_in(claim.words)
    ends = {end for n in told if n.low < n.high for end in (n.low, n.high)}
    return [
        (n.low, n.unit)
        for n in told
        if n.low == n.high
        and n.low not in ends
        and not _is(n, claim)
        and not kinds_in_words(claim.words, n) & STRUCTURE
    ]


def _at_its_place(target: Target, place: Value) -> bool:
    """Whether a target is the value at this abscissa, with its unit; without one at a number without."""
    feature = target.reference.feature
    at = as_feature(feature).at if feature is not None and as_feature(feature).kind == "value_at" else ()
    unit = unit_name(target.x_unit) if target.x_unit else "1"
    return any(same(x, unit, place[0], unit_name(place[1]) if place[1] else "1", 1e-3) for x in at)


def _is(number: Written, claim: Claim) -> bool:
    return (number.low, number.unit) == (claim.number.low, claim.number.unit)


def _levels(target: Target) -> list[float]:
    """Levels whose crossing a target compares: of the paper's data, or as its own quotation states them."""
    if target.reference.feature is None:
        return []
    parts = as_feature(target.reference.feature).parts
    levels = [part.level[0] for part in parts if part.kind == "crossing" and part.level]
    if target.reference.kind != "quotation":
        return levels
    stated = [n.in_unit("1") or (n.low, n.low, 0.0) for n in numbers_in(target.reference.quotation)]
    return [level for level in levels if any(math.isclose(level, low, rel_tol=1e-3) for low, *_ in stated)]


def _processes(target: Target) -> tuple[str, ...]:
    return processes_of(target.reference.quotation) or processes_of(target.description)


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
    taken: Mapping[str, Taken],
) -> Iterator[Left]:
    if not paper.scope.covers(TEXT):
        return
    answers = _compared(plan, comparisons, counting=True) + [
        (target, value, target.unit)
        for _, target in plan.targets()
        for value in taken.get(target.target_id, Taken()).numbers
    ]
    every = _compared(plan, comparisons, counting=False)
    reached = {c.target_id: c.evidence.reach for c in comparisons}
    axes = [
        (
            target,
            target.x_range or reached.get(target.target_id) or taken.get(target.target_id, Taken()).reach,
        )
        for _, target in plan.targets()
    ]
    reaches = _reaches(plan, comparisons, taken)
    declared = inputs_of(plan, extracted)
    inputs = declared + ranges_of(plan)
    for claim in (*claims_of(paper), *claims_in(plan.main_claim, MAIN_CLAIM)):
        if (
            (
                (_answered(claim, answers) or _is_reach(claim, reaches))
                and not _of_another_colour(plan, claim, inputs)
            )
            or (claim.among(inputs) and (not claim.result or claim.place == MAIN_CLAIM))
            or (claim.setting and claim.among(declared, 0.0))
            or is_step(claim, inputs)
        ):
            continue
        if not claim.result and any(_looked_at(claim, target, ends) for target, ends in axes):
            continue
        reason = _reason(plan, claim)
        by_hand = follows_by_hand(reason) and made_by_hand(
            claim, inputs, [(v, u) for _, v, u in answers], reason
        )
        tried = tuple(dict.fromkeys(one[0].target_id for one in every if _answered(claim, [one])))
        excused = names_what_is_missing(reason) or by_hand
        yield Left(
            claim.told,
            claim.words,
            reason,
            claim.result and not excused,
            claim.place,
            by_hand=by_hand,
            tried=tried if comparisons else (),
        )


def _reaches(
    plan: Plan, comparisons: Sequence[FigureComparison], taken: Mapping[str, Taken]
) -> list[tuple[Value, Value]]:
    """The ends, with their unit, of the paper's data of every curve that agrees, or is not compared yet."""
    agree = {
        c.target_id: c.evidence.reach for c in comparisons if c.evidence and c.classification == "SUCCESS"
    }
    found = []
    for _, target in plan.targets():
        reach = agree.get(target.target_id) or taken.get(target.target_id, Taken()).reach
        unit = unit_name(target.x_unit) if target.x_unit else ""
        found += [((reach[0], unit), (reach[1], unit))] if reach else []
    return found


def _is_reach(claim: Claim, reaches: Sequence[tuple[Value, Value]]) -> bool:
    """Whether a range is all that a figure shows: "it has two peaks between 400 and 800 nm" says nothing of its own by that."""
    low, high = claim.number.low, claim.number.high
    own = unit_name(claim.number.unit) if claim.number.unit else ""
    return low < high and any(
        same(low, own, *one, 1e-6) and same(high, own, *other, 1e-6)
        for ends in reaches
        for one, other in (ends, ends[::-1])  # of a frequency the upper end is the shorter wavelength
    )


def _looked_at(claim: Claim, target: Target, ends: tuple[float, float] | None) -> bool:
    """Whether a number that is no result is a place of a target, or between the ends of its axis: where something was found."""
    place = (claim.number.low, claim.number.unit)
    if not target.x_unit or not place[1] or claim.number.low < claim.number.high:
        return False
    own = converted(*place, target.x_unit)
    within = ends is not None and own is not None and min(ends) <= own <= max(ends)
    return within or _at_its_place(target, place)


def _of_another_colour(plan: Plan, claim: Claim, inputs: Sequence[Value]) -> bool:
    """Whether a claim is for light of a colour that no input has, of a plan whose numbers are each computed at one wavelength."""
    ends = [tuple(map(float, one.value.split())) for one in colours_in(claim.words)]
    spectra = any(
        target.kind != "scalar" or target.reference.feature is not None for _, target in plan.targets()
    )
    lights = [um for n, unit in inputs if unit and n > 0 and (um := converted(n, unit, "um"))]
    return (
        bool(ends and lights)
        and not spectra
        and not any(low <= um <= high for um in lights for low, high in ends)
    )


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
