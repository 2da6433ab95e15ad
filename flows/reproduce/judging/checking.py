"""The judging half of a stage: simulate, then execution, physics, analysis and comparison, each from evidence."""

from __future__ import annotations

from typing import Any, TypeVar

from agents.reproduce import execution_validator, physics_sanity
from agents.reproduce.rules.feature_rules import bound
from agents.reproduce.rules.reference_rules import quotable
from agents.talking.agent import Agent
from flows.calls.calling import ask_agent, recorded, request_images, unrecorded
from flows.reproduce.context import Run
from flows.reproduce.designing.creation import suggested
from flows.reproduce.designing.describing import described, fits
from flows.reproduce.judging.against_words import against_words, input_words_of
from flows.reproduce.judging.converging import convergence_checks
from schemas.base import FileRef, Model
from schemas.reproduce.judging.budget import Budget
from schemas.reproduce.judging.evidence import (
    Check,
    ExecutionEvidence,
    PhysicsEvidence,
    StageEvidence,
    TargetEvidence,
)
from schemas.reproduce.judging.verdicts import ExecutionAnswer, PhysicsAnswer
from schemas.reproduce.origin_words import origin_words
from schemas.reproduce.planning.declared import declared
from schemas.reproduce.planning.plan import Stage
from schemas.reproduce.simulations.execution import StageOutputs
from schemas.reproduce.words.at_light import light_in
from schemas.talking.transcript import RequestImage
from tasks.files.store import atomic_write
from tasks.limited import limited
from tasks.reproduce.collect.telling_pictures import telling_pictures
from tasks.reproduce.describing.in_sandbox import Description
from tasks.reproduce.evidence.echo import echo_checks
from tasks.reproduce.evidence.execution import announced_files, execution_evidence, in_part
from tasks.reproduce.evidence.image import picture_evidence
from tasks.reproduce.evidence.own_functions import examined
from tasks.reproduce.evidence.possible import physics_evidence
from tasks.reproduce.evidence.scripted import capped
from tasks.reproduce.experiments import data_tables
from tasks.reproduce.judging import record
from tasks.reproduce.judging.controls import with_controls
from tasks.reproduce.judging.targets import has_metal, target_evidence
from tasks.reproduce.judging.together import Stated, with_their_curves
from tasks.reproduce.judging.two_ways import beside_paper
from tasks.reproduce.judging.wide_bounds import only_computes, within_what_is_known
from tasks.reproduce.solving.one_run import ENOUGH

Answer = TypeVar("Answer", bound=Model)
PHYSICS_PICTURES = 6
NOTHING = "nothing to judge"
COMPARING_CPU_S = 1800.0  # of our own process, for a stage


def check_execution(run: Run, stage: Stage, attempt: int, outputs: StageOutputs) -> ExecutionAnswer:
    """Did the simulations run correctly? The evidence decides, the agent may be stricter."""
    evidence = execution_evidence(outputs, stage, run.run_dir)
    note = run.state.code_note
    evidence = evidence.model_copy(
        update={
            "checks": (
                *evidence.checks,
                *announced_files(outputs, note.expected_outputs if note else ()),
                *echo_checks(run.state.code or "", stage, paper_dir=run.paper_dir),
            )
        }
    )
    run.update("execution_check", stage_evidence=StageEvidence(stage_id=stage.stage_id, execution=evidence))
    answer = None
    if (
        outputs.executions and execution_validator.rule(evidence).recoverable
    ):  # of nothing there is nothing to show
        answer = judged(
            run,
            execution_validator.AGENT,
            execution_validator.context(run.state, run.paper, evidence=evidence),
            ExecutionAnswer,
            stage,
            attempt,
            skip="" if outputs.study is None or evidence.level != "pass" else NOTHING,
        )
    verdict = execution_validator.judge(answer, evidence)
    tried = (
        run.state.counters.execution_failures > 0 or not verdict.recoverable or _ended_by_a_person(outputs)
    )
    if verdict.verdict == "fail" and tried and (part := in_part(evidence, outputs, stage)):
        evidence, verdict = part, execution_validator.rule(part)
        run.update("execution_check", stage_evidence=StageEvidence(stage_id=stage.stage_id, execution=part))
    run.update("execution_check", execution_verdict=verdict)
    atomic_write(run.run_dir / stage.stage_id / "executions.json", outputs.model_dump_json(indent=1))
    run.console.say(f"execution: {verdict.verdict}" + _failed(evidence), stage=stage.stage_id)
    return verdict


