"""One attempt at one stage: a Prefect subflow with its review loops, simulations and checks."""

from __future__ import annotations

from typing import Any, cast

from prefect import flow
from prefect.task_runners import ThreadPoolTaskRunner

from agents.reproduce import execution_validator
from flows.reproduce.computing.materials import validate_materials
from flows.reproduce.computing.simulating import run_simulations
from flows.reproduce.context import Run, active
from flows.reproduce.counting import count
from flows.reproduce.designing.creation import ask_limit, make_code, make_design
from flows.reproduce.judging.analysing import analyse, publish_comparison, record_analysis, remember
from flows.reproduce.judging.checking import check_execution, check_physics, failure_pictures
from flows.reproduce.judging.converging import refining_feedback, worth_refining
from flows.reproduce.judging.looking import record_looks
from flows.reproduce.pages.overview import remember_stage_run, show_overview
from flows.reproduce.pages.subrun_names import stage_run_name
from flows.run.endings import StageAbandoned
from flows.serving.runtime import resume_command
from schemas.base import FileRef
from schemas.errors import PrerequisiteError
from schemas.reproduce.planning.plan import Stage
from schemas.reproduce.simulations.execution import StageOutputs
from schemas.run.pasted import typed
from tasks.reproduce.experiments import data_tables, meep_run_lines


def stage_flow(run: Run, stage_id: str, attempt: int) -> None:
    """Run a stage attempt as a subflow; what it found is in the run's state."""
    workers = run.settings.limits.max_parallel_simulations
    run_stage.with_options(task_runner=cast(Any, ThreadPoolTaskRunner(max_workers=workers)))(
        run.handle, stage_id, attempt
    )


@flow(name="stage", flow_run_name=stage_run_name, persist_result=False, validate_parameters=False)
def run_stage(run_id: str, stage_id: str, attempt: int) -> None:
    """Design, code, simulate, check, analyse; stage 0 by code alone. Supervision follows in the parent."""
    run = active(run_id)
    stage = run.stage(stage_id)
    run.console.say(f"{stage.name} (attempt {attempt})", stage=stage_id)
    remember_stage_run(run, stage_id)
    begin_stage(run, stage, attempt)
    show_overview(run)
    if stage.stage_type == "MATERIAL_VALIDATION":
        validate_materials(run, stage)
        return
    try:
        make_design(run, stage, attempt)
        _create_and_check(run, stage, attempt)
    except StageAbandoned as reason:
        run.console.say(f"given up: {reason}", stage=stage_id)
        run.update(
            "select_stage",
            progress=run.state.with_progress(
                stage_id, issues=(*run.state.stage_progress(stage_id).issues, f"given up: {reason}")
            ),
        )


def begin_stage(run: Run, stage: Stage, attempt: int) -> None:
    """A clean state for a stage attempt: of this stage its last design, to be revised; of the stage before nothing."""
    run.update(
        "select_stage",
        current_stage_id=stage.stage_id,
        current_stage_type=stage.stage_type,
        design=run.designs.get(stage.stage_id),
        code=None,
        code_note=None,
        reviewer_feedback="",
        reviewer_verdict=None,
        review=None,
        stage_outputs=None,
        stage_evidence=None,
        execution_verdict=None,
        physics_verdict=None,
        analysis=None,
        comparison_verdict=None,
        physics_stuck=False,
        backtrack_suggestion=None,
        counters=run.state.counters.for_new_stage(),
        progress=run.state.with_progress(stage.stage_id, status="in_progress", attempts=attempt),
    )


