"""Debug mode: stage 0 and a minimal stage 1, looked at instead of judged. See docs/guide/debug.md."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, cast

from prefect import flow
from prefect.task_runners import ThreadPoolTaskRunner

from agents.models.replay import ReplayModel
from flows.reproduce.computing.material_checkpoint import material_checkpoint
from flows.reproduce.computing.materials import validate_materials
from flows.reproduce.computing.simulating import run_simulations
from flows.reproduce.context import Run, active
from flows.reproduce.designing.creation import make_code, make_design
from flows.reproduce.pages.subrun_names import stage_run_name
from flows.reproduce.stage import begin_stage
from flows.run.endings import RunStopped, StageAbandoned
from schemas.errors import AwaitingAnswer, LimitExceeded, ReplayError, ReproLabError
from schemas.reproduce.planning.plan import Plan, Stage
from schemas.reproduce.simulations.debugging import (
    DebugSummary,
    GeometryCheck,
    MaterialDiagnosis,
    PaperLoading,
    StageDiagnosis,
)
from schemas.reproduce.simulations.execution import Execution, StageOutputs
from tasks.files.store import atomic_write
from tasks.reproduce.debugging import (
    Cells,
    draw_pictures,
    geometry_check,
    read_cells,
    recommendations,
    resonance,
    write_debug_report,
    written_files,
)
from tasks.reproduce.evidence.execution import execution_evidence
from tasks.reproduce.evidence.possible import physics_evidence
from tasks.reproduce.papers import inside

# A loop at its limit is a finding here, not a question.
_UNASKED = (
    ("design_limit", "skip_stage"),
    ("code_limit", "skip_stage"),
    ("execution_limit", "skip_stage"),
    ("plan_limit", "stop"),
)


class Diagnosis(NamedTuple):
    """What a debug run leaves behind."""

    summary: DebugSummary
    report: Path
    page: Path


def ask_nobody_about_limits(run: Run) -> None:
    """In debug mode a person is asked for materials and about the model's faults only."""
    if not isinstance(run.model, ReplayModel):
        run.settings = run.settings.model_copy(update={"answers": (*_UNASKED, *run.settings.answers)})


def look_at_stages(run: Run) -> None:
    """Stage 0, the material checkpoint, and the first stage that needs no other. Raises only what ends a run."""
    plan = run.state.plan
    assert plan is not None
    for stage in debug_stages(plan, run.settings.debug_max_stages):
        attempt = 0
        while True:
            attempt += 1
            workers = run.settings.limits.max_parallel_simulations
            debug_stage.with_options(task_runner=cast(Any, ThreadPoolTaskRunner(max_workers=workers)))(
                run.handle, stage.stage_id, attempt
            )
            if (
                stage.stage_type != "MATERIAL_VALIDATION"
                or not run.state.materials
                or _confirmed(run, stage, attempt)
            ):
                break


def debug_stages(plan: Plan, most: int) -> tuple[Stage, ...]:
    """Stage 0, and the first other stage that depends on nothing but it."""
    materials = tuple(s for s in plan.stages if s.stage_type == "MATERIAL_VALIDATION")[:1]
    known = {stage.stage_id for stage in materials}
    simplest = tuple(
        s for s in plan.stages if s.stage_type != "MATERIAL_VALIDATION" and set(s.dependencies) <= known
    )
    return (*materials, *simplest[:1])[:most]


@flow(name="debug-stage", flow_run_name=stage_run_name, persist_result=False, validate_parameters=False)
def debug_stage(run_id: str, stage_id: str, attempt: int) -> None:
    """Design, code and one simulation; a failure is a finding. Nothing is compared with the paper."""
    run = active(run_id)
    stage = run.stage(stage_id)
    run.console.say(f"{stage.name} (debug)", stage=stage_id)
    begin_stage(run, stage, attempt)
    issues: list[str] = []
    try:
        if stage.stage_type == "MATERIAL_VALIDATION":
            validate_materials(run, stage)
            issues += [
                f"bare {record.name} {record.check.words()}"
                for record in run.state.materials
                if record.check and record.check.status == "failed"
            ]
        else:
            make_design(run, stage, attempt)
            outputs = _simulated(run, stage, attempt)
            failure = outputs.failure()
            issues += (
                [f"{failure.failure_class}: {failure.reason}"] if failure else _remarks(run, stage, outputs)
            )
    except (AwaitingAnswer, LimitExceeded):
        raise
    except (StageAbandoned, ReproLabError) as reason:
        issues.append(" ".join(str(reason).split())[:600])
    good = not issues if stage.stage_type == "MATERIAL_VALIDATION" else _ran(run, stage_id)
    run.console.say("ran" if good else f"did not run: {issues[0] if issues else 'no result'}", stage=stage_id)
    run.update(
        "select_stage",
        progress=run.state.with_progress(
            stage_id, status="not_started", issues=tuple(issues), summary="debug run: not judged"
        ),
    )


