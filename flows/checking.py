"""The judging half of a stage: simulate, then execution, physics, analysis and comparison, each from evidence."""

from __future__ import annotations

import hashlib
from typing import TypeVar

from prefect.futures import PrefectFuture

from agents import comparison_validator, execution_validator, physics_sanity, results_analyzer
from agents.core import Agent
from agents.models.replay import ReplayModel
from flows.artifacts import publish_markdown
from flows.calls import ask_agent, request_images
from flows.context import Run
from flows.creation import count, suggested
from flows.steps import simulate
from schemas.base import FileRef, Model, canonical_json, file_sha256
from schemas.evidence import Check, ExecutionEvidence, PhysicsEvidence, StageEvidence, TargetEvidence
from schemas.execution import Execution, SimulationJob, StageOutputs
from schemas.plan import Stage
from schemas.transcript import RequestImage
from schemas.verdicts import AnalysisAnswer, ComparisonAnswer, ExecutionAnswer, PhysicsAnswer
from tasks.evidence import controls, echo_checks, execution_evidence, physics_evidence, target_evidence
from tasks.experiments import data_tables
from tasks.papers import inside
from tasks.simulation import execution_id, simkit_digest
from tasks.store import atomic_write

Answer = TypeVar("Answer", bound=Model)


def run_simulations(run: Run, stage: Stage, attempt: int) -> StageOutputs:
    """Every sweep point at every convergence scale, side by side up to the limit; each at most once ever."""
    jobs = _jobs(run, stage)
    run.console.say(f"simulating: {len(jobs)} run{'s' if len(jobs) > 1 else ''}", stage=stage.stage_id)
    futures: list[tuple[str, PrefectFuture[Execution]]] = []
    for job in jobs:
        name = execution_id(job)
        label = f"{stage.stage_id} x{job.resolution_scale:g}" + "".join(f" {k}={v:g}" for k, v in job.point)
        folder = f"{stage.stage_id}/runs/x{job.resolution_scale:g}{''.join(f'-{k}{v:g}' for k, v in job.point)}-{name[:8]}"
        key = f"simulation-{run.run_id}-{name}"
        futures.append((key, simulate.submit(key=key, label=label, run_id=run.handle, job=job, folder=folder)))
    executions = []
    for key, future in futures:
        executions.append(future.result())
        reused = key not in run.executed
        run.tally.simulations += not reused
        run.tally.simulations_reused += reused
    outputs = StageOutputs(stage_id=stage.stage_id, code_sha256=_text_sha(run.state.code or ""),
                           executions=tuple(executions))
    run.outputs[stage.stage_id] = outputs
    run.executions += [e for e in executions if e.execution_id not in {x.execution_id for x in run.executions}]
    run.update("run_code", stage_outputs=outputs,
               runtime_used_s=run.state.runtime_used_s + sum(e.wall_s for e in executions))
    return outputs


def _jobs(run: Run, stage: Stage) -> list[SimulationJob]:
    design, limits = run.state.design, run.settings.limits
    assert design is not None and run.state.code is not None
    scales, points = design.convergence_scales, design.sweep_points or ((),)
    factor = 1.0
    if run.settings.debug:
        factor, points = 0.5, points[:1]
    used = {name: record.parameters() for name, record in run.materials().items()
            if name in design.materials or name in stage.materials}
    wall = 60 * min(limits.max_stage_runtime_minutes, stage.runtime_budget_minutes, 10 if run.settings.debug else 1e9)
    inputs = []
    for name in stage.dependencies:
        if name in run.outputs:
            inputs += [(name, e.execution_id) for e in run.outputs[name].finest()]
    return [SimulationJob(
        paper_id=run.paper.paper_id, stage_id=stage.stage_id, code=run.state.code, resolution_scale=scale * factor,
        point=tuple((v.name, v.value) for v in point), debug=run.settings.debug, materials_json=canonical_json(used),
        inputs=tuple(inputs), wall_limit_s=wall, cpu_limit_s=wall, memory_mb=int(limits.max_memory_gb * 1024),
        meep_version=run.meep.meep_version, simkit_digest=simkit_digest())
        for point in points for scale in scales]


def check_execution(run: Run, stage: Stage, attempt: int, outputs: StageOutputs) -> ExecutionAnswer:
    """Did the simulations run correctly? The evidence decides, the agent may be stricter."""
    evidence = execution_evidence(outputs, stage, run.run_dir)
    evidence = evidence.model_copy(update={"checks": (*evidence.checks, *echo_checks(
        run.state.code or "", stage, paper_dir=run.paper_dir, materials=run.materials()))})
    run.update("execution_check", stage_evidence=StageEvidence(stage_id=stage.stage_id, execution=evidence))
    answer = None
    if execution_validator.rule(evidence).recoverable:
        answer = _judged(run, execution_validator.AGENT,
                         execution_validator.context(run.state, run.paper, evidence=evidence), ExecutionAnswer, stage,
                         attempt)
    verdict = execution_validator.judge(answer, evidence)
    run.update("execution_check", execution_verdict=verdict)
    atomic_write(run.run_dir / stage.stage_id / "executions.json", outputs.model_dump_json(indent=1))
    run.console.say(f"execution: {verdict.verdict}" + _failed(evidence), stage=stage.stage_id)
    return verdict


