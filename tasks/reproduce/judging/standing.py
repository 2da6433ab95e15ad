"""What stands beside a verdict: targets that failed before, were dropped, demoted, never compared or not attempted."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from schemas.reproduce.judging.comparison import ComparisonRecord
from schemas.reproduce.planning.left import Left
from schemas.reproduce.planning.plan import Plan, Stage, Target, TargetRole
from schemas.reproduce.planning.progress import StageProgress
from tasks.reproduce.judging.record import reference_digest

Standing = Literal[
    "failed, then set aside",
    "failed before",
    "other reading",
    "tested alternative",
    "withdrawn",
    "dropped",
    "counts for less",
    "not compared",
    "compared anew",
    "not attempted",
    "by hand",
    "not covered",
    "not answered",
]


@dataclass(frozen=True)
class Beside:
    """What a reader of the verdict must know about one target or figure."""

    what: str
    standing: Standing
    note: str = ""


def failed_before(
    history: tuple[ComparisonRecord, ...], classes: Mapping[str, str], known: Collection[str] = ()
) -> tuple[ComparisonRecord, ...]:
    """The last failure of each major target that a stage attempt ended with and that is no failure now; a disagreement that was not
    converged counts once something else was compared.

    classes: target -> its class now. known: targets whose failure counts already. What did not run was not compared.
    """
    latest = {record.target_id: record for record in history if record.event == "compared"}
    found = {
        record.target_id: record
        for record in history
        if record.event == "compared"
        and not (record.beyond and record is latest[record.target_id])
        and refuted(record)
        and record.role in ("claim", "major")
        and record.target_id not in known
        and classes.get(record.target_id) != "FAILURE"
    }
    return tuple(found.values())


def refuted(record: ComparisonRecord) -> bool:
    """Whether a value that a described simulation wrote disagreed with the paper."""
    return (record.classification == "FAILURE" or record.beyond) and record.ran and record.refutes


def when(record: ComparisonRecord) -> str:
    error = (
        f", error {record.error:.3g} ({record.measure.replace('_', ' ')})" if record.error is not None else ""
    )
    return f"FAILURE under plan {record.plan_round}, attempt {record.attempt} of {record.stage_id}{error}"


def set_aside(fallen: tuple[ComparisonRecord, ...], roles: dict[str, TargetRole]) -> tuple[Beside, ...]:
    return tuple(
        Beside(
            record.target_id,
            "failed, then set aside",
            f"it failed under plan {record.plan_round}; now "
            + (f"called {roles[record.target_id]}" if record.target_id in roles else "no longer in the plan")
            + "; it counts as failed",
        )
        for record in fallen
    )


def readings(plan: Plan, classes: dict[str, str], roles: dict[str, TargetRole]) -> tuple[Beside, ...]:
    return tuple(
        Beside(
            name,
            "other reading" if reading.quotation else "tested alternative",
            f"{reading.name}: {classes[name]}"
            + ("" if reading.quotation else "; inferred, not stated by the paper, so it counts for nothing"),
        )
        for reading in plan.readings
        for name in reading.targets
        if name in roles
    )


def missing(
    plan: Plan,
    pairs: dict[str, tuple[Stage, Target]],
    roles: dict[str, TargetRole],
    found: dict[str, str],
    last: dict[str, ComparisonRecord],
    history: tuple[ComparisonRecord, ...],
    progress: tuple[StageProgress, ...],
    known: set[str],
) -> tuple[Beside, ...]:
    """Targets taken back, dropped or never compared; those compared with something else after a failure."""
    stages = {entry.stage_id: entry for entry in progress}
    beside = []
    for name, (stage, target) in pairs.items():
        record = last.get(name)
        if name not in found and roles[name] != "material":
            entry = stages.get(stage.stage_id)
            why = "; ".join(
                part
                for part in (
                    entry.status.replace("_", " ") if entry else "not started",
                    entry.issues[-1] if entry and entry.issues else "",
                    entry.invalidation_reason if entry else "",
                )
                if part
            )
            beside.append(
                Beside(
                    name,
                    "withdrawn" if record else "not compared",
                    f"stage {stage.stage_id} is {why}"
                    + (f"; it was {record.classification}" if record else ""),
                )
            )
        failed = [
            entry
            for entry in history
            if entry.target_id == name and entry.event == "compared" and entry.classification == "FAILURE"
        ]
        if (
            failed
            and found.get(name, "FAILURE") != "FAILURE"
            and failed[-1].reference not in ("", reference_digest(target))
        ):
            beside.append(
                Beside(name, "compared anew", "it failed, then a new plan compared it with something else")
            )
    gone = {
        record.target_id: record
        for record in history
        if record.target_id not in pairs and record.role != "material"
    }
    for name, record in gone.items():
        if name not in known:
            was = last[name].classification if name in last else "never compared"
            beside.append(
                Beside(name, "dropped", f"by the plan that followed plan {record.plan_round}; it was {was}")
            )
    return tuple(beside)


def unattempted(plan: Plan, left: Sequence[Left]) -> tuple[Beside, ...]:
    """What no target answers, with the paper's words and the plan's; entries of the plan that name none of it as they are."""
    told = tuple(
        Beside(
            entry.what,
            "by hand"
            if entry.by_hand
            else "not answered"
            if entry.tried
            else "not covered"
            if entry.data and entry.counts
            else "not attempted",
            entry.told,
        )
        for entry in left
    )
    rest = (
        text
        for text in plan.not_reproducible
        if not any(entry.reason and entry.reason in text for entry in left)
    )
    return (
        *told,
        *(
            Beside(figure.strip(), "not attempted", reason.strip())
            for figure, _, reason in (text.partition(":") for text in rest)
        ),
    )
