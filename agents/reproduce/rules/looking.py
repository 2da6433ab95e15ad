"""Image targets: what analyst and validator saw becomes a class by rule; nobody may drop a look the plan named."""

from __future__ import annotations

from typing import Any

from agents.reproduce.shared import target_figures
from schemas.reproduce.judging.evidence import StageEvidence
from schemas.reproduce.judging.looks import (
    LookJudged,
    PictureEvidence,
    Seen,
    VisualClass,
    VisualComparison,
    VisualReport,
)
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.planning.plan import Look, Stage, Target

ORDER: tuple[Seen, ...] = ("agree", "cannot_tell", "differs")
_UNSEEN = "not answered"


def asked(stage: Stage, evidence: StageEvidence | None) -> list[dict[str, Any]]:
    """What the agents that see are asked: each image target whose two pictures exist, with the plan's looks."""
    pictures = {entry.target_id: entry for entry in evidence.pictures} if evidence else {}
    return [
        {
            "target_id": target.target_id,
            "figure_id": target.figure_id,
            "description": target.description,
            "looks": target.looks,
        }
        for target in stage.image_targets
        if both(pictures.get(target.target_id))
    ]


def figures_with_looks(
    stage: Stage, paper: PaperInput, evidence: StageEvidence | None
) -> list[dict[str, Any]]:
    """The figures of the stage's targets, those judged by eye with the looks the plan names for each target."""
    wanted = asked(stage, evidence)
    return [
        figure
        | ({"looks": mine} if (mine := [e for e in wanted if e["figure_id"] == figure["figure_id"]]) else {})
        for figure in target_figures(stage, paper)
    ]


def both(pictures: PictureEvidence | None) -> bool:
    """Whether there is a picture of either side to look at."""
    return pictures is not None and bool(pictures.paper and pictures.simulation)


def missing(
    stage: Stage, evidence: StageEvidence | None, reports: tuple[VisualReport, ...]
) -> list[tuple[str, str]]:
    """(target, what is wrong) of an analyst's visual reports: looks left out, repeated, or named by nobody."""
    found = []
    wanted = {entry["target_id"]: [look.name for look in entry["looks"]] for entry in asked(stage, evidence)}
    for target_id, names in wanted.items():
        given = [look.name for report in reports if report.target_id == target_id for look in report.looks]
        found += [
            (target_id, f"look {name!r} is judged {given.count(name)} times, not once")
            for name in names
            if given.count(name) != 1
        ]
        found += [
            (target_id, f"no look of this target is called {name!r}")
            for name in sorted(set(given) - set(names))
        ]
    found += [
        (name, "no image target with two pictures")
        for name in sorted({r.target_id for r in reports} - set(wanted))
    ]
    return found


def judge(
    stage: Stage,
    evidence: StageEvidence | None,
    analyst: tuple[VisualReport, ...],
    validator: tuple[VisualReport, ...],
) -> tuple[VisualComparison, ...]:
    """One comparison for each image target. The stricter of both agents counts; what one did not answer it cannot tell.

    FAILURE if a look differs or the data were not computed, PARTIAL if none differs and one agrees, else NOT_JUDGED.
    """
    pictures = {entry.target_id: entry for entry in evidence.pictures} if evidence else {}
    return tuple(
        _one(stage, target, pictures.get(target.target_id), analyst, validator)
        for target in stage.image_targets
    )


def _one(
    stage: Stage,
    target: Target,
    pictures: PictureEvidence | None,
    analyst: tuple[VisualReport, ...],
    validator: tuple[VisualReport, ...],
) -> VisualComparison:
    pictures = pictures or PictureEvidence(
        target_id=target.target_id,
        figure_id=target.figure_id,
        problems=("The stage did not get as far as a picture.",),
    )
    looks = tuple(
        _look(look, target.target_id, analyst, validator) if both(pictures) else _as_planned(look)
        for look in target.looks
    )
    seen = {look.verdict for look in looks}
    reasons = list(pictures.problems)
    classification: VisualClass
    if not both(pictures):
        classification = "NOT_JUDGED"
        reasons.append(
            "Not judged: "
            + (
                "the paper gives no picture."
                if pictures.simulation
                else "there is no picture of the simulation."
            )
        )
    elif not pictures.computed:
        classification = "FAILURE"
        reasons.append("The simulation's data were not computed by Meep in a run that ended well.")
    else:
        classification = "FAILURE" if "differs" in seen else "PARTIAL" if "agree" in seen else "NOT_JUDGED"
    return VisualComparison(
        figure_id=target.figure_id,
        stage_id=stage.stage_id,
        target_id=target.target_id,
        description=target.description,
        classification=classification,
        looks=looks,
        pictures=pictures,
        reasons=tuple(reasons),
    )


def _as_planned(look: Look) -> LookJudged:
    return LookJudged(name=look.name, kind=look.kind, expected=look.expected, tolerance=look.tolerance)


def _look(
    look: Look, target_id: str, analyst: tuple[VisualReport, ...], validator: tuple[VisualReport, ...]
) -> LookJudged:
    (one, why), (other, why_too) = _seen(look, target_id, analyst), _seen(look, target_id, validator)
    return _as_planned(look).model_copy(
        update={
            "analyst": one,
            "validator": other,
            "verdict": max(one, other, key=ORDER.index),
            "reasons": (f"analyst: {why}", f"validator: {why_too}"),
        }
    )


def _seen(look: Look, target_id: str, reports: tuple[VisualReport, ...]) -> tuple[Seen, str]:
    """An agent's strictest word on a look."""
    given = [
        entry
        for report in reports
        if report.target_id == target_id
        for entry in report.looks
        if entry.name == look.name
    ]
    if not given:
        return "cannot_tell", _UNSEEN
    strictest = max(given, key=lambda entry: ORDER.index(entry.verdict))
    return strictest.verdict, strictest.reason
