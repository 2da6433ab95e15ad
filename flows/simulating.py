"""Running a stage's simulations: every sweep point at every convergence scale, each at most once ever."""

from __future__ import annotations

import hashlib
import os

from prefect.futures import PrefectFuture

from flows.context import Run
from flows.steps import simulate
from schemas.base import canonical_json
from schemas.execution import Execution, SimulationJob, StageOutputs
from schemas.plan import Stage
from tasks.simulation import execution_id, simkit_digest, wall_backstop_s

MPI_WORTHWHILE_CPU_S = 30.0
"""A simulation expected to be shorter runs in one process: starting several takes seconds."""


def run_simulations(run: Run, stage: Stage, attempt: int) -> StageOutputs:
    """Every sweep point at every convergence scale, side by side up to the limit; each at most once ever."""
    jobs = _jobs(run, stage)
    processes = _processes(run, len(jobs))
    run.console.say(f"simulating: {len(jobs)} run{'s' if len(jobs) > 1 else ''}"
                    + (f", each in {processes} MPI processes" if processes > 1 else ""), stage=stage.stage_id)
    futures: list[tuple[str, PrefectFuture[Execution]]] = []
    for job in jobs:
        name = execution_id(job)
        label = f"{stage.stage_id} x{job.resolution_scale:g}" + "".join(f" {k}={v:g}" for k, v in job.point)
        folder = f"{stage.stage_id}/runs/x{job.resolution_scale:g}{''.join(f'-{k}{v:g}' for k, v in job.point)}-{name[:8]}"
        key = f"simulation-{run.run_id}-{name}"
        futures.append((key, simulate.submit(key=key, label=label, run_id=run.handle, job=job, folder=folder,
                                            processes=processes)))
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
    cpu = 60 * min(limits.max_stage_runtime_minutes, stage.runtime_budget_minutes, 10 if run.settings.debug else 1e9)
    inputs = []
    for name in stage.dependencies:
        if name in run.outputs:
            inputs += [(name, e.execution_id) for e in run.outputs[name].finest()]
    return [SimulationJob(
        paper_id=run.paper.paper_id, stage_id=stage.stage_id, code=run.state.code, resolution_scale=scale * factor,
        point=tuple((v.name, v.value) for v in point), debug=run.settings.debug, materials_json=canonical_json(used),
        inputs=tuple(inputs), wall_limit_s=wall_backstop_s(cpu), cpu_limit_s=cpu, memory_mb=int(limits.max_memory_gb * 1024),
        meep_version=run.meep.meep_version, simkit_digest=simkit_digest())
        for point in points for scale in scales]


def _processes(run: Run, jobs: int) -> int:
    """MPI processes of each simulation: the cores that those side by side leave it, where that is worth the start."""
    design, limits = run.state.design, run.settings.limits
    if run.meep.launcher is None or design is None or design.estimated_cpu_s < MPI_WORTHWHILE_CPU_S:
        return 1
    cores = min(limits.max_cpu_cores, len(os.sched_getaffinity(0)))
    return max(1, cores // min(jobs, limits.max_parallel_simulations))


def _text_sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
