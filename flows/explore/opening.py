"""Opening an exploration: new or resumed, with everything checked before the first agent is asked."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from agents.explore.registry import ANSWERS
from agents.explore.roster import TITLES
from agents.models.base import open_model
from flows.calls.endpoint import check_address
from flows.explore.context import Run
from flows.explore.pages.overview import show_overview
from flows.run.credentials import storable
from flows.run.opening import check_agents, check_sandbox, name_latest, parts_of_run, whoever_starts
from flows.run.records import RECORD, check_kept, find_record, model_used, new_run_id, part_of, run_lock
from flows.run.resources import with_model_block
from flows.serving.runtime import opened
from flows.terminal.console import Console
from prompts.loader import load_prompt, prompt_names
from schemas.errors import InputError
from schemas.explore.goal import Goal
from schemas.explore.lineage import SubRunSeed
from schemas.explore.record import ExploreRecord
from schemas.explore.settings import ExploreSettings
from schemas.explore.state import ExploreState
from schemas.explore.workflow import Workflow, read_workflow, workflow_text
from schemas.reading.handed import kept_model
from schemas.run.pasted import typed
from tasks.explore.bundled_goals import goal_folder, recorded_goals, recording_of
from tasks.explore.goals import load_goal, read_goal_file
from tasks.explore.measuring.freezing import hand_on
from tasks.files.store import atomic_write, private_folder
from tasks.literature.of_run import prepare_literature

WORKFLOW = Path(__file__).resolve().parents[2] / "skills" / "workflow.yaml"


def find_run(outputs: Path, run_id: str) -> Path:
    """The directory of an exploration by its id, `latest`, or a unique beginning of an id."""
    return find_record(outputs, run_id, workflow="explore")


def read_record(run_dir: Path) -> ExploreRecord:
    """run.json of an exploration."""
    return kept_model(
        run_dir / RECORD,
        ExploreRecord,
        "the run's record",
        fix=f"`{typed('status', outputs=run_dir.parents[1])}` lists the runs",
    )


def sub_runs_of(run_dir: Path) -> tuple[Path, ...]:
    """Folders of the runs that decisions of this run's search began, oldest first."""
    beside = sorted(
        path.parent for path in run_dir.parent.glob(f"*/{RECORD}") if not path.parent.is_symlink()
    )
    return tuple(path for path in beside if part_of(path) == run_dir.name)


def preflight(goal: str, settings: ExploreSettings, outputs: Path, run_id: str) -> None:
    """What can be refused at once, before a run is made: run, goal, workflow, sandbox, model."""
    record = None
    if run_id:
        run_dir = find_run(outputs, run_id)
        record = read_record(run_dir)
        with run_lock(run_dir):
            check_kept(run_dir)
    folder = Path(record.goal) if record else goal_folder(goal)
    load_goal(folder)
    workflow_of(settings)
    check_agents(settings, TITLES)
    check_sandbox(settings)
    if not settings.model.block:
        open_model(
            settings,
            transcript=replayable(folder, settings),
            requests_dir=outputs / ".requests",
            interactive=not settings.non_interactive,
        )


def replayable(folder: Path, settings: ExploreSettings) -> Path | None:
    """The goal's own recording. Raises InputError where a replay is asked for and nothing is recorded."""
    found = recording_of(folder)
    if found is None and settings.model.kind == "replay" and not settings.model.transcript:
        raise InputError(
            f"{folder} is not recorded: there is nothing to replay",
            found="no transcript.jsonl beside the goal",
            allowed="a replay of a recorded goal (" + (", ".join(recorded_goals()) or "none yet") + ")",
            fix="choose --model anthropic, or --model manual (no key, any chat window), or --transcript FILE",
        )
    return found


def workflow_of(settings: ExploreSettings) -> Workflow:
    """The skills and stages: the user's workflow.yaml, or ours."""
    return read_workflow(Path(settings.workflow).expanduser().resolve() if settings.workflow else WORKFLOW)


def open_run(
    goal: str,
    settings: ExploreSettings,
    outputs: Path,
    resume: Path | None,
    console: Console,
    seed: SubRunSeed | None = None,
    run_id: str = "",
    begins: Callable[[str], None] = lambda _: None,
) -> Run:
    """Everything an exploration needs, checked. Raises before anything is written.

    seed: of a sub-run, which takes goal, corpus and workflow as its parent run keeps them. run_id: of a new run. begins: told
    the run's id just before there is a record of it, so that a killed process leaves none that nobody knows.
    """
    record = read_record(resume) if resume else None
    folder = Path(record.goal) if record else goal_folder(goal)
    if record and settings == ExploreSettings():
        settings = record.settings
        check_address(settings.model)
    given = settings
    model_settings, access = with_model_block(settings.model)
    settings = settings.model_copy(update={"model": model_settings})
    check_agents(settings, TITLES)
    level = check_sandbox(settings)
    run_id = record.run_id if record else run_id or new_run_id()
    kept = resume or (find_run(outputs, seed.parent_run) if seed else None)
    loaded = load_goal(kept / "goal" if kept else folder)
    run_dir = resume or outputs / loaded.goal_id / run_id
    model = open_model(
        settings,
        transcript=replayable(folder, settings),
        requests_dir=run_dir / "requests",
        interactive=not settings.non_interactive,
        access=access,
    )
    started = record.started if record else datetime.now(UTC).isoformat(timespec="seconds")
    started_by = record.started_by if record else whoever_starts()
    workflow = read_workflow(kept / "workflow.yaml") if kept else workflow_of(settings)
    for each in (outputs / ".reprolab", run_dir):
        private_folder(each)
    if not resume:
        _keep_goal(loaded, run_dir)
        own = settings.retrieval.model_copy(update={"corpus": ""}) if kept else settings.retrieval
        prepare_literature(own, kept or Path(loaded.folder), run_dir)
        atomic_write(run_dir / "workflow.yaml", workflow_text(workflow))
        loaded = load_goal(run_dir / "goal")
        if kept:
            hand_on(kept, run_dir)
    if seed is None:
        opened(run_id, outputs)
    begins(run_id)
    record = record or ExploreRecord(
        run_id=run_id,
        goal=str(folder),
        goal_id=loaded.goal_id,
        settings=storable(given),
        started=started,
        started_by=started_by,
        seed=seed,
        part_of=seed.parent_run if seed else "",
    )
    atomic_write(
        run_dir / RECORD, record.model_copy(update={"settings": storable(given)}).model_dump_json(indent=1)
    )
    if record.seed is None:
        name_latest(run_dir)
    header = {
        "run_id": run_id,
        "goal_id": loaded.goal_id,
        "recorded": started,
        "model": model_used(settings),
        "prompts": {name: load_prompt(name).digest for name in prompt_names("explore")},
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
        goal=loaded,
        workflow=workflow,
        settings=settings,
        seed=record.seed,
        answers=ANSWERS,
        shown=show_overview,
        state=ExploreState(goal_id=loaded.goal_id, run_id=run_id, goal_title=loaded.title),
    )


def _keep_goal(goal: Goal, run_dir: Path) -> None:
    """The run's own copy of the goal and its files; whoever changes the original later changes no run."""
    folder = run_dir / "goal"
    for file in (*goal.provided, *([goal.measure] if goal.measure else [])):
        atomic_write(folder / file.path, read_goal_file(goal, file))
    atomic_write(folder / "goal.md", goal.text)
