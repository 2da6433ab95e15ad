"""`reprolab study`: a human study from the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from flows.commands.given import pairs_of, settings_on
from flows.commands.on_prefect import on_prefect
from flows.serving.runtime import check_packages, prepare_environment
from flows.terminal.expected_errors import ends_by_signal
from schemas.study.settings import StudySettings


def study_settings(
    file: Path | None, given: dict[str, Any], base: StudySettings | None = None
) -> StudySettings:
    """The settings of a JSON file (or `base`) with what was given in its place. Raises InputError."""
    return settings_on(base, StudySettings, file, given, "docs/guide/study.md")


def answers_given(lines: list[str] | None) -> tuple[tuple[str, str], ...]:
    """(kind or id, answer) of `--answer` options. Raises InputError."""
    return pairs_of(lines, "after_scope=approve")


def data_answer(data: Path | None, workspace: Path) -> tuple[tuple[str, str], ...]:
    """`--data FILE` as the answer to the question where the data are. Raises InputError for data that do not fit the study."""
    if data is None:
        return ()
    from tasks.study.participants.handed import examined_for
    from tasks.study.workspace import Workspace

    examined_for(Workspace(workspace), data)
    return (("provide_data", f"provide: {data.expanduser().absolute()}"),)


def resume_study(
    outputs: Path, run_dir: Path, given: dict[str, Any], answers: list[str] | None, data: Path | None = None
) -> None:
    """Continue a study with the options of `resume`."""
    prepare_environment(outputs)  # before Prefect is loaded: where kept results lie is read then
    from flows.questions.open_questions import check_answers
    from flows.study.opening import read_record

    record = read_record(run_dir)
    new = (*answers_given(answers), *data_answer(data, Path(record.workspace)))
    for line in check_answers(run_dir, new):
        typer.echo(line, err=True)
    settings = study_settings(None, {**given, "answers": new}, record.settings)
    run_study(record.input, settings, outputs, record.run_id)


def show_study(run_dir: Path) -> None:
    """How a study stands: its graph, what it waits for."""
    from flows.questions.open_questions import describe, open_questions
    from flows.run.cancelled_note import goes_on
    from flows.run.records import process_at
    from flows.study.opening import read_record
    from flows.study.telling import graph_lines
    from flows.terminal.console import printable, show
    from tasks.study.workspace import Workspace

    record = read_record(run_dir)
    show(
        f"study {record.run_id} of {record.study_id}, model {record.settings.model.kind}, started {record.started}"
    )
    show(f"folder {record.workspace}")
    state = Workspace(Path(record.workspace)).load()
    show("\n".join(graph_lines(state.nodes)) if state else "no graph yet")
    for question in open_questions(run_dir):
        show(printable(describe(run_dir, question, process_at(run_dir))))
    for report in run_dir.glob("STUDY_REPORT_*.html"):
        show(f"page: {report}")
    done = has_package(run_dir)
    show(f"package: {Path(record.workspace) / 'artifacts'}" if done else goes_on(run_dir))


def has_package(run_dir: Path) -> bool:
    """Whether a study came to its package."""
    from flows.study.opening import read_record
    from tasks.study.workspace.places import PACKAGE

    return (Path(read_record(run_dir).workspace) / "artifacts" / PACKAGE).is_file()


def run_study(given: str, settings: StudySettings, outputs: Path, run_id: str) -> None:
    """Study in this process, on the embedded server or the one that PREFECT_API_URL names."""
    from tasks.study.bundled_studies import study_input
    from tasks.study.literature import searched
    from tasks.study.participants.study_table import examined

    check_packages()
    ends_by_signal()
    if not run_id:
        searched(settings.retrieval, study_input(given))
        examined(study_input(given), settings.mode)  # before anything is started or written
    with on_prefect(outputs) as (server, console):
        from flows.study.opening import preflight
        from flows.study.terminal import run_in_terminal

        preflight(given, settings, outputs, run_id)
        server.wait()
        raise typer.Exit(run_in_terminal(given, settings, outputs, run_id, console, page=not server.own))