def compare(run: Run, stage: Stage, outputs: StageOutputs, physical: bool
            ) -> tuple[tuple[TargetEvidence, ...], tuple[Check, ...]]:
    """Every target of the stage against the paper, and the negative controls of each comparison, from files.

    A comparison that accepts a wrong answer cannot tell right from wrong: its target is at most PARTIAL.
    """
    found, checks = [], []  # type: ignore[var-annotated]
    for target in stage.targets:
        evidence = target_evidence(
            outputs, stage, target, root=run.run_dir, paper_dir=run.paper_dir, profile=run.settings.thresholds,
            physical=physical, materials=run.materials(), overlay_dir=run.run_dir / stage.stage_id / "plots")
        controlled = controls(outputs, stage, target, root=run.run_dir, paper_dir=run.paper_dir,
                              profile=run.settings.thresholds, materials=run.materials())
        passed = [check for check in controlled if check.level == "fail"]
        if passed and evidence.classification == "SUCCESS":
            evidence = evidence.model_copy(update={"classification": "PARTIAL", "reasons": (
                *evidence.reasons, f"The comparison accepts a wrong answer ({passed[0].name}), so it proves little.")})
        found.append(evidence)
        checks += controlled
    return tuple(found), tuple(checks)


def check_physics(run: Run, stage: Stage, attempt: int, outputs: StageOutputs) -> PhysicsAnswer:
    """Is it physically possible, and does it hold still when the grid is refined?"""
    evidence = physics_evidence(outputs, stage, run.run_dir)
    physical = evidence.level != "fail"
    targets, controlled = compare(run, stage, outputs, physical)
    evidence = PhysicsEvidence(checks=(*evidence.checks, *convergence_checks(targets)))
    tables = {e.directory: data_tables(e, run.run_dir) for e in outputs.finest()}
    answer = _judged(run, physics_sanity.AGENT,
                     physics_sanity.context(run.state, run.paper, evidence=evidence, data_tables=tables), PhysicsAnswer,
                     stage, attempt, request_images(run, _pictures(outputs)))
    verdict = physics_sanity.judge(answer, evidence)
    failed = [check for check in evidence.checks if check.level == "fail"]
    if verdict.verdict == "fail" and failed and all(c.name.startswith("convergence") for c in failed):
        # the grid is the designer's choice: new code at the same resolution cannot converge
        verdict = verdict.model_copy(update={"verdict": "design_flaw"})
    before = run.state.stage_evidence
    assert before is not None
    found = before.model_copy(update={"physics": evidence, "targets": targets, "controls": controlled})
    run.update("physics_check", physics_verdict=verdict, stage_evidence=found,
               backtrack_suggestion=suggested(run, verdict.backtrack_suggestion, "PhysicsSanityAgent"))
    run.console.say(f"physics: {verdict.verdict}" + _failed(evidence), stage=stage.stage_id)
    return verdict


def convergence_checks(targets: tuple[TargetEvidence, ...]) -> tuple[Check, ...]:
    """A check for each target: is its numerical uncertainty below half the acceptable error?"""
    checks = []
    for target in targets:
        if target.uncertainty is None or target.acceptable is None or not target.computed:
            continue
        rungs = ", ".join(f"x{rung.resolution_scale:g}: {rung.value:.6g}" for rung in target.rungs)
        checks.append(Check(
            name=f"convergence of {target.target_id}", level="pass" if target.converged else "fail",
            measured=f"uncertainty {target.uncertainty:.3g} ({target.measure})" + (f"; {rungs}" if rungs else ""),
            allowed=f"at most {target.acceptable / 2:.3g}", source=target.file or "",
            hint="" if target.converged else "finer grid, edges at the same sub-pixel position on every rung, thicker "
                                             "absorber, longer run; then list the rungs again"))
    return tuple(checks)


def analyse(run: Run, stage: Stage, attempt: int) -> None:
    """Analysis and its check, revised until approved or the limit is reached; then flagged."""
    evidence = run.state.stage_evidence
    assert evidence is not None
    limit = run.settings.limits.max_analysis_revisions
    for revision in range(limit + 1):
        run.console.say("comparing with the paper" + (f" (revision {revision})" if revision else ""),
                        stage=stage.stage_id)
        images = _comparison_images(run, stage, evidence.targets)
        answer = ask_agent(run, results_analyzer.AGENT, results_analyzer.context(
            run.state, run.paper, evidence=evidence.targets, thresholds=run.settings.thresholds), AnalysisAnswer,
            position=run.position("results_analyzer", stage.stage_id, attempt), images=images)
        record_analysis(run, stage, answer)
        ruled = comparison_validator.rule(
            answer, _of_stage(run, stage), evidence.targets, stage)
        checked = _judged(run, comparison_validator.AGENT,
                          comparison_validator.context(run.state, run.paper, evidence=evidence.targets),
                          ComparisonAnswer, stage, attempt, images)
        verdict = comparison_validator.judge(checked, ruled)
        run.update("comparison_check", comparison_verdict=verdict, reviewer_feedback=verdict.feedback)
        if verdict.verdict == "approve":
            break
        count(run, "comparison_check", analysis_revisions=1)
        first = verdict.issues[0].description if verdict.issues else verdict.feedback[:200]
        run.history.append(f"{stage.stage_id}: analysis sent back: {first}")
        run.console.say(f"analysis sent back: {first}", stage=stage.stage_id)
    else:
        run.update("comparison_check", progress=run.state.with_progress(stage.stage_id, comparison_flagged=True))
    publish_comparison(run, stage)


