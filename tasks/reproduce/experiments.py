"""Experiments: small trial scripts of the designer and the code generator, in the same sandbox, small limits."""

from __future__ import annotations

import re
import threading
from collections.abc import Collection
from pathlib import Path

from schemas.reproduce.simulations.design import Experiment
from schemas.reproduce.simulations.execution import Execution, ExperimentResult, SimulationJob
from tasks.files.store import Store
from tasks.reproduce.meep_interpreter import MeepInterpreter
from tasks.reproduce.simulation import materialise, run_simulation, simkit_digest, wall_backstop_s

_SHOWN = 6000
DIGITS = 9  # of a number in a table that an agent reads
_LONG = re.compile(r"-?\d+\.\d{7,}(?:e[-+]?\d+)?")


def experiment_job(
    experiment: Experiment,
    *,
    paper_id: str,
    stage_id: str,
    materials_json: str,
    cpu_s: float,
    memory_mb: int,
    meep_version: str,
) -> SimulationJob:
    """The simulation an experiment amounts to; wall time is only a backstop."""
    return SimulationJob(
        paper_id=paper_id,
        stage_id=stage_id,
        code=experiment.code,
        materials_json=materials_json,
        wall_limit_s=wall_backstop_s(cpu_s),
        cpu_limit_s=cpu_s,
        memory_mb=memory_mb,
        meep_version=meep_version,
        simkit_digest=simkit_digest(),
        debug=False,
    )


def run_experiment(
    experiment: Experiment,
    job: SimulationJob,
    *,
    store: Store,
    run_dir: Path,
    folder: str,
    meep: MeepInterpreter,
    allow_degraded: bool,
    cancel: threading.Event | None = None,
    cores: Collection[int] = (),
) -> ExperimentResult:
    """Run it and show what it printed and wrote. An experiment that fails is an answer too."""
    execution = run_simulation(
        job, store=store, meep=meep, allow_degraded=allow_degraded, cancel=cancel, cores=cores
    )
    execution = materialise(execution, store, run_dir, folder)
    return ExperimentResult(
        question=experiment.question,
        code=experiment.code,
        exit_code=execution.exit_code,
        stop_reason=execution.stop_reason,
        cpu_s=round(execution.cpu_s, 1),
        output=_output(execution),
        data=data_tables(execution, run_dir),
        runs=meep_run_lines(execution),
        pictures=execution.pictures[:3],
    )


def meep_run_lines(execution: Execution) -> tuple[str, ...]:
    """One line per Meep run: resolution, steps, Meep and wall time, the stop and whether it was reached, largest field."""
    return tuple(
        f"{r.label or f'run {number}'}: resolution {r.resolution:g}, {r.time_steps} steps to t = {r.meep_time:g} in "
        f"{r.wall_s:.1f} s, stop {r.stop_criterion or 'not recorded'}: reached "
        + ("not recorded" if r.stop_reached is None else f"{r.stop_reached:.2g}")
        + ("" if r.stop_met else ", NOT MET")
        + (f", largest field {r.max_field:.3g}" if r.max_field is not None else "")
        for number, r in enumerate(execution.meep_runs, 1)
    )


def _output(execution: Execution) -> str:
    text = execution.stdout_tail[-_SHOWN:]
    if execution.exit_code != 0:
        text += "\n--- error output ---\n" + execution.stderr_tail[-2500:]
    if execution.failure and execution.failure.failure_class == "budget":
        text += (
            f"\n--- it reached its limit: {execution.failure.reason} ({execution.failure.detail[:200]}) ---"
        )
    return text.strip()


def data_tables(execution: Execution, run_dir: Path, rows: int = 12) -> str:
    """Short readable tables of an execution's datasets: evenly spaced rows, with columns and units."""
    parts = []
    for dataset in execution.datasets:
        header = ", ".join(f"{c.name} ({c.quantity}, {c.unit})" for c in dataset.columns)
        title = f"{dataset.dataset_id} [{dataset.kind}] {dataset.rows} rows, {dataset.non_finite} non-finite: {header}"
        if dataset.file.media_type != "text/csv":
            parts.append(title)
            continue
        lines = (run_dir / dataset.file.path).read_text(encoding="utf-8", errors="replace").splitlines()[1:]
        step = max(1, -(-len(lines) // rows))
        parts.append("\n".join([title, *map(_shortened, lines[::step][:rows])])[:3000])
    return "\n\n".join(parts)


def _shortened(row: str) -> str:
    """A row of a CSV file with at most DIGITS digits a number."""
    return ",".join(f"{float(cell):.{DIGITS}g}" if _LONG.fullmatch(cell) else cell for cell in row.split(","))
