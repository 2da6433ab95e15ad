"""Opening a study: new or resumed, with everything checked before anything is written and the first agent is asked."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from agents.models.base import open_model
from agents.study.registry import ANSWERS
from agents.study.roster import TITLES
from flows.calls.endpoint import check_address
from flows.run.credentials import storable
from flows.run.opening import check_agents, check_sandbox, name_latest, parts_of_run, whoever_starts
from flows.run.records import RECORD, check_kept, find_record, model_used, new_run_id, run_lock
from flows.run.resources import with_model_block
from flows.serving.runtime import opened
from flows.study.context import Course, Run
from flows.study.pages.overview import show_overview
from flows.terminal.console import Console
from prompts.loader import load_prompt, prompt_names
from schemas.errors import InputError
from schemas.reading.handed import kept_model
from schemas.run.pasted import typed
from schemas.study.inputs import InputReport
from schemas.study.pipeline import InputType, PipelineMode
from schemas.study.record import StudyRecord
from schemas.study.settings import StudySettings
from schemas.study.state import StudyState
from tasks.files.store import atomic_write, private_folder, remove_tree
from tasks.literature import prepare_literature
from tasks.study.bundled_studies import recorded_studies, recording_of, study_id_of, study_input
from tasks.study.literature import beside, searched
from tasks.study.participants.study_table import examined
from tasks.study.phases import initial_nodes
from tasks.study.workspace import Workspace
from tasks.study.workspace.given import import_input
from tasks.study.workspace.places import INPUT, META, PIPELINE


def find_run(outputs: Path, run_id: str) -> Path:
    """The directory of a study by its id, `latest`, or a unique beginning of an id."""
    return find_record(outputs, run_id, workflow="study")


def read_record(run_dir: Path) -> StudyRecord:
    """run.json of a study."""
    return kept_model(
        run_dir / RECORD,
        StudyRecord,
        "the run's record",
        fix=f"`{typed('status', outputs=run_dir.parents[1])}` lists the runs",
    )


def preflight(given: str, settings: StudySettings, outputs: Path, run_id: str) -> None:
    """What can be refused at once, before a run is made: run, sandbox, model. The input is examined before (`examined`,
    `searched`)."""
    record = None
    if run_id:
        run_dir = find_run(outputs, run_id)
        record = read_record(run_dir)
        with run_lock(run_dir):
            check_kept(run_dir)
    check_agents(settings, TITLES)
    check_sandbox(settings)
    if not settings.model.block:
        open_model(
            settings,
            transcript=replayable(Path(record.input) if record else study_input(given), settings),
            requests_dir=outputs / ".requests",
            interactive=not settings.non_interactive,
        )


def replayable(source: Path, settings: StudySettings) -> Path | None:
    """The input's own recording. Raises InputError where a replay is asked for and nothing is recorded."""
    found = recording_of(source)
    if found is None and settings.model.kind == "replay" and not settings.model.transcript:
        raise InputError(
            f"{source.name} is not recorded: there is nothing to replay",
            found="no transcript.jsonl beside the input",
            allowed="a replay of a recorded study (" + (", ".join(recorded_studies()) or "none yet") + ")",
            fix="choose --model anthropic, or --model manual (no key, any chat window), or --transcript FILE",
        )
    return found


def open_run(
    given: str,
    settings: StudySettings,
    outputs: Path,
    resume: Path | None,
    console: Console,
    begins: Callable[[str], None] = lambda _: None,
) -> Run:
    """Everything a study needs, checked. Raises before anything is written.

    begins: told the run's id just before there is a record of it, so that a killed process leaves none that nobody knows.
    """
    record = read_record(resume) if resume else None
    if record and settings == StudySettings():
        settings = record.settings
        check_address(settings.model)
    stored = settings
    model_settings, access = with_model_block(settings.model)
    settings = settings.model_copy(update={"model": model_settings})
    source = Path(record.input) if record else study_input(given)
    kept = record is not None and _has_input(Path(record.workspace))
    report = None if kept else examined(source, settings.mode, allow_rows=settings.allow_rows)
    check_agents(settings, TITLES)
    level = check_sandbox(settings)
    run_id = record.run_id if record else new_run_id()
    study_id = record.study_id if record else study_id_of(given)
    run_dir = resume or outputs / study_id / run_id
    model = open_model(
        settings,
        transcript=replayable(source, settings),
        requests_dir=run_dir / "requests",
        interactive=not settings.non_interactive,
        access=access,
    )
    literature = record is None and searched(settings.retrieval, source)
    started = record.started if record else datetime.now(UTC).isoformat(timespec="seconds")
    started_by = record.started_by if record else whoever_starts()
    folder = Path(record.workspace) if record else _workspace(settings, run_dir, study_id, run_id)
    for each in (outputs / ".reprolab", run_dir):
        private_folder(each)
    if literature:
        _prepare_literature(settings, source, run_dir)
    opened(run_id, outputs)
    begins(run_id)
    record = record or StudyRecord(
        run_id=run_id,
        input=str(source),
        study_id=study_id,
        workspace=str(folder),
        settings=storable(stored),
        started=started,
        started_by=started_by,
    )
    atomic_write(
        run_dir / RECORD, record.model_copy(update={"settings": storable(stored)}).model_dump_json(indent=1)
    )
    space = _space(folder, source, report)
    name_latest(run_dir)
    header = {
        "run_id": run_id,
        "study_id": study_id,
        "recorded": started,
        "model": model_used(settings),
        "prompts": {name: load_prompt(name).digest for name in prompt_names("study")},
    }
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
    )
    return Run(
        **parts,
        course=Course(space, kept_report(space)),
        settings=settings,
        answers=ANSWERS,
        shown=show_overview,
        state=StudyState(study_id=study_id, run_id=run_id),
    )


def kept_report(space: Workspace) -> InputReport:
    """What the input was found to be, as it is kept beside it."""
    return kept_model(
        space.root / INPUT / META, InputReport, "the input's meta.json", fix="put back the file as it was"
    )


def _prepare_literature(settings: StudySettings, source: Path, run_dir: Path) -> None:
    """The run's own copy of the corpus. Raises InputError, and then there is no run."""
    try:
        prepare_literature(settings.retrieval, beside(source), run_dir)
    except InputError:
        remove_tree(run_dir)
        raise


def _workspace(settings: StudySettings, run_dir: Path, study_id: str, run_id: str) -> Path:
    if settings.workspace is None:
        return run_dir / study_id
    return settings.workspace.expanduser().resolve() / f"{study_id}-{run_id}"


def _has_input(folder: Path) -> bool:
    return (folder / PIPELINE).is_file() and (folder / INPUT / META).is_file()


def _space(folder: Path, source: Path, report: InputReport | None) -> Workspace:
    """The workspace: as it is, or made with its own copy of the input."""
    if report is None:
        return Workspace(folder)
    if (folder / PIPELINE).is_file():  # killed before its input was copied
        space = Workspace(folder)
    else:
        kind = (
            InputType.DATASET if report.kind == "data" else InputType.TOPIC
        )  # a text is classified by an agent
        space = Workspace.create(
            folder.parent, folder.name, mode=PipelineMode(report.mode), input_type=kind, nodes=initial_nodes()
        )
    import_input(space.root, source, report)
    return space
