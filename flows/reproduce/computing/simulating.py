"""Running a stage's simulations: every sweep point at every convergence scale, each at most once ever."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Mapping

from prefect.futures import PrefectFuture, as_completed

from flows.reproduce.computing.solving import run_description
from flows.reproduce.context import Run
from flows.reproduce.steps import SiblingFailed, simulate
from schemas.base import canonical_json, digest
from schemas.reproduce.planning.plan import Stage
from schemas.reproduce.simulations.execution import Execution, SimulationJob, StageOutputs
from tasks.files.store import atomic_write
from tasks.reproduce.debugging import debug_scale
from tasks.reproduce.simulation import execution_id, keep_described, simkit_digest, wall_backstop_s

MPI_WORTHWHILE_CPU_S = 30.0
"""A simulation expected to be shorter runs in one process: starting several takes seconds."""


def run_simulations(run: Run, stage: Stage, attempt: int) -> StageOutputs:
    """Every sweep point at every convergence scale, side by side up to the limit; each at most once ever.

    A described stage is solved by trusted code instead (flows/reproduce/computing/solving.py).
    """
    if run.state.design is not None and run.state.design.described:
        return run_description(run, stage)
    jobs = _jobs(run, stage)
    processes = _processes(run, len(jobs))
    batch = digest([execution_id(job) for job in jobs], 16)
    cut = run.run_dir / stage.stage_id / "runs" / f"cut-{batch}.json"
    # a batch that was cut short before stays as it was: what follows rests on exactly these executions
    kept = set(json.loads(cut.read_text())) if cut.is_file() else {execution_id(job) for job in jobs}
    wanted = [job for job in jobs if execution_id(job) in kept]
    run.console.say(
        f"simulating: {len(wanted)} run{'s' if len(wanted) > 1 else ''}"
        + (f", each in {processes} MPI processes" if processes > 1 else ""),
        stage=stage.stage_id,
    )
    futures = {}
    for job in sorted(wanted, key=lambda job: job.resolution_scale):  # the cheap ones show a mistake first
        name = execution_id(job)
        label = f"{stage.stage_id} x{job.resolution_scale:g}" + "".join(f" {k}={v:g}" for k, v in job.point)
        folder = f"{stage.stage_id}/runs/x{job.resolution_scale:g}{''.join(f'-{k}{v:g}' for k, v in job.point)}-{name[:8]}"
        key = f"simulation-{run.line}-{name}"
        futures[name] = (
            key,
            simulate.submit(
                key=key,
                label=label,
                run_id=run.handle,
                job=job,
                folder=folder,
                processes=processes,
                batch=batch,
            ),
        )
    ended = until_one_fails({name: future for name, (_, future) in futures.items()}, run.batch(batch))
    for name in ended:
        reused = futures[name][0] not in run.executed
        run.tally.simulations += not reused
        run.tally.simulations_reused += reused
    not_run = tuple(_label(job) for job in jobs if execution_id(job) not in ended)
    if not_run:
        atomic_write(cut, canonical_json(sorted(ended)))
        run.console.say(f"one run failed; {len(not_run)} not needed any more", stage=stage.stage_id)
    executions = [ended[execution_id(job)] for job in jobs if execution_id(job) in ended]
    outputs = StageOutputs(
        stage_id=stage.stage_id,
        code_sha256=_text_sha(run.state.code or ""),
        executions=tuple(executions),
        not_run=not_run,
    )
    run.outputs[stage.stage_id] = outputs
    run.executions += [
        e for e in executions if e.execution_id not in {x.execution_id for x in run.executions}
    ]
    run.update(
        "run_code",
        stage_outputs=outputs,
        runtime_used_s=run.state.runtime_used_s + _side_by_side_s(run, executions),
    )
    return outputs


def until_one_fails(
    futures: Mapping[str, PrefectFuture[Execution]], stop: threading.Event
) -> dict[str, Execution]:
    """The executions that ended, by name; `stop` is set as soon as one of them failed, and the others are not waited for.

    Whatever ended before, or beside the failure, is kept.
    """
    names = {id(future): name for name, future in futures.items()}
    ended: dict[str, Execution] = {}
    for future in as_completed(list(futures.values())):
        try:
            execution = future.result()
        except SiblingFailed:
            continue
        ended[names[id(future)]] = execution
        if execution.failure is not None:
            stop.set()
    return ended


def _label(job: SimulationJob) -> str:
    return f"scale {job.resolution_scale:g}" + "".join(f", {name} = {value:g}" for name, value in job.point)


def _side_by_side_s(run: Run, executions: list[Execution]) -> float:
    """Wall time of simulations that ran side by side, seconds: by their own times, so that a resumed run agrees."""
    return max(
        sum(e.wall_s for e in executions) / run.settings.limits.side_by_side, *(e.wall_s for e in executions)
    )


def _jobs(run: Run, stage: Stage) -> list[SimulationJob]:
    design, limits = run.state.design, run.settings.limits
    assert design is not None and run.state.code is not None
    scales, points = design.convergence_scales, design.sweep_points or ((),)
    records = tuple(
        record
        for name, record in run.materials().items()
        if name in design.materials or name in stage.materials
    )
    used = {record.name: record.parameters() for record in records}
    cpu = 60 * min(limits.max_stage_runtime_minutes, stage.runtime_budget_minutes)
    if run.settings.debug_mode:  # one resolution, one point, a short while
        scales, points = (debug_scale(design, records, run.settings.debug_resolution_factor),), points[:1]
        cpu = min(cpu, 60 * run.settings.debug_max_stage_runtime_minutes)
    inputs = []
    for name in stage.dependencies:
        if name in run.outputs:
            inputs += [
                (name, keep_described(e, run.run_dir, run.store) if e.described else e.execution_id)
                for e in run.outputs[name].finest()
            ]
    return [
        SimulationJob(
            paper_id=run.paper.paper_id,
            stage_id=stage.stage_id,
            code=run.state.code,
            resolution_scale=scale,
            point=tuple((v.name, v.value) for v in point),
            debug=run.settings.debug_mode,
            materials_json=canonical_json(used),
            inputs=tuple(inputs),
            wall_limit_s=wall_backstop_s(cpu),
            cpu_limit_s=cpu,
            memory_mb=int(limits.max_memory_gb * 1024),
            meep_version=run.meep.meep_version,
            simkit_digest=simkit_digest(),
        )
        for point in points
        for scale in scales
    ]


def _processes(run: Run, jobs: int) -> int:
    """MPI processes of each simulation: the cores that those side by side leave it, where that is worth the start."""
    design, limits = run.state.design, run.settings.limits
    if run.meep.launcher is None or design is None or design.estimated_cpu_s < MPI_WORTHWHILE_CPU_S:
        return 1
    cores = min(limits.max_cpu_cores, len(os.sched_getaffinity(0)))
    return max(1, cores // min(jobs, limits.max_parallel_simulations))


def _text_sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