def _create_and_check(run: Run, stage: Stage, attempt: int) -> None:
    """Code until it runs and its results are physical; then analysis. Limits lead to a person or the supervisor."""
    limits = run.settings.limits
    feedback, pictures = "", ()  # type: tuple[str, tuple[FileRef, ...]]
    while True:
        make_code(run, stage, attempt, feedback, pictures)
        outputs = run_simulations(run, stage, attempt)
        execution = check_execution(run, stage, attempt, outputs)
        if execution.verdict == "fail":
            failure = run.state.stage_evidence.execution.failure if run.state.stage_evidence else None
            if failure is not None and failure.failure_class in execution_validator.NOT_FOR_AGENTS:
                raise PrerequisiteError(
                    "the simulation's environment failed; no code change can mend it",
                    found=execution.advice[:500],
                    fix=f"{typed('doctor')}, then {resume_command()}",
                )
            counters = count(run, "execution_check", execution_failures=1, total_execution_failures=1)
            run.history.append(f"{stage.stage_id}: execution failed: {_summary(execution.advice)}")
            feedback, pictures = run_feedback(
                run, outputs, "The simulation did not run correctly.", execution.advice
            )
            if counters.execution_failures >= limits.max_execution_failures or not execution.recoverable:
                known = (
                    "execution_limit",
                    f"{stage.stage_id} failed to run {counters.execution_failures} times",
                )
                unknown = ("execution_unknown", f"{stage.stage_id} failed to run and nobody can tell why")
                feedback += _guided(
                    run, stage, *(known if execution.recoverable else unknown), execution.advice
                )
                run.update(
                    "execution_check",
                    counters=run.state.counters.model_copy(update={"execution_failures": 0}),
                )
            continue
        physics = check_physics(run, stage, attempt, outputs)
        if physics.verdict not in ("fail", "design_flaw"):
            feedback, pictures = _refine(run, stage, attempt, outputs)
            if not feedback:
                break
            continue
        counters = count(run, "physics_check", physics_failures=1)
        run.history.append(f"{stage.stage_id}: physics {physics.verdict}: {_summary(physics.advice)}")
        if counters.physics_failures >= limits.max_physics_failures:
            run.update("physics_check", physics_stuck=True)
            record_analysis(run, stage, None)
            record_looks(run, stage, None, None)
            remember(run, stage, attempt)
            publish_comparison(run, stage)
            return
        feedback, pictures = run_feedback(
            run, outputs, "The results are not acceptable as physics.", physics.advice
        )
        if not physics.cause_known:
            feedback += _guided(
                run,
                stage,
                "physics_unknown",
                f"The results of {stage.stage_id} are not physical and nobody can tell why",
                physics.advice,
            )
        if physics.verdict == "design_flaw":
            make_design(run, stage, attempt, feedback, pictures)
            feedback, pictures = _to_the_coder(run, feedback), ()
    analyse(run, stage, attempt)


def _refine(run: Run, stage: Stage, attempt: int, outputs: StageOutputs) -> tuple[str, tuple[FileRef, ...]]:
    """One chance for a stage whose major targets are not converged: a new design, and feedback for its code.

    Empty where everything major is converged or the chance is used up: then the stage goes on with what it has.
    """
    evidence = run.state.stage_evidence
    assert evidence is not None
    missed = worth_refining(stage, evidence.targets)
    used = run.state.counters.convergence_revisions
    described = run.state.design is not None and run.state.design.described  # its numerics are the harness's
    if (
        not missed
        or described
        or used >= run.settings.limits.max_convergence_revisions
        or run.settings.debug_mode
    ):
        return "", ()
    count(run, "physics_check", convergence_revisions=1)
    run.history.append(f"{stage.stage_id}: designed again, not converged: {', '.join(missed)}")
    run.console.say(f"not converged: {', '.join(missed)}; the design is made again", stage=stage.stage_id)
    feedback, pictures = run_feedback(
        run, outputs, "Numerical convergence is not reached.", refining_feedback(missed, evidence.convergence)
    )
    make_design(run, stage, attempt, feedback, pictures)
    return _to_the_coder(run, feedback), ()


def _to_the_coder(run: Run, feedback: str) -> str:
    """What a new design asks of the code; a description needs none."""
    if run.state.design is not None and run.state.design.described:
        return ""
    return "The design was revised; follow it. What led to it:\n" + feedback


def _guided(run: Run, stage: Stage, kind: str, title: str, advice: str) -> str:
    """A person's guidance for the next version. Raises StageAbandoned or RunStopped when the person gives up."""
    decision = ask_limit(run, stage, kind, title, f"```\n{advice[-3000:]}\n```", agent="code_generator")
    if decision.kind == "stop":
        raise StageAbandoned(f"skipped by the user: {title}")
    return f"\n\nGuidance by the user: {decision.guidance}"


def run_feedback(
    run: Run, outputs: StageOutputs, headline: str, advice: str
) -> tuple[str, tuple[FileRef, ...]]:
    """What the creator needs to do better: the verdict's reasons, numbers per resolution, error output, pictures."""
    parts, first = [headline, advice], outputs.failure()
    told = {first.reason} if first else set()
    for execution in outputs.executions:
        head = (
            f"Run at resolution_scale {execution.resolution_scale:g}"
            + "".join(f", {name} = {value:g}" for name, value in execution.point)
            + f": exit code {execution.exit_code}, CPU {execution.cpu_s:.1f} s"
            + (f", stopped by the limit on {execution.stop_reason}" if execution.stop_reason else "")
        )
        runs = "\n".join(f"  {line}" for line in meep_run_lines(execution))
        failure, error = execution.failure, ""
        if failure:  # the same error at every rung is told once; the advice shows the first one's output
            error = f"  failed: {failure.reason}" + (
                "" if failure.reason in told else f"\n{execution.stderr_tail[-1500:]}"
            )
            told.add(failure.reason)
        parts.append(
            "\n".join(
                part
                for part in (
                    head,
                    runs,
                    data_tables(execution, run.run_dir, rows=8),
                    error,
                    *execution.rejected,
                )
                if part
            )
        )
    if outputs.not_run:
        parts.append(f"Not run, because another run failed: {'; '.join(outputs.not_run)}.")
    return "\n\n".join(part for part in parts if part)[:14000], failure_pictures(outputs)


def _summary(text: str) -> str:
    return " ".join(text.split())[:200]