def _simulated(run: Run, stage: Stage, attempt: int) -> StageOutputs:
    """Code that runs, within the limit on failed executions; a replay mends as far as mending was recorded."""
    feedback, outputs = "", None
    while True:
        try:
            make_code(run, stage, attempt, feedback)
        except ReplayError:
            if outputs is None:
                raise
            return outputs
        outputs = run_simulations(run, stage, attempt)
        failure = outputs.failure()
        counters = run.state.counters
        if failure is None or failure.failure_class in ("environment", "infrastructure"):
            return outputs
        run.update(
            "execution_check",
            counters=counters.model_copy(
                update={
                    "execution_failures": counters.execution_failures + 1,
                    "total_execution_failures": counters.total_execution_failures + 1,
                }
            ),
        )
        run.console.say(f"failed: {failure.reason}", stage=stage.stage_id)
        if counters.execution_failures + 1 >= run.settings.limits.max_execution_failures:
            return outputs
        feedback = (
            f"The simulation did not run correctly.\n\n{failure.reason}\n\n{failure.detail}\n\n{failure.fix}"[
                :8000
            ]
        )


def _remarks(run: Run, stage: Stage, outputs: StageOutputs) -> list[str]:
    """Checks of the evidence that failed at this one resolution: worth a look, no verdict."""
    checks = (
        *execution_evidence(outputs, stage, run.run_dir).checks,
        *physics_evidence(outputs, stage, run.run_dir).checks,
    )
    return [f"{c.name}: {c.measured} (allowed: {c.allowed})" for c in checks if c.level == "fail"][:8]


def _ran(run: Run, stage_id: str) -> bool:
    outputs = run.outputs.get(stage_id)
    return outputs is not None and outputs.failure() is None and any(e.datasets for e in outputs.executions)


def _confirmed(run: Run, stage: Stage, attempt: int) -> bool:
    """The mandatory material checkpoint; where nobody can be asked a diagnosis goes on. False: stage 0 again."""
    try:
        outcome = material_checkpoint(run, stage.stage_id, attempt)
    except AwaitingAnswer:
        run.console.say(
            "nobody can be asked about the materials: going on, they stay unconfirmed", stage=stage.stage_id
        )
        return True
    if outcome == "stop":
        raise RunStopped("stopped by the user at the material checkpoint")
    return outcome == "confirmed"


def diagnosis(run: Run, complete: bool) -> Diagnosis:
    """The debug folder (pictures, summary, log) and the diagnostic report of what was done."""
    run.console.say("writing the diagnosis")
    folder = run.run_dir / "debug"
    plan = run.state.plan
    stages = debug_stages(plan, 2) if plan else ()
    stage0 = next((s for s in stages if s.stage_type == "MATERIAL_VALIDATION"), None)
    stage1 = next((s for s in stages if s.stage_type != "MATERIAL_VALIDATION"), None)
    shown = next((name for name in (stage1, stage0) if name and name.stage_id in run.outputs), None)
    executions = run.outputs[shown.stage_id].executions if shown else ()
    cells = read_cells(executions, run.run_dir) if shown else Cells(fault="no simulation ran")
    of_shown = (
        run.state.design
        if shown and run.state.design and run.state.design.stage_id == shown.stage_id
        else None
    )
    pictures = draw_pictures(
        folder,
        cells=cells,
        materials=run.state.validated_materials or run.state.materials,
        run_dir=run.run_dir,
    )
    summary = DebugSummary(
        paper_id=run.paper.paper_id,
        run_id=run.run_id,
        debug_run_timestamp=datetime.now(UTC).isoformat(timespec="seconds"),
        total_runtime_seconds=round(
            (datetime.now(UTC) - datetime.fromisoformat(run.started)).total_seconds(), 1
        ),
        complete=complete,
        stop_reason=run.state.stop_reason,
        paper_loading=_paper(run),
        stage0_material_validation=_stage0(run, stage0),
        stage1_minimal=_stage1(run, stage1),
        geometry_check=geometry_check(cells, of_shown) if shown else GeometryCheck(notes=(cells.fault,)),
        pictures=pictures,
    )
    failed = tuple(
        e for e in run.executions if e.failure and not _ran(run, e.stage_id)
    )  # what was mended is no advice
    summary = summary.model_copy(update={"recommendations": recommendations(summary, failed)})
    atomic_write(folder / "debug_summary.json", summary.model_dump_json(indent=1))
    atomic_write(folder / "debug_log.txt", _log(run))
    report, page = write_debug_report(summary, run.state, run.paper, run_dir=run.run_dir)
    run.update("report", report_path=report.name)
    run.checkpoint("final_report")
    return Diagnosis(summary, report, page)