def _ended_by_a_person(outputs: StageOutputs) -> bool:
    """Whether somebody said that it is enough before everything had a value: it is judged as it is, not designed anew."""
    quantities = outputs.study.quantities if outputs.study is not None else ()
    return any(ENOUGH.reason in quantity.reason for quantity in quantities)


def compare(
    run: Run, stage: Stage, outputs: StageOutputs, physical: bool
) -> tuple[tuple[TargetEvidence, ...], tuple[Check, ...], tuple[Budget, ...]]:
    """Every target of the stage against the paper, the negative controls of each comparison, and what each difference is worth.

    At most PARTIAL is a feature of which the paper's words leave something open, what they call otherwise than it was
    computed, and what a free script computed; what a function of the description's own computed is as good as its witnesses.
    """
    found, checks, budgets = [], [], []  # type: ignore[var-annotated]
    for target in stage.numeric_targets:
        place: dict[str, Any] = {
            "root": run.run_dir,
            "paper_dir": run.paper_dir,
            "profile": run.settings.thresholds,
            "materials": run.materials(),
        }
        evidence, budget = target_evidence(
            outputs,
            stage,
            target,
            physical=physical,
            origin=origin_words(target.reference, run.paper),
            overlay_dir=run.run_dir / stage.stage_id / "plots",
            **place,
        )
        evidence, controls = with_controls(evidence, outputs, stage, target, **place)
        found.append(evidence)
        checks += controls
        budgets += [budget] if budget is not None else []
    tied = with_their_curves(
        stage,
        found,
        outputs,
        _stated(run, stage),
        root=run.run_dir,
        paper_dir=run.paper_dir,
        profile=run.settings.thresholds,
        metal=has_metal(stage, run.materials()),
    )
    built = against_words(run, stage, tied, _description(run, outputs), outputs.study, fits(run))
    targets = {target.target_id: target for target in stage.numeric_targets}
    worth = {budget.target_id: budget for budget in budgets}
    built = tuple(
        within_what_is_known(evidence, worth.get(evidence.target_id), outputs.study)
        if only_computes(run.paper, targets[evidence.target_id].reference)
        else evidence
        for evidence in built
    )
    judged_by_code = tuple(
        beside_paper(examined(capped(evidence, outputs), outputs), targets[evidence.target_id], outputs)
        for evidence in built
    )
    return judged_by_code, tuple(checks), tuple(budgets)


def _description(run: Run, outputs: StageOutputs) -> Description | None:
    design = run.state.design
    return (
        described(run, design)
        if outputs.study is not None and design is not None and design.described
        else None
    )


def _stated(run: Run, stage: Stage) -> Stated:
    """What the paper's words leave open of the stage's features, and which data its figures have."""
    words, own = quotable(run.paper), input_words_of(run)
    light = tuple(
        (one.value, one.unit)
        for one in declared(run.state.extracted_parameters).parameters
        if one.value is not None and one.id in own and "light" in own[one.id].kinds
    )
    light = light_in(words, light)
    captions = {figure.figure_id: figure.caption for figure in run.paper.figures}
    return Stated(
        {
            target.target_id: bound(
                target, words, run.state.extracted_parameters, captions.get(target.figure_id, "")
            )
            for target in stage.numeric_targets
        },
        {figure.figure_id: tuple(data.file for data in figure.data) for figure in run.paper.figures},
        light,
    )


