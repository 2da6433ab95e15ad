"""Opening a run: new or resumed, with everything checked before the first agent is asked."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from agents.models.base import open_model
from agents.models.replay import ReplayModel
from agents.reproduce.registry import ANSWERS
from agents.reproduce.roster import TITLES
from flows.calls.endpoint import check_address
from flows.reproduce.command_line import equivalent_command, typed_command
from flows.reproduce.context import Run
from flows.reproduce.designing.overflow import fitted
from flows.reproduce.kept_records import RunRecord, read_record
from flows.reproduce.pages.overview import show_overview
from flows.reproduce.pages.progress import shown_progress
from flows.reproduce.planning.adapting import prompt_digests
from flows.reproduce.preflight import check_computer, paper_at, replayable, scoped
from flows.reproduce.regressing.rules import ended_by_rule
from flows.reproduce.resources import with_blocks
from flows.run.credentials import storable
from flows.run.opening import check_agents, name_latest, parts_of_run, whoever_starts
from flows.run.records import model_used, new_run_id
from flows.serving.runtime import opened, reported_by
from flows.terminal.console import Console
from schemas.reproduce.settings import RunSettings
from schemas.reproduce.state import ReproState
from tasks.files.store import atomic_write, private_folder
from tasks.reproduce.papers import (
    ADDRESSED_TITLE,
    addressed_in,
    keep_paper,
    load_paper,
)
from tasks.reproduce.regression.environment import sources, versions


def open_run(
    paper: str,
    settings: RunSettings,
    outputs: Path,
    resume: Path | None,
    console: Console,
    begins: Callable[[str], None] = lambda _: None,
) -> Run:
    """Everything a run needs, checked: paper, Meep, sandbox, model. Raises before anything is written.

    begins: told the run's id just before there is a record of it, so that a killed process leaves none that nobody knows.
    """
    record = read_record(resume) if resume else None
    location = paper_at(record.paper if record else paper, outputs, console.say)
    loaded, given_folder = load_paper(location)
    if record and settings == RunSettings():
        settings = record.settings  # continued from the web form, where nothing was filled in
        check_address(settings.model)
    loaded = scoped(loaded, settings)
    given, (settings, access) = settings, with_blocks(settings)
    check_agents(settings, TITLES)
    meep, level = check_computer(settings)
    run_id = record.run_id if record else new_run_id()
    run_dir = resume or outputs / loaded.paper_id / run_id
    model = open_model(
        settings,
        transcript=replayable(given_folder, settings),
        requests_dir=run_dir / "requests",
        interactive=not settings.non_interactive,
        access=access,
    )
    started = record.started if record else datetime.now(UTC).isoformat(timespec="seconds")
    started_by = record.started_by if record else whoever_starts()
    command = (record.command if record else typed_command()) or equivalent_command(paper, given)
    for folder in (outputs / ".reprolab", run_dir):
        private_folder(folder)
    loaded = scoped(keep_paper(loaded, location, run_dir / "paper"), settings)
    opened(run_id, outputs)
    reported_by(partial(_reported, run_dir))
    begins(run_id)
    record = RunRecord(
        run_id=run_id,
        paper=str(location),
        paper_id=loaded.paper_id,
        settings=storable(given),
        started=started,
        started_by=started_by,
        command=command,
        origins=record.origins if record else (),
    )
    atomic_write(run_dir / "run.json", record.model_dump_json(indent=1))
    if not settings.debug_mode:  # a diagnosis is nothing to compare other runs with
        name_latest(run_dir)
    header = {
        "run_id": run_id,
        "paper_id": loaded.paper_id,
        "recorded": started,
        "versions": versions(meep.meep_version),
        "sources": sources(),
        "model": model_used(settings),
        "prompts": prompt_digests(),
    }
    found = addressed_in(loaded, run_dir / "paper")
    for line in (f"{ADDRESSED_TITLE}:", *(f"  {entry}" for entry in found)) if found else ():
        console.say(line)
    parts = parts_of_run(
        run_dir,
        settings,
        outputs,
        console,
        model=model,
        sandbox=level,
        started=started,
        started_by=started_by,
        header=header,
        most_s=_most_s(settings),
        side_by_side=settings.limits.side_by_side,
    )
    return Run(
        **parts,
        answers=ANSWERS,
        shown=show_overview,
        fits=fitted,
        progress=shown_progress,
        unanswered=ended_by_rule,
        paper=loaded,
        addressed=found,
        paper_dir=run_dir / "paper",
        given=given_folder,
        settings=settings,
        meep=meep,
        command=command,
        generation=record.generation,
        origins=tuple(origin.words(run_id) for origin in record.origins),
        prior=ReplayModel(run_dir / "prior.jsonl") if record.origins else None,
        own_prior=bool(record.origins) and record.origins[-1].run_id == run_id,
        state=ReproState(
            paper_id=loaded.paper_id, run_id=run_id, paper_title=loaded.title, paper_domain=loaded.domain
        ),
    )


def _reported(run_dir: Path) -> Path:
    """The page of a report of what there is so far."""
    from flows.reproduce.unfinished import unfinished_report

    return unfinished_report(run_dir)[1]


def _most_s(settings: RunSettings) -> float:
    """The run's wall time at most, seconds; a debug run has a budget of its own."""
    most = 3600 * settings.limits.max_total_runtime_hours
    return min(most, 60 * settings.debug_max_total_runtime_minutes) if settings.debug_mode else most