def _paper(run: Run) -> PaperLoading:
    loaded, issues = 0, []
    for figure in run.paper.figures:
        wanted = [name for name in (figure.image, *(data.file for data in figure.data)) if name]
        missing = [
            name for name in wanted if (path := inside(run.paper_dir, name)) is None or not path.is_file()
        ]
        loaded += bool(wanted) and not missing
        issues += [f"{figure.figure_id}: {name} is not there" for name in missing]
        issues += [] if wanted else [f"{figure.figure_id}: neither picture nor data"]
    missing_files = any("is not there" in issue for issue in issues)
    return PaperLoading(
        status="failed" if missing_files or not run.paper.text.strip() else "success",
        text_chars=len(run.paper.text),
        figures_found=len(run.paper.figures),
        figures_loaded=loaded,
        issues=tuple(issues),
    )


def _stage0(run: Run, stage: Stage | None) -> MaterialDiagnosis:
    records = run.state.validated_materials or run.state.materials
    if stage is None or not _started(run, stage):
        return MaterialDiagnosis(status="not_run", stage_id=stage.stage_id if stage else "")
    checks = [r.check for r in records if r.check]
    needed = run.state.plan is None or bool(
        run.state.plan.materials
    )  # media may be vacuum, ideal metals, stated numbers
    good = (bool(checks) or not needed) and all(check.status != "failed" for check in checks)
    return MaterialDiagnosis(
        status="success" if good else "failed",
        stage_id=stage.stage_id,
        materials_tested=tuple(r.name for r in records),
        simulation_ran=any(check.runs for check in checks),
        confirmed=run.state.validated_materials is not None,
        output_files_created=tuple(
            file.path for check in checks for file in (check.file, check.plot) if file
        ),
        issues=run.state.stage_progress(stage.stage_id).issues,
        remarks=tuple(
            text if text.startswith(r.name) else f"{r.name}: {text}" for r in records for text in r.remarks
        ),
    )


def _stage1(run: Run, stage: Stage | None) -> StageDiagnosis:
    if stage is None or not _started(run, stage):
        return StageDiagnosis(status="not_run", stage_id=stage.stage_id if stage else "")
    executions: tuple[Execution, ...] = (
        run.outputs[stage.stage_id].executions if stage.stage_id in run.outputs else ()
    )
    ran = _ran(run, stage.stage_id)
    found, wavelength = resonance(executions, run.run_dir) if ran else (None, None)
    used = next((r.resolution for e in executions for r in e.meep_runs if r.resolution), None)
    design = run.state.design
    return StageDiagnosis(
        status="success" if ran else "failed",
        stage_id=stage.stage_id,
        simulation_ran=ran,
        output_files_created=_files(run, stage),
        resonance_found=found,
        resonance_wavelength_nm=wavelength,
        resolution=used,
        resolution_designed=design.resolution if design and design.stage_id == stage.stage_id else None,
        described=bool(design and design.described and design.stage_id == stage.stage_id),
        issues=run.state.stage_progress(stage.stage_id).issues,
    )


def _started(run: Run, stage: Stage) -> bool:
    return run.state.stage_progress(stage.stage_id).attempts > 0


def _files(run: Run, stage: Stage) -> tuple[str, ...]:
    return written_files(run.outputs[stage.stage_id].executions) if stage.stage_id in run.outputs else ()


def _log(run: Run) -> str:
    """Every line said, then every execution with its Meep runs and the end of its output."""
    lines = [
        f"debug run {run.run_id} of {run.paper.paper_id}, started {run.started}",
        "",
        *run.console.kept,
        "",
    ]
    for e in run.executions:
        lines += [
            f"== {e.directory}: resolution_scale {e.resolution_scale:g}, exit code {e.exit_code}, wall {e.wall_s:.1f} s, "
            f"CPU {e.cpu_s:.1f} s, {e.peak_memory_mb:.0f} MB, complete: {e.complete}",
            *(
                f"   {r.label}: resolution {r.resolution:g}, {r.time_steps} steps to t = {r.meep_time:g}, stop "
                f"{r.stop_criterion} met: {r.stop_met}"
                for r in e.meep_runs
            ),
            *(f"   refused: {text}" for text in e.rejected),
            "-- output",
            e.stdout_tail,
            "-- errors",
            e.stderr_tail,
            "",
        ]
    return "\n".join(lines) + "\n"