def check_physics(run: Run, stage: Stage, attempt: int, outputs: StageOutputs) -> PhysicsAnswer:
    """Is it physically possible? Whether it holds still when the grid is refined is a finding of its own, shown beside."""
    evidence = physics_evidence(outputs, stage, run.run_dir)
    physical = evidence.level != "fail"
    targets, controls, budgets = limited(
        lambda: compare(run, stage, outputs, physical), "comparing", cpu_s=COMPARING_CPU_S
    )
    run.update(
        "physics_check",
        comparison_history=(
            *run.state.comparison_history,
            *record.computed(run.state, stage, attempt, targets),
        ),
    )
    convergence = convergence_checks(targets, outputs)
    shown = PhysicsEvidence(checks=(*evidence.checks, *convergence))
    tables = {e.directory: data_tables(e, run.run_dir) for e in outputs.finest()}
    answer = judged(
        run,
        physics_sanity.AGENT,
        physics_sanity.context(run.state, run.paper, evidence=shown, data_tables=tables),
        PhysicsAnswer,
        stage,
        attempt,
        request_images(run, list(telling_pictures(outputs.finest(), PHYSICS_PICTURES))),
        skip="" if doubtful(outputs, shown) else NOTHING,
    )
    verdict = physics_sanity.judge(answer, evidence)
    before = run.state.stage_evidence
    assert before is not None
    found = before.model_copy(
        update={
            "physics": evidence,
            "convergence": convergence,
            "targets": targets,
            "controls": controls,
            "budgets": budgets,
            "pictures": picture_evidence(
                outputs,
                stage,
                run.paper,
                root=run.run_dir,
                paper_dir=run.paper_dir,
                folder=run.run_dir / stage.stage_id / "plots",
            ),
        }
    )
    run.update(
        "physics_check",
        physics_verdict=verdict,
        stage_evidence=found,
        backtrack_suggestion=suggested(run, verdict.backtrack_suggestion, "PhysicsSanityAgent"),
    )
    missed = [target.target_id for target in targets if target.computed and not target.converged]
    run.console.say(
        f"physics: {verdict.verdict}"
        + _failed(evidence)
        + (f"; not converged: {', '.join(missed)}" if missed else ""),
        stage=stage.stage_id,
    )
    return verdict


def judged(
    run: Run,
    agent: Agent,
    context: dict[str, object],
    answer_type: type[Answer],
    stage: Stage,
    attempt: int,
    images: tuple[RequestImage, ...] = (),
    *,
    skip: str = "",
) -> Answer | None:
    """A judging agent's answer; None where evidence judges alone: `skip` says why, or a replay holds none.

    A recorded opinion counts like a live one: it can make a verdict stricter, never more lenient.
    """
    position = run.position(agent.name, stage.stage_id, attempt)
    if skip and not recorded(run, position):
        evidence = run.state.stage_evidence
        if skip == NOTHING and evidence is not None:
            run.update(
                "execution_check",
                stage_evidence=evidence.model_copy(update={"not_asked": (*evidence.not_asked, agent.name)}),
            )
        run.console.say(f"{agent.name} not asked: {skip}", stage=stage.stage_id)
        return None
    if unrecorded(run, position):
        return None
    return ask_agent(run, agent, context, answer_type, position=position, images=images)


def doubtful(outputs: StageOutputs, evidence: PhysicsEvidence) -> bool:
    """Whether code found anything that an opinion about physics could add to; always of what a free script computed.

    evidence: with the checks of convergence. Remarks of the solver, findings of inspection, a value off its exact solution.
    """
    study = outputs.study
    return (
        study is None
        or evidence.level != "pass"
        or bool(study.remarks)
        or any(finding.level != "note" for finding in study.findings)
        or any(
            entry.status != "converged"
            or entry.from_fields is False
            or (entry.oracle is not None and not entry.oracle.within)
            or (entry.second is not None and entry.second.agrees is False)
            for entry in study.quantities
        )
    )


def failure_pictures(outputs: StageOutputs) -> tuple[FileRef, ...]:
    """Pictures for the agent that has to mend something: epsilon with PML and monitors, value against time."""
    return tuple(picture for picture, _ in telling_pictures(outputs.finest(), PHYSICS_PICTURES))


def _failed(evidence: ExecutionEvidence | PhysicsEvidence) -> str:
    failed = [check for check in evidence.checks if check.level == "fail"]
    return f" ({failed[0].name}: {failed[0].measured})" if failed else ""
