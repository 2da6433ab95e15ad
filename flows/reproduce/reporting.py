"""The end of a run: conclusions by the supervisor, the report, and its page."""

from __future__ import annotations

import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from agents.models.address import without_credentials
from agents.models.replay import ReplayModel
from agents.reproduce import supervisor
from flows.calls.calling import ask_agent
from flows.calls.replaying import left_unused
from flows.calls.unreadable import FAULTS
from flows.pages.artifacts import publish_markdown
from flows.reproduce.command_line import changed_settings, secret_variables
from flows.reproduce.context import Run
from flows.reproduce.likely_cost import write_costs
from flows.reproduce.opening import versions
from flows.run.costs import bill
from flows.run.credentials import storable
from flows.run.endings import RunStopped, StageAbandoned
from schemas.errors import LimitExceeded, ReplayError
from schemas.reproduce.judging.verdicts import ConclusionsAnswer
from tasks.reproduce.judging.headline import Headline, headline_of
from tasks.reproduce.report import ReportFacts, write_report
from tasks.sandbox.seccomp import MPI_ALLOWS

NOT_WHOLE = "the report could not be written whole"
_LEVELS = {
    "A": "bubblewrap with its own namespaces, a filter of kernel calls and resource limits",
    "B": "Landlock and a filter of kernel calls",
    "C": "DEGRADED: a filter of kernel calls and resource limits only; files of this computer were within reach",
}


def final_report(run: Run, complete: bool) -> tuple[Path, Path]:
    """Write the report (Markdown and HTML), costs.json and the last checkpoint; returns the two paths."""
    run.console.say("writing the report")
    if run.state.plan is not None:
        try:
            conclusions = ask_agent(
                run,
                supervisor.CONCLUSIONS,
                supervisor.conclusions_context(run.state, run.paper),
                ConclusionsAnswer,
                position=run.position("supervisor", "report"),
            )
            run.update("report", conclusions=conclusions)
        except (RunStopped, StageAbandoned, LimitExceeded, ReplayError) as reason:
            run.console.say(f"no conclusions by the supervisor: {reason}")
            if isinstance(reason, ReplayError):  # a recording that lacks its end is no whole replay
                run.update("account", stop_reason=run.state.stop_reason or reason.what)
    try:
        markdown, page = _written(run, complete)
    except FAULTS as error:  # an answer of long ago: asking again who answered last would not help
        reason = f"{NOT_WHOLE}: {type(error).__name__}: {error}"[:500]
        run.console.say(reason)
        run.update("account", stop_reason="; ".join(part for part in (reason, run.state.stop_reason) if part))
        markdown, page = _written(run, False, whole=False)
    run.update("report", report_path=markdown.name)
    write_costs(run)
    run.checkpoint("final_report")
    publish_markdown(
        run, "report", markdown.read_text(encoding="utf-8")[:400_000], f"The report is at {page}"
    )
    return markdown, page


def _written(run: Run, complete: bool, whole: bool = True) -> tuple[Path, Path]:
    return write_report(
        run.state,
        run.paper,
        run_dir=run.run_dir,
        paper_dir=run.paper_dir,
        settings=run.settings,
        facts=_facts(run, complete),
        whole=whole,
    )


def verdict_of(run: Run) -> Headline:
    """The verdict of the report's first page; of a report that could not be written whole none."""
    state = run.state
    if state.stop_reason and state.stop_reason.startswith(NOT_WHOLE):
        return Headline("Nothing was compared", state.stop_reason)
    return headline_of(state, run.paper)


def _facts(run: Run, complete: bool) -> ReportFacts:
    started = datetime.fromisoformat(run.started)
    return ReportFacts(
        versions=versions(run.meep.meep_version),
        sandbox_level=run.sandbox.level,
        sandbox_note=_LEVELS[run.sandbox.level],
        sandbox_findings=run.sandbox.findings,
        sandbox_protections=_protections(run),
        endpoint=_endpoint(run),
        started=run.started,
        wall_s=(datetime.now(UTC) - started).total_seconds(),
        simulation_cpu_s=sum(e.cpu_s for e in run.executions),
        simulations_run=run.tally.simulations,
        simulations_reused=run.tally.simulations_reused,
        calls=run.tally.calls,
        calls_reused=run.tally.calls_reused,
        model_notes=_model_notes(run),
        bill=bill(run),
        unused_recordings=left_unused(run.model, run.transcript),
        git=_git(),
        platform=platform.platform(),
        command=run.command,
        origins=run.origins,
        addressed=run.addressed,
        changed_settings=changed_settings(storable(run.settings)),
        secret_variables=secret_variables(),
        partial=not complete,
        stop_reason=run.state.stop_reason,
        history=tuple(run.history),
        executions=tuple(run.executions),
        stage_evidence=tuple(run.evidence.values()),
        studies=tuple((name, outputs.study) for name, outputs in run.outputs.items() if outputs.study),
        scripted=tuple(name for name, outputs in run.outputs.items() if not outputs.study),
    )


def _protections(run: Run) -> tuple[tuple[str, str, bool], ...]:
    """What a program tried against the limits, and what Meep with MPI is allowed beside that."""
    tried = tuple((item.against, item.how, item.held) for item in run.sandbox.protections)
    return (*tried, ("simulations, as this Meep has MPI", MPI_ALLOWS, False)) if run.meep.mpi else tried


def _endpoint(run: Run) -> str:
    kind = run.settings.model.kind
    if isinstance(run.model, ReplayModel):
        header = run.model.header
        return (
            f"Replay of a transcript recorded {header.get('recorded', 'at an unknown time')} with "
            f"{header.get('answered_by') or header.get('model', {}).get('kind', 'an unknown model')}; "
            "no endpoint saw the paper in this run. What judges was computed afresh."
            + (f" Note of the recording: {header['note']}" if header.get("note") else "")
        )
    if kind == "manual":
        return "Manual: each request was a file, answered by a person or by a chat window a person used."
    address = (
        without_credentials(run.settings.model.base_url or "") or "the vendor (default address of the SDK)"
    )
    return f"Messages API at {address}; it saw the paper."


def _model_notes(run: Run) -> tuple[str, ...]:
    """Repairs, retries, schemas in prompts and changed prompts, each once with the calls it concerns."""
    found: dict[str, list[str]] = {}
    for metric in run.state.metrics:
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
