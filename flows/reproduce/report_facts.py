"""What a report states beyond the run's state: of a run at work by its objects, of an unfinished one by its folder."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agents.models.address import without_credentials
from agents.models.replay import ReplayModel
from flows.calls.replaying import left_unused
from flows.reproduce.command_line import changed_settings, secret_variables
from flows.reproduce.context import Run
from flows.reproduce.kept_records import RunRecord
from flows.reproduce.kept_state import outputs_kept
from flows.reproduce.preflight import check_computer
from flows.reproduce.resources import uses_blocks
from flows.run.clock import Clock
from flows.run.costs import bill, billed
from flows.run.credentials import storable
from schemas.reproduce.settings import RunSettings
from schemas.reproduce.simulations.execution import Execution, StageOutputs
from schemas.reproduce.state import ReproState
from schemas.run.metrics import AgentCallMetric
from tasks.files.ledger import Ledger
from tasks.reproduce.meep_interpreter import MeepInterpreter
from tasks.reproduce.regression.environment import versions
from tasks.reproduce.report import ReportFacts
from tasks.sandbox import SandboxLevel
from tasks.sandbox.seccomp import MPI_ALLOWS

_LEVELS = {
    "A": "bubblewrap with its own namespaces, a filter of kernel calls and resource limits",
    "B": "Landlock and a filter of kernel calls",
    "C": "DEGRADED: a filter of kernel calls and resource limits only; files of this computer were within reach",
}


def simulation_cpu_s(outputs: Mapping[str, StageOutputs], executions: Iterable[Execution]) -> float:
    """CPU seconds of the simulations behind a run's results, each counted once, wherever and whenever it was solved."""
    studies = {name: found.study for name, found in outputs.items() if found.study}
    solved = {digest: cpu_s for study in studies.values() for digest, cpu_s in study.solved.items()}
    return sum(solved.values()) + sum(e.cpu_s for e in executions if e.stage_id not in studies)


def facts_of(run: Run, complete: bool) -> ReportFacts:
    """The facts of a run at work."""
    started = datetime.fromisoformat(run.started)
    return ReportFacts(
        **_of_computer(run.meep, run.sandbox),
        endpoint=_endpoint(run.settings, run.model.header if isinstance(run.model, ReplayModel) else {}),
        started=run.started,
        started_by=run.started_by,
        wall_s=(datetime.now(UTC) - started).total_seconds(),
        simulation_cpu_s=simulation_cpu_s(run.outputs, run.executions),
        simulations_run=run.tally.simulations,
        simulations_reused=run.tally.simulations_reused,
        calls=run.tally.calls,
        calls_reused=run.tally.calls_reused,
        model_notes=_model_notes(run.state.metrics),
        bill=bill(run),
        unused_recordings=left_unused(run.model, run.transcript),
        command=run.command,
        origins=run.origins,
        addressed=run.addressed,
        changed_settings=changed_settings(storable(run.settings)),
        partial=not complete,
        stop_reason=run.state.stop_reason,
        history=tuple(run.history),
        executions=tuple(run.executions),
        stage_evidence=tuple(run.evidence.values()),
        studies=tuple((name, outputs.study) for name, outputs in run.outputs.items() if outputs.study),
        scripted=tuple(name for name, outputs in run.outputs.items() if not outputs.study),
    )


def facts_kept(
    record: RunRecord, run_dir: Path, state: ReproState, addressed: tuple[str, ...], stop_reason: str
) -> ReportFacts:
    """The facts of a run that no process is asked about: what its folder tells. Raises InputError, PrerequisiteError."""
    own = record.settings
    meep, sandbox = check_computer(own.model_copy(update={"meep_python": None}) if uses_blocks(own) else own)
    kept = {entry.stage_id: outputs_kept(run_dir, entry.stage_id) for entry in state.progress}
    outputs = {name: found for name, found in kept.items() if found is not None}
    executions = tuple(e for found in outputs.values() for e in found.executions)
    return ReportFacts(
        **_of_computer(meep, sandbox),
        endpoint=_endpoint(record.settings, {}),
        started=record.started,
        started_by=record.started_by,
        wall_s=Clock(run_dir / "time_used.json", 0).used_s,
        simulation_cpu_s=simulation_cpu_s(outputs, executions),
        simulations_run=len(executions),
        simulations_reused=0,
        calls=len(state.metrics),
        calls_reused=0,
        model_notes=_model_notes(state.metrics),
        bill=billed(state.metrics, Ledger(run_dir / "failed_calls.jsonl").losses),
        command=record.command,
        origins=tuple(origin.words(record.run_id) for origin in record.origins),
        addressed=addressed,
        changed_settings=changed_settings(record.settings),
        partial=True,
        unfinished=True,
        stop_reason=stop_reason,
        history=("told in the report of the finished run only",),
        executions=executions,
        studies=tuple((name, found.study) for name, found in outputs.items() if found.study),
        scripted=tuple(name for name, found in outputs.items() if not found.study),
    )


def _of_computer(meep: MeepInterpreter, sandbox: SandboxLevel) -> dict[str, Any]:
    """Versions, isolation and machine."""
    tried = tuple((item.against, item.how, item.held) for item in sandbox.protections)
    mpi = (("simulations, as this Meep has MPI", MPI_ALLOWS, False),) if meep.mpi else ()
    return {
        "versions": versions(meep.meep_version),
        "sandbox_level": sandbox.level,
        "sandbox_note": _LEVELS[sandbox.level],
        "sandbox_findings": sandbox.findings,
        "sandbox_protections": (*tried, *mpi),
        "git": _git(),
        "platform": platform.platform(),
        "secret_variables": secret_variables(),
    }


def _endpoint(settings: RunSettings, recording: Mapping[str, Any]) -> str:
    """recording: header of the transcript that is replayed."""
    kind = settings.model.kind
    if kind == "replay":
        return (
            f"Replay of a transcript recorded {recording.get('recorded', 'at an unknown time')} with "
            f"{recording.get('answered_by') or recording.get('model', {}).get('kind', 'an unknown model')}; "
            "no endpoint saw the paper in this run. What judges was computed afresh."
            + (f" Note of the recording: {recording['note']}" if recording.get("note") else "")
        )
    if kind == "manual":
        return "Manual: each request was a file, answered by a person or by a chat window a person used."
    address = without_credentials(settings.model.base_url or "") or "the vendor (default address of the SDK)"
    return f"Messages API at {address}; it saw the paper."


def _model_notes(metrics: tuple[AgentCallMetric, ...]) -> tuple[str, ...]:
    """Repairs, retries, schemas in prompts and changed prompts, each once with the calls it concerns."""
    found: dict[str, list[str]] = {}
    for metric in metrics:
        for note in metric.notes:
            found.setdefault(note, []).append(metric.label)
    return tuple(
        f"{note} ({', '.join(labels[:4])}" + (f" and {len(labels) - 4} more)" if len(labels) > 4 else ")")
        for note, labels in found.items()
    )


def _git() -> str:
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()
