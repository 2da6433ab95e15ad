"""What opening a run has in common, whatever the run is of."""

from __future__ import annotations

import os
import pwd
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypedDict

from agents.models.base import ModelClient
from flows.calls.unfinished import Unfinished
from flows.run.clock import Clock
from flows.run.records import KEPT_FORM, cores_of
from flows.serving.people import STARTED_BY, name_of
from flows.serving.runtime import under_worker
from flows.terminal.console import Console
from schemas.errors import InputError, PrerequisiteError
from schemas.run.settings import CoreSettings
from schemas.text.visible import one_visible_line
from tasks.files.ledger import Ledger
from tasks.files.store import Store
from tasks.files.transcript import Transcript
from tasks.sandbox import NO_ISOLATION, SandboxLevel, probe_level


class Parts(TypedDict):
    """Live objects of a run that do not depend on what it is of."""

    run_dir: Path
    store: Store
    sandbox: SandboxLevel
    model: ModelClient
    transcript: Transcript
    ledger: Ledger
    unfinished: Unfinished
    console: Console
    started: str
    started_by: str
    cores: tuple[int, ...]
    clock: Clock
    simulation_slots: threading.Semaphore


def check_sandbox(settings: CoreSettings) -> SandboxLevel:
    """The sandbox's level. Raises PrerequisiteError with the fix where generated code cannot be isolated."""
    level = probe_level()
    if level.degraded and not settings.allow_degraded_sandbox:
        raise PrerequisiteError(
            "generated code cannot be isolated on this computer",
            found="; ".join(level.findings),
            allowed="bubblewrap with unprivileged user namespaces",
            fix=f"{NO_ISOLATION} (--allow-degraded-sandbox)",
        )
    return level


def check_agents(settings: CoreSettings, titles: Mapping[str, str]) -> None:
    """Raises InputError for a model or temperature of an agent that the workflow has not. titles: of its agents, by name."""
    named = dict((*settings.model.per_agent, *settings.model.temperature_per_agent))
    if unknown := sorted(set(named) - set(titles)):
        raise InputError(
            "a model or temperature is set for an agent that there is not",
            found=", ".join(unknown)[:300],
            allowed=", ".join(titles),
            fix="correct per_agent and temperature_per_agent of the settings",
        )


def whoever_starts() -> str:
    """Who starts a run now: the person of the page that did, or the account of this process; '' where a worker knows nobody."""
    if under_worker():
        from prefect.runtime import flow_run

        told = (tag.removeprefix(STARTED_BY) for tag in flow_run.tags or () if tag.startswith(STARTED_BY))
        return name_of(next(told, ""))
    try:
        return one_visible_line(pwd.getpwuid(os.getuid()).pw_name, 60)
    except KeyError:
        return str(os.getuid())


def name_latest(run_dir: Path) -> None:
    """`latest` beside the run's folder leads to it."""
    latest = run_dir.parent / "latest"
    latest.unlink(missing_ok=True)
    latest.symlink_to(run_dir.name)


def parts_of_run(
    run_dir: Path,
    settings: CoreSettings,
    outputs: Path,
    console: Console,
    *,
    model: ModelClient,
    sandbox: SandboxLevel,
    started: str,
    started_by: str = "",
    header: dict[str, Any],
    most_s: float | None = None,
    side_by_side: int | None = None,
) -> Parts:
    """Store, transcript, ledger, clock and the rest. header: of the transcript. most_s: of work, else what the settings say;
    side_by_side: simulations, else as many as cores are allowed."""
    limits = settings.limits
    unfinished = Unfinished(run_dir / "unfinished_calls.jsonl")
    if hasattr(model, "on_unusable"):  # only a model that is paid for each try
        model.on_unusable = unfinished.paid
    return Parts(
        run_dir=run_dir,
        store=Store(outputs),
        sandbox=sandbox,
        model=model,
        transcript=Transcript(run_dir / "transcript.jsonl", {**header, "kept": KEPT_FORM}),
        ledger=Ledger(run_dir / "failed_calls.jsonl"),
        unfinished=unfinished,
        console=console,
        started=started,
        started_by=started_by,
        cores=cores_of(limits.max_cpu_cores, run_dir.name),
        clock=Clock(
            run_dir / "time_used.json", 3600 * limits.max_total_runtime_hours if most_s is None else most_s
        ),
        simulation_slots=threading.Semaphore(side_by_side or max(1, limits.max_cpu_cores)),
    )
