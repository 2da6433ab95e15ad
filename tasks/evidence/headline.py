"""The run's verdict: it follows the main claim, and what was tried and lost stays beside it.

Written by code from the plan, the comparisons and the append-only record of all comparisons. A new plan cannot improve
it by dropping a target that failed, by calling it minor, by declaring its reading inferred or by comparing it with
something else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from schemas.base import digest
from schemas.comparison import ComparisonRecord, FigureComparison
from schemas.plan import Plan, Stage, Target, TargetRole
from schemas.progress import StageProgress
from schemas.readings import alternatives

Verdict = Literal["Reproduced", "Partly reproduced", "Not reproduced", "Main claim not tested", "Nothing was compared"]
Standing = Literal["failed, then set aside", "other reading", "tested alternative", "withdrawn", "dropped", "not compared",
                   "compared anew", "not attempted"]
NOT_COMPARED = "not compared"
_WEIGHT: dict[TargetRole, int] = {"claim": 3, "major": 2, "minor": 1, "inferred": 0, "material": 0}
_ORDER = ("SUCCESS", "PARTIAL", NOT_COMPARED, "FAILURE")


@dataclass(frozen=True)
class Beside:
    """What a reader of the verdict must know about one target or figure."""

    what: str
    standing: Standing
    note: str = ""


@dataclass(frozen=True)
class Headline:
    """The verdict, why it is so, what carries the claim (target id -> class), and what stands beside it."""

    verdict: Verdict
    reason: str
    claim: tuple[tuple[str, str], ...] = ()
    beside: tuple[Beside, ...] = ()


def reference_digest(target: Target) -> str:
    """What a target is compared with, as a digest: the same comparison under another name has the same one."""
    return digest((target.kind, target.unit, target.reference.model_dump(mode="json")), 16)


def headline(plan: Plan | None, comparisons: tuple[FigureComparison, ...], history: tuple[ComparisonRecord, ...] = (),
             progress: tuple[StageProgress, ...] = ()) -> Headline:
    """The run's verdict.

    Not reproduced: a target that `claim_targets` names failed, or failed under an earlier plan and was set aside, or
    (where none is named and all major targets carry the claim) none agrees. Reproduced: all targets that carry the claim
    and all other major ones agree. Where the paper states a parameter in several ways, the claim stands with the best of
    them, and the run is at most partly reproduced if another one fails. Checks of stage 0, minor targets and inferred readings
    count for nothing. What failed and agrees only with another reference than before is not "Reproduced".
    """
    if plan is None:
        return Headline("Nothing was compared", "no plan was made")
    found = {entry.target_id: str(entry.classification) for entry in comparisons}
    last = _last_compared(history)
    pairs = {target.target_id: (stage, target) for stage, target in plan.targets()}
    roles = {name: plan.role(stage, target) for name, (stage, target) in pairs.items()}
    fallen = tuple(record for record in last.values() if record.classification == "FAILURE"
                   and record.role in ("claim", "major") and _set_aside(record, pairs, roles, history))
    classes = {name: found.get(name) or _before(last.get(name)) for name in pairs}
    beside = (*_fallen(fallen, roles), *_readings(plan, classes, roles),
              *_missing(plan, pairs, roles, found, last, history, progress, {record.target_id for record in fallen}))
    carrying = [name for name, role in roles.items() if role == "claim"] or [
        name for name, role in roles.items() if role == "minor" and not any(r.role == "claim" for r in fallen)]
    kept, split = _best_reading(plan, carrying, classes)
    claim = tuple((name, classes[name]) for name in kept)
    lost = [record.target_id for record in fallen if record.role == "claim"]
    values = [value for _, value in claim] + ["FAILURE"] * len(lost)
    verdict, reason = _claim_verdict(plan, claim, lost, values, any(
        value != NOT_COMPARED for name, value in classes.items() if roles[name] != "material"))
    if not plan.claim_targets and len(claim) > 1:
        reason += (f"; the plan does not say which targets carry its claim, so all {len(claim)} count alike, and one that "
                   "fails does not make the claim fail")
    if verdict == "Reproduced":
        anew = [entry.what for entry in beside if entry.standing == "compared anew" and roles[entry.what] in ("claim", "major")]
        others = [name for name, role in roles.items() if role == "major" and classes[name] != "SUCCESS"]
        others += [record.target_id for record in fallen]
        if others:
            verdict, reason = "Partly reproduced", f"the claim's targets agree, other major ones do not: {', '.join(others)}"
        elif anew:
            verdict, reason = "Partly reproduced", (
                f"all agrees now, but this had failed before a new plan compared it with something else: {', '.join(anew)}")
        elif split:
            verdict, reason = "Partly reproduced", "the paper can be read in several ways, and only one of them agrees"
    return Headline(verdict, reason, claim, beside)


def _claim_verdict(plan: Plan, claim: tuple[tuple[str, str], ...], lost: list[str], values: list[str],
                   anything: bool) -> tuple[Verdict, str]:
    failed = [name for name, value in claim if value == "FAILURE"] + lost
    untested = [name for name, value in claim if value == NOT_COMPARED]
    good = [value for value in values if value in ("SUCCESS", "PARTIAL")]
    if not values or len(untested) == len(values):
        return ("Main claim not tested", "no target that carries the claim was compared") if anything and values else (
            "Nothing was compared", "no target was compared")
    if failed and (plan.claim_targets or lost or not good):
        return "Not reproduced", f"of what carries the claim, this failed: {', '.join(failed)}"
    if not good:
        return "Not reproduced", "nothing that carries the claim agrees"
    if all(value == "SUCCESS" for value in values):
        return "Reproduced", "all that carries the claim agrees"
    short = [name for name, value in claim if value != "SUCCESS"]
    return "Partly reproduced", f"of what carries the claim, this does not agree in full: {', '.join(short)}"


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
    return [name for name in carrying if name not in set_aside], any(classes[name] != "SUCCESS" for name in set_aside)


def _last_compared(history: tuple[ComparisonRecord, ...]) -> dict[str, ComparisonRecord]:
    return {record.target_id: record for record in history if record.event == "compared"}


def _before(record: ComparisonRecord | None) -> str:
    """The class of a target without a valid comparison: a failure is not undone by taking it back."""
    return "FAILURE" if record is not None and record.classification == "FAILURE" else NOT_COMPARED


def _set_aside(record: ComparisonRecord, pairs: dict[str, tuple[Stage, Target]], roles: dict[str, TargetRole],
               history: tuple[ComparisonRecord, ...]) -> bool:
    """Whether a target that failed counts for less than it did; a new name for the same comparison is no way out."""
    older = {entry.target_id for entry in history if entry.plan_round <= record.plan_round}
    names = [record.target_id] if record.target_id in pairs else [
        name for name, (_, target) in pairs.items() if name not in older and reference_digest(target) == record.reference]
    return not any(_WEIGHT[roles[name]] >= _WEIGHT[record.role] for name in names)


def _fallen(fallen: tuple[ComparisonRecord, ...], roles: dict[str, TargetRole]) -> tuple[Beside, ...]:
    return tuple(Beside(record.target_id, "failed, then set aside", f"it failed under plan {record.plan_round}; now "
                        + (f"called {roles[record.target_id]}" if record.target_id in roles else "no longer in the plan")
                        + "; it counts as failed") for record in fallen)


def _readings(plan: Plan, classes: dict[str, str], roles: dict[str, TargetRole]) -> tuple[Beside, ...]:
    return tuple(
        Beside(name, "other reading" if reading.quotation else "tested alternative",
               f"{reading.name}: {classes[name]}" + ("" if reading.quotation else
                                                     "; inferred, not stated by the paper, so it counts for nothing"))
        for reading in plan.readings for name in reading.targets if name in roles)


def _missing(plan: Plan, pairs: dict[str, tuple[Stage, Target]], roles: dict[str, TargetRole], found: dict[str, str],
             last: dict[str, ComparisonRecord], history: tuple[ComparisonRecord, ...],
             progress: tuple[StageProgress, ...], known: set[str]) -> tuple[Beside, ...]:
    """Targets taken back, dropped or never compared; those compared with something else after a failure; figures left out."""
    stages = {entry.stage_id: entry for entry in progress}
    beside = []
    for name, (stage, target) in pairs.items():
        record = last.get(name)
        if name not in found and roles[name] != "material":
            entry = stages.get(stage.stage_id)
            why = "; ".join(part for part in (entry.status.replace("_", " ") if entry else "not started",
                                              entry.issues[-1] if entry and entry.issues else "",
                                              entry.invalidation_reason if entry else "") if part)
            beside.append(Beside(name, "withdrawn" if record else "not compared",
                                 f"stage {stage.stage_id} is {why}" + (f"; it was {record.classification}" if record else "")))
        failed = [entry for entry in history if entry.target_id == name and entry.classification == "FAILURE"]
        if failed and found.get(name, "FAILURE") != "FAILURE" and failed[-1].reference not in ("", reference_digest(target)):
            beside.append(Beside(name, "compared anew", "it failed, then a new plan compared it with something else"))
    gone = {record.target_id: record for record in history if record.target_id not in pairs and record.role != "material"}
    for name, record in gone.items():
        if name not in known:
            was = last[name].classification if name in last else "never compared"
            beside.append(Beside(name, "dropped", f"by the plan that followed plan {record.plan_round}; it was {was}"))
    for entry_text in plan.not_reproducible:
        figure, _, reason = entry_text.partition(":")
        beside.append(Beside(figure.strip(), "not attempted", reason.strip()))
    return tuple(beside)