def record_analysis(run: Run, stage: Stage, answer: AnalysisAnswer | None) -> None:
    """The stage's comparisons into the state: the stricter of evidence and analyst."""
    evidence = run.state.stage_evidence
    assert evidence is not None
    run.evidence[stage.stage_id] = evidence
    comparisons = results_analyzer.judge(answer, stage, evidence.targets)
    ids = {target.target_id for target in stage.targets}
    run.update(
        "analyze", analysis=answer,
        figure_comparisons=(*(c for c in run.state.figure_comparisons if c.stage_id != stage.stage_id), *comparisons),
        discrepancies=(*(d for d in run.state.discrepancies if d.target_id not in ids),
                       *(answer.discrepancies if answer else ())),
        backtrack_suggestion=suggested(run, answer.backtrack_suggestion if answer else None, "ResultsAnalyzerAgent"))
    atomic_write(run.run_dir / stage.stage_id / "comparison.json",
                 "[" + ",\n".join(c.model_dump_json(indent=1) for c in comparisons) + "]")


def publish_comparison(run: Run, stage: Stage) -> None:
    """The stage's comparison as an artifact on the run's page, and a line each in the terminal."""
    lines = [f"# {stage.name}", "", "| target | simulated | paper | error | class |", "|---|---|---|---|---|"]
    pictures = []
    for comparison in _of_stage(run, stage):
        e = comparison.evidence
        value = "curve" if e.simulated is None else f"{e.simulated:.6g} {e.unit}"
        paper = "curve" if e.reference is None else f"{e.reference:.6g} {e.unit}"
        error = "-" if e.error is None else f"{e.error:.3g} ({e.measure})"
        lines.append(f"| {e.target_id} | {value} | {paper} | {error} | {comparison.classification} |")
        run.console.say(f"{e.target_id}: {comparison.classification}"
                        + (f", error {e.error:.3g} ({e.measure.replace('_', ' ')})" if e.error is not None else ""),
                        stage=stage.stage_id)
        if e.overlay and (run.run_dir / e.overlay).is_file():
            pictures.append(FileRef.of(run.run_dir / e.overlay, run.run_dir))
    publish_markdown(run, f"comparison-{stage.stage_id}", "\n".join(lines), f"Comparison of {stage.stage_id}",
                     tuple(pictures))


def _judged(run: Run, agent: Agent, context: dict[str, object], answer_type: type[Answer], stage: Stage, attempt: int,
            images: tuple[RequestImage, ...] = ()) -> Answer | None:
    """A judging agent's answer; None in a replay, where judgement is computed afresh from evidence."""
    position = run.position(agent.name, stage.stage_id, attempt)
    if isinstance(run.model, ReplayModel):
        run.model.mark_used(position.label())
        return None
    return ask_agent(run, agent, context, answer_type, position=position, images=images)


def _of_stage(run: Run, stage: Stage):  # type: ignore[no-untyped-def]
    return tuple(c for c in run.state.figure_comparisons if c.stage_id == stage.stage_id)


def _pictures(outputs: StageOutputs) -> list[tuple[FileRef, str]]:
    return [(picture, f"scale {e.resolution_scale:g}: {picture.path.rsplit('/', 1)[-1]}")
            for e in outputs.finest()[:2] for picture in e.pictures[:3]]


def failure_pictures(outputs: StageOutputs) -> tuple[FileRef, ...]:
    """Pictures for the agent that has to mend something: epsilon with PML and monitors, value against time."""
    return tuple(picture for picture, _ in _pictures(outputs))


def _comparison_images(run: Run, stage: Stage, targets: tuple[TargetEvidence, ...]) -> tuple[RequestImage, ...]:
    paper = []
    for figure in run.paper.figures:
        path = inside(run.paper_dir, figure.image) if figure.image else None
        if path is not None and any(t.figure_id == figure.figure_id for t in stage.targets):
            media = "image/png" if path.suffix.lower() == ".png" else "image/jpeg"
            paper.append((str(path), file_sha256(path), media, f"the paper's {figure.figure_id}"))
    overlays = [(FileRef.of(run.run_dir / t.overlay, run.run_dir), f"overlay of {t.target_id}")
                for t in targets if t.overlay and (run.run_dir / t.overlay).is_file()]
    return request_images(run, overlays[:6], paper[:4])


def _failed(evidence: ExecutionEvidence | PhysicsEvidence) -> str:
    failed = [check for check in evidence.checks if check.level == "fail"]
    return f" ({failed[0].name}: {failed[0].measured})" if failed else ""


def _text_sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
