"""A result is no better bound to the paper than the inputs it was computed from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.simulations.numerics import StudyResult
from schemas.reproduce.simulations.units import dimension
from schemas.reproduce.words.bound import InputWords
from simkit.describe.light import Line
from tasks.reproduce.describing.in_sandbox import Description
from tasks.reproduce.describing.inputs_used import (
    altered,
    inputs_used,
    materials_used,
    scenes_of,
    taken_for_another,
)
from tasks.reproduce.judging.doubts import doubted, lowered
from tasks.reproduce.judging.limits import number_moved

_MOST = 3  # reasons that are told
_UNKNOWN = ("not computed", "no value")  # remarks of what was tried, and of what is known of it
_FACTORS = {"relative_percent": 100.0, "absolute_percentage_points": 100.0, "absolute": 1.0}  # from shares


def within_inputs(
    found: Sequence[TargetEvidence],
    description: Description | None,
    words: Mapping[str, InputWords],
    study: StudyResult | None = None,
) -> tuple[TargetEvidence, ...]:
    """The evidence of a stage's targets, at most PARTIAL where the paper's words do not bind an input that it rests on, or
    where an assumption decides it."""
    if description is None:  # a free script's results are PARTIAL anyway
        return tuple(found)
    faults = {name: one.fault for name, one in words.items() if one.fault}
    out = []
    for evidence in found:
        scenes = {scene.id for scene in scenes_of(description, evidence.target_id)}
        unbound = {
            **altered(description, words, scenes),
            **taken_for_another(description, words, scenes),
            **faults,
        }
        rests = inputs_used(description, evidence.target_id) | materials_used(description, evidence.target_id)
        reasons = [f"It rests on {name}: {why}" for name, why in unbound.items() if name in rests]
        for reason in decided_by_assumptions(evidence, description, study)[:_MOST]:
            evidence = lowered(evidence, "PARTIAL", reason)
        out.append(doubted(evidence, reasons[:_MOST], "input"))
    return tuple(out)


def decided_by_assumptions(
    evidence: TargetEvidence, description: Description, study: StudyResult | None
) -> list[str]:
    """Assumptions whose doubt moves a target by more than its threshold: what agrees may be the assumption.

    Of what is read off a curve it is how far that moves; where this was not kept, of a place, how far the whole spectrum does.
    """
    factor = (
        100.0 if evidence.unit == "%" and evidence.measure == "absolute" else _FACTORS.get(evidence.measure)
    )
    if study is None or factor is None or evidence.acceptable is None:
        return []
    at_one_line = {
        scene.id for scene in description.problem.scenes if isinstance(getattr(scene, "band", None), Line)
    }
    unit = " %" if factor == 100.0 else ""
    out: dict[str, str] = {}
    alone = sum(evidence.target_id in quantity.answers for quantity in study.quantities) == 1
    for quantity in study.quantities:
        number = quantity.value is not None or quantity.scene in at_one_line
        place = (
            evidence.simulated is not None
            and not number
            and dimension(evidence.unit) in ("length", "frequency")
        )
        asked = evidence.simulated is not None and not number and alone
        if evidence.target_id not in quantity.answers:
            continue
        for tried in quantity.sensitivities:
            if tried.origin == "assumption" and tried.remark.startswith(_UNKNOWN):
                out.setdefault(
                    tried.parameter,
                    f"It rests on the assumption {tried.parameter}, and what {tried.tried} would change is not known "
                    f"({tried.remark[:120]}); at most PARTIAL.",
                )
        if number != (evidence.simulated is not None) and not (place or asked):
            continue
        for tried in quantity.sensitivities:
            if tried.origin != "assumption" or tried.relative is None or tried.change is None:
                continue
            moved = factor * (tried.relative if evidence.measure == "relative_percent" else tried.change)
            if (known := number_moved(tried, evidence)) is not None:
                moved = known
            elif place and tried.moved is not None:
                moved = factor * abs(tried.moved)
            elif asked:
                out[tried.parameter] = (
                    f"It rests on the assumption {tried.parameter}: with {tried.tried} its curve shows no such number; at most PARTIAL."
                )
                continue
            elif place:  # one of two, of which only the change together counts
                continue
            if moved > evidence.acceptable:
                out[tried.parameter] = (
                    f"It rests on the assumption {tried.parameter}: with {tried.tried} it moves by {moved:.3g}{unit}, and "
                    f"{evidence.acceptable:.3g}{unit} is the threshold; at most PARTIAL."
                )
    return list(out.values())
