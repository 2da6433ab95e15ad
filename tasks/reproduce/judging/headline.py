"""The run's verdict: it follows the main claim, and what was tried and lost stays beside it.

Written by code from the plan, the comparisons and the append-only record of all comparisons. A new plan cannot improve
it by dropping a target that failed, by calling it minor, by declaring its reading inferred or by comparing it with
something else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from schemas.reproduce.judging.comparison import ComparisonRecord, FigureComparison
from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.left import Left, left_of
from schemas.reproduce.planning.plan import MATERIALS, TEXT, Plan, Stage, Target, TargetRole
from schemas.reproduce.planning.progress import StageProgress
from schemas.reproduce.planning.readings import alternatives
from schemas.reproduce.state import ReproState
from tasks.reproduce.judging.doubts import open_doubts
from tasks.reproduce.judging.record import WEIGHT, reference_digest
from tasks.reproduce.judging.standing import (
    Beside,
    failed_before,
    missing,
    readings,
    refuted,
    set_aside,
    unattempted,
    when,
)

Verdict = Literal[
    "Reproduced",
    "Partly reproduced",
    "Not reproduced",
    "Main claim not tested",
    "Nothing was compared",
    "Not finished",
]
NOT_COMPARED = "not compared"
_ORDER = ("SUCCESS", "PARTIAL", NOT_COMPARED, "FAILURE")


@dataclass(frozen=True)
class Headline:
    """The verdict, why it is so, what carries the claim (target id -> class), and what stands beside it."""

    verdict: Verdict
    reason: str
    claim: tuple[tuple[str, str], ...] = ()
    beside: tuple[Beside, ...] = ()


def headline_of(state: ReproState, paper: PaperInput) -> Headline:
    """The verdict of a run in that state on that paper."""
    latest = {comparison.target_id: comparison for comparison in state.figure_comparisons}
    found = tuple(latest.values())
    return headline(
        state.plan,
        found,
        state.comparison_history,
        state.progress,
        left_of(state.plan, state.extracted_parameters, paper, found),
    )


def not_finished(found: Headline) -> Headline:
    """The same of a run that did not come to an end: no verdict yet."""
    return replace(found, verdict="Not finished", reason="what was not reached may change it all")


def headline(
    plan: Plan | None,
    comparisons: tuple[FigureComparison, ...],
    history: tuple[ComparisonRecord, ...] = (),
    progress: tuple[StageProgress, ...] = (),
    left: tuple[Left, ...] = (),
) -> Headline:
    """The run's verdict.

    Not reproduced: a target that `claim_targets` names failed, or failed under an earlier plan and was set aside, or
    (where none is named and all major targets carry the claim) none agrees. What no physical simulation of ours wrote, and
    what only a free script has ever seen disagree, refutes nothing and counts as not compared. Reproduced: all targets that
    carry the claim and all other major ones agree. Where the paper states a parameter in several ways, the claim stands with
    the best of them, and the run is at most partly reproduced if another one fails. Checks of stage 0, minor targets and
    inferred readings count for nothing. Not "Reproduced" either: what failed once and was run again, or compared with
    something else, until it agreed; a run whose plans dropped a major target or let it count for less; minor or inferred
    targets that are all their figure has, and do not agree; what is `left` out of the paper without a reason that names what
    is missing, and, whatever the reasons, more figures with data than are attempted.
    """
    if plan is None:
        return Headline("Nothing was compared", "no plan was made")
    found = {entry.target_id: str(entry.classification) for entry in comparisons}
    last = {record.target_id: record for record in history if record.event in ("computed", "compared")}
    pairs = {target.target_id: (stage, target) for stage, target in plan.targets()}
    roles = {name: plan.role(stage, target) for name, (stage, target) in pairs.items()}
    fallen = tuple(
        record
        for record in last.values()
        if refuted(record) and record.role in ("claim", "major") and _set_aside(record, pairs, roles, history)
    )
    classes = {name: found.get(name) or _before(last.get(name)) for name in pairs}
    spared = _spared(comparisons, history, pairs)
    gone = {record.target_id for record in fallen}
    again = failed_before(history, classes, gone)
    less = tuple(
        dict.fromkeys(
            record.target_id
            for record in history
            if record.role in ("claim", "major")
            and record.event in ("dropped", "demoted")
            and record.target_id not in gone
            and _set_aside(record, pairs, roles, history)
        )
    )
    beside = (
        *set_aside(fallen, roles),
        *(Beside(r.target_id, "failed before", when(r)) for r in again),
        *readings(plan, classes, roles),
        *missing(plan, pairs, roles, found, last, history, progress, gone),
        *(
            Beside(name, "counts for less", f"a new plan calls it {roles[name]}")
            for name in less
            if name in roles
        ),
        *unattempted(plan, left),
    )
    carrying = [name for name, role in roles.items() if role == "claim"] or [
        name for name, role in roles.items() if role == "minor" and not any(r.role == "claim" for r in fallen)
    ]
    kept, split = _best_reading(plan, carrying, classes)
    claim = tuple((name, classes[name]) for name in kept)
    lost = [record.target_id for record in fallen if record.role == "claim"]
    verdict, reason = _claim_verdict(
        plan,
        tuple((name, NOT_COMPARED if name in spared else value) for name, value in claim),
        lost,
        any(value != NOT_COMPARED for name, value in classes.items() if roles[name] != "material"),
    )
    if not plan.claim_targets and len(claim) > 1:
        reason += (
            f"; the plan does not say which targets carry its claim, so all {len(claim)} count alike, and one that "
            "fails does not make the claim fail"
        )
    scripted = sum(entry.evidence.scripted for entry in comparisons)
    if scripted:
        reason += (
            f"; {scripted} of {len(comparisons)} targets agree and are PARTIAL because free scripts computed them "
            "(described simulations can be SUCCESS)"
        )
    if spared:
        told: dict[str, list[str]] = {}
        for entry in comparisons:
            if entry.target_id in spared:
                told.setdefault(_why_spared(entry.evidence), []).append(entry.target_id)
        each = ", ".join(f"{', '.join(sorted(names))} ({why})" for why, names in told.items())
        reason += f"; nothing that refutes the paper was computed of {each}"
    if still_open := _words_open(comparisons):
        reason += f"; {still_open}"
    if verdict == "Reproduced" and (
        cap := _cap(plan, roles, classes, beside, fallen, again, less, left, split)
    ):
        verdict, reason = "Partly reproduced", cap
    excused = [entry.what for entry in left if entry.figure and not entry.counts]
    if excused:
        reason += f"; not attempted, with the plan's reasons: {', '.join(excused)}"
    return Headline(verdict, reason, claim, beside)


def _why_spared(evidence: TargetEvidence) -> str:
    if evidence.not_attempted:
        return "not attempted"
    if not (evidence.ran and evidence.computed):
        return "no value"
    if not evidence.physical:
        return "no physical value"
    return "by a free script, or a function that was not wholly examined"


def _spared(
    comparisons: tuple[FigureComparison, ...],
    history: tuple[ComparisonRecord, ...],
    pairs: Mapping[str, tuple[Stage, Target]],
) -> set[str]:
    """Failures that refute nothing: without a physical value of ours, or seen by free scripts only, under whatever name."""
    blamed = {word for record in history if refuted(record) for word in (record.target_id, record.reference)}
    return {
        entry.target_id
        for entry in comparisons
        if entry.classification == "FAILURE"
        and not entry.evidence.stands
        and entry.target_id in pairs
        and blamed.isdisjoint((entry.target_id, reference_digest(pairs[entry.target_id][1])))
    }


def _words_open(comparisons: tuple[FigureComparison, ...]) -> str:
    """How many targets hang on what the paper's words leave open, and how many on a person's word about it."""
    still = sum(bool(open_doubts(c.evidence)) and not c.stricter_than_evidence for c in comparisons)
    said = sum(
        c.classification == "SUCCESS" and any(doubt.lifted_by for doubt in c.evidence.doubts)
        for c in comparisons
    )
    parts = (
        (
            still,
            "and are PARTIAL only because the paper's words leave something open, which a person may decide",
        ),
        (said, "because a person confirmed what the paper's words leave open"),
    )
    return "; ".join(f"{number} of {len(comparisons)} targets agree {why}" for number, why in parts if number)


def _cap(
    plan: Plan,
    roles: Mapping[str, TargetRole],
    classes: Mapping[str, str],
    beside: tuple[Beside, ...],
    fallen: tuple[ComparisonRecord, ...],
    again: tuple[ComparisonRecord, ...],
    less: tuple[str, ...],
    left: tuple[Left, ...],
    split: bool,
) -> str:
    """Why a run whose claim agrees is at most partly reproduced; empty if nothing stands in the way."""
    others = [name for name, role in roles.items() if role == "major" and classes[name] != "SUCCESS"]
    anew = [
        entry.what
        for entry in beside
        if entry.standing == "compared anew" and roles[entry.what] in ("claim", "major")
    ]
    reasons = (
        (
            "the claim's targets agree, other major ones do not",
            [*others, *(record.target_id for record in fallen)],
        ),
        ("all agrees now, but this had failed before a new plan compared it with something else", anew),
        (
            "all agrees now, but this had failed before it was run again",
            [record.target_id for record in again],
        ),
        ("what is left agrees, but a new plan dropped this or lets it count for less", less),
        (
            "what was compared agrees, but no target attempts this, and no reason names what is missing",
            [entry.what for entry in left if entry.counts and entry.figure],
        ),
        (
            "what was compared agrees, but most figures that have data are left out",
            _most_of_the_data(plan, left),
        ),
        (
            "what was compared agrees, but no target answers this number of abstract, conclusions or main claim",
            [entry.what for entry in left if entry.counts and not entry.figure],
        ),
        (
            "the claim's targets agree; of a figure that has only minor or inferred ones, this does not",
            _all_light(plan, roles, classes),
        ),
    )
    found = next((f"{text}: {', '.join(names)}" for text, names in reasons if names), "")
    return found or ("the paper can be read in several ways, and only one of them agrees" if split else "")


def _claim_verdict(
    plan: Plan, claim: tuple[tuple[str, str], ...], lost: list[str], anything: bool
) -> tuple[Verdict, str]:
    values = [value for _, value in claim] + ["FAILURE"] * len(lost)
    failed = [name for name, value in claim if value == "FAILURE"] + lost
    untested = [name for name, value in claim if value == NOT_COMPARED]
    good = [value for value in values if value in ("SUCCESS", "PARTIAL")]
    if not values or len(untested) == len(values):
        return (
            ("Main claim not tested", "no target that carries the claim was compared")
            if anything and values
            else ("Nothing was compared", "no target was compared")
        )
    if failed and (plan.claim_targets or lost or not good):
        return "Not reproduced", f"of what carries the claim, this failed: {', '.join(failed)}"
    if not good:
        return "Not reproduced", "nothing that carries the claim agrees"
    if all(value == "SUCCESS" for value in values):
        return "Reproduced", "all that carries the claim agrees"
    short = [name for name, value in claim if value not in ("SUCCESS", NOT_COMPARED)]
    told = [
        f"this {words}: {', '.join(names)}"
        for words, names in (("is PARTIAL, for the reason in its row", short), ("was not tested", untested))
        if names
    ]
    return "Partly reproduced", f"of what carries the claim, {'; '.join(told)}"


def _best_reading(plan: Plan, carrying: list[str], classes: dict[str, str]) -> tuple[list[str], bool]:
    """The targets that decide where the paper states a parameter in several ways, and whether another reading does not
    agree. Readings whose words do not say which parameter and value they read are no alternatives: all they test counts."""
    set_aside: set[str] = set()
    for group in alternatives(plan.readings):
        tested: dict[str, list[str]] = {}
        for reading in group:
            tested.setdefault(reading.value, []).extend(name for name in reading.targets if name in carrying)
        ways = [names for names in tested.values() if names]
        if len(ways) > 1:
            best = min(ways, key=lambda names: max(_ORDER.index(classes[name]) for name in names))
            set_aside |= {name for names in ways for name in names} - set(best)
    return [name for name in carrying if name not in set_aside], any(
        classes[name] != "SUCCESS" for name in set_aside
    )


def _all_light(plan: Plan, roles: Mapping[str, TargetRole], classes: Mapping[str, str]) -> list[str]:
    """Minor and inferred targets that do not agree, of figures with no others: nobody may make light of a whole figure."""
    heavy = {
        target.figure_id for _, target in plan.targets() if roles[target.target_id] in ("claim", "major")
    }
    return [
        target.target_id
        for _, target in plan.targets()
        if roles[target.target_id] in ("minor", "inferred")
        and target.figure_id not in heavy
        and classes[target.target_id] != "SUCCESS"
    ]


def _most_of_the_data(plan: Plan, left: tuple[Left, ...]) -> list[str]:
    """The figures with data that are left out, if they are more than the figures that are attempted."""
    out = [entry.what for entry in left if entry.data]
    attempted = {
        target.figure_id
        for stage, target in plan.targets()
        if plan.role(stage, target) in ("claim", "major", "minor")
    } - {MATERIALS, TEXT, *out}
    return out if len(out) > len(attempted) else []


def _before(record: ComparisonRecord | None) -> str:
    """The class of a target without a valid comparison: a failure is not undone by taking it back."""
    return "FAILURE" if record is not None and refuted(record) else NOT_COMPARED


def _set_aside(
    record: ComparisonRecord,
    pairs: dict[str, tuple[Stage, Target]],
    roles: dict[str, TargetRole],
    history: tuple[ComparisonRecord, ...],
) -> bool:
    """Whether a target that failed counts for less than it did; a new name for the same comparison is no way out."""
    older = {entry.target_id for entry in history if entry.plan_round <= record.plan_round}
    names = (
        [record.target_id]
        if record.target_id in pairs
        else [
            name
            for name, (_, target) in pairs.items()
            if name not in older and reference_digest(target) == record.reference
        ]
    )
    return not any(WEIGHT[roles[name]] >= WEIGHT[record.role] for name in names)
