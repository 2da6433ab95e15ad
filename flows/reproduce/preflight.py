"""What can be refused before a server is started or a file written. It imports little: a command waits for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from agents.models.base import open_model
from agents.reproduce.roster import TITLES
from flows.reproduce.kept_records import find_run, read_record
from flows.reproduce.resources import uses_blocks
from flows.run.opening import check_agents, check_sandbox
from flows.run.records import check_kept, run_lock
from flows.terminal.console import show
from schemas.errors import InputError
from schemas.reproduce.paper import PaperInput
from schemas.reproduce.settings import RunSettings
from schemas.run.pasted import typed
from tasks.reproduce.meep_interpreter import MeepInterpreter, find_meep
from tasks.reproduce.papers import load_paper, locate, recorded_ids, recording
from tasks.reproduce.papers.importing import imported_pdf, is_pdf
from tasks.sandbox import SandboxLevel


def preflight(paper: str, settings: RunSettings, outputs: Path, run_id: str) -> None:
    """What can be refused at once, before a server is started or a file written: run, paper, Meep, sandbox, model."""
    record = None
    if run_id:
        run_dir = find_run(outputs, run_id)
        record = read_record(run_dir)
        with run_lock(
            run_dir
        ):  # a run that another process works on is refused before anything is started or stored
            check_kept(run_dir)
    location = paper_at(record.paper if record else paper, outputs, show)
    paper_read, folder = load_paper(location)
    scoped(paper_read, record.settings if record else settings)
    if uses_blocks(settings):
        return  # blocks are on the server, which may not be up yet; open_run checks them
    check_agents(settings, TITLES)
    check_computer(settings)
    open_model(
        settings,
        transcript=replayable(folder, settings),
        requests_dir=outputs / ".requests",
        interactive=not settings.non_interactive,
    )


def paper_at(paper: str, outputs: Path, say: Callable[[str], None]) -> Path:
    """Where a paper is that a user means: a bundled id, a folder, a JSON file, or a PDF, which is imported below `outputs`."""
    location = locate(paper)
    return imported_pdf(location, outputs, say) if is_pdf(location) else location


def replayable(folder: Path, settings: RunSettings) -> Path | None:
    """The paper's own recording. Raises InputError where a replay is asked for and nothing is recorded."""
    found = recording(folder)
    if found is None and settings.model.kind == "replay" and not settings.model.transcript:
        raise InputError(
            f"{folder.name} is not recorded yet: there is nothing to replay",
            found=f"no transcript.jsonl in {folder}",
            allowed="a replay of a recorded paper (" + ", ".join(recorded_ids()) + ")",
            fix="choose --model anthropic, or --model manual (no key, any chat window), or name a recording with "
            "--transcript; docs/guide/papers.md tells how to record one",
        )
    return found


def scoped(paper: PaperInput, settings: RunSettings) -> PaperInput:
    """The paper with the scope of the run, where one is given, in place of its own. Raises InputError if it does not fit."""
    if not settings.scope:
        return paper
    try:
        paper.check_scope(settings.scope)
    except ValueError as error:
        raise InputError(
            "the scope does not fit the paper",
            found=str(error),
            fix=f"`{typed('papers', 'check', 'PAPER')}` lists the figures",
        ) from error
    return paper.model_copy(update={"scope": settings.scope})


def check_computer(settings: RunSettings) -> tuple[MeepInterpreter, SandboxLevel]:
    """Meep's interpreter and the sandbox's level. Raises PrerequisiteError with the fix."""
    return find_meep(settings.meep_python), check_sandbox(settings)
