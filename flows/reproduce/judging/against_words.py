"""A stage's description held against the paper's words, target by target: before it is solved, and again when it is judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agents.reproduce.rules.choice_words import choice_words
from agents.reproduce.rules.input_rules import input_words
from agents.reproduce.rules.redaction import secret_values, withhold
from agents.reproduce.rules.reference_rules import quotable
from agents.reproduce.rules.word_rules import called
from flows.reproduce.context import Run
from schemas.errors import UnreadableAnswer
from schemas.reproduce.judging.evidence import TargetEvidence
from schemas.reproduce.planning.declared import declared
from schemas.reproduce.planning.plan import Stage, Target
from schemas.reproduce.simulations.numerics import StudyResult
from schemas.reproduce.words.bound import InputWords
from schemas.reproduce.words.structure_words import structure_words, tells
from schemas.talking.review import Issue
from tasks.limited import limited
from tasks.reproduce.describing.in_sandbox import Description
from tasks.reproduce.describing.vocabulary import materials_of
from tasks.reproduce.judging.inputs import within_inputs
from tasks.reproduce.papers import data_columns
from tasks.reproduce.references.called import as_called
from tasks.reproduce.references.choices import within_choices
from tasks.reproduce.references.headed import of_its_column
from tasks.reproduce.references.structure import indices_at, within_structure

BEFORE_CPU_S = 300.0  # of our own process, before anything is solved
_MOST = 24  # doubts that are told of one description


def against_words(
    run: Run,
    stage: Stage,
    found: Sequence[TargetEvidence],
    description: Description | None,
    study: StudyResult | None,
    materials: Mapping[str, Any],
) -> tuple[TargetEvidence, ...]:
    """The evidence, at most PARTIAL where the paper's words call, choose or build it otherwise than it was described.

    materials: confirmed fits by name.
    """
    inputs, extracted = input_words_of(run), run.state.extracted_parameters
    columns = data_columns(run.paper, run.paper_dir)
    calls = {
        target.target_id: called(target, run.paper, extracted, columns) for target in stage.numeric_targets
    }
    headed = of_its_column(stage, as_called(stage, found, calls, description), description)
    lit = within_choices(
        within_inputs(headed, description, inputs, study),
        description,
        {target.target_id: choice_words(target, run.paper) for target in stage.numeric_targets},
        inputs,
    )
    said = structure_words(quotable(run.paper))
    media, references = _numbers_of_plan(run, stage)
    used = materials_of(description) if description is not None else frozenset()
    media |= indices_at(said, {name: entry for name, entry in materials.items() if name in used})
    return within_structure(lit, description, said, media, references)


def doubts_before(
    run: Run,
    stage: Stage,
    targets: Sequence[Target],
    description: Description,
    materials: Mapping[str, Any],
) -> list[Issue]:
    """What would keep targets of a description at PARTIAL, whatever comes out, told while it can still be mended."""
    nothing = [
        TargetEvidence(
            target_id=target.target_id,
            stage_id=stage.stage_id,
            ran=False,
            computed=False,
            converged=False,
            physical=True,
            matches=False,
            classification="SUCCESS",
        )
        for target in targets
    ]
    try:
        found = limited(
            lambda: against_words(run, stage, nothing, description, None, materials),
            "holding the description against the paper's words",
            cpu_s=BEFORE_CPU_S,
        )
    except UnreadableAnswer:  # told when it is judged, which is limited too
        return []
    secrets = secret_values(
        run.state
    )  # designer and reviewer are blind, and the paper's words may tell a result
    whose: dict[str, list[str]] = {}
    for evidence in found:
        for doubt in evidence.doubts:
            whose.setdefault(withhold(doubt.why.rstrip("."), secrets), []).append(evidence.target_id)
    return [
        Issue(
            severity="major",
            where=", ".join(names),
            description=f"{why}: at most PARTIAL, whatever it gives",
            fix="describe it as the words say, where it is otherwise; where they mean what is described, leave it: a person can "
            "confirm it when there is a result",
        )
        for why, names in list(whose.items())[:_MOST]
    ]


def input_words_of(run: Run) -> dict[str, InputWords]:
    """What the paper's words bind the plan's inputs to."""
    plan = run.state.plan
    return input_words(run.state.extracted_parameters, plan.materials if plan else (), quotable(run.paper))


def _numbers_of_plan(
    run: Run, stage: Stage
) -> tuple[dict[str, list[tuple[float, str]]], list[tuple[float, str]]]:
    """(material -> the numbers it is made of, the numbers that the plan's targets are compared with and that its other stages are
    to simulate)."""
    plan = run.state.plan
    if plan is None:
        return {}, []
    media = {
        choice.name: [
            *(((choice.index, "1"),) if choice.index is not None else ()),
            *((number.value, number.unit) for term in choice.terms for number in term.numbers),
        ]
        for choice in plan.materials
    }
    references = [
        (value, target.unit)
        for _, target in plan.all_targets()
        for value in (target.reference.value, target.reference.upper)
        if value is not None
    ]
    # What a stage is told itself it has to take up itself: no two stages excuse each other of it.
    others = [one.description for one in plan.stages if one.stage_id != stage.stage_id and one.targets]
    references += [
        (one.value, one.unit)
        for one in declared(run.state.extracted_parameters).parameters
        if one.value is not None
        and any(tells(words, one.id, one.value, one.unit) for words in others)
        and not tells(stage.description, one.id, one.value, one.unit)
    ]
    return media, references
