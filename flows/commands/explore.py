"""`reprolab explore`: a research goal from the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from flows.commands.given import pairs_of, settings_on
from flows.commands.on_prefect import on_prefect
from flows.run.cancelled_note import goes_on
from flows.run.records import process_at, workflow_of
from flows.serving.runtime import check_packages, prepare_environment
from flows.terminal.expected_errors import ends_by_signal
from schemas.errors import InputError
from schemas.explore.settings import ExploreSettings
from schemas.run.pasted import on_run, typed


def explore_settings(
    file: Path | None, given: dict[str, Any], base: ExploreSettings | None = None
) -> ExploreSettings:
    """The settings of a JSON file (or `base`) with what was given in its place. Raises InputError."""
    return settings_on(base, ExploreSettings, file, given, "docs/guide/explore.md")


def answers_given(lines: list[str] | None) -> tuple[tuple[str, str], ...]:
    """(kind or id, answer) of `--answer` options. Raises InputError."""
    return pairs_of(lines, "after_ideas=approve")


def refuse_way_back(run_dir: Path, checkpoint: str | None) -> None:
    """Raises InputError where a checkpoint is named: an exploration is not taken back, its frozen measurements would differ; a
    study is not, its completed nodes are never run again."""
    if checkpoint:
        what = "a study" if workflow_of(run_dir) == "study" else "an exploration"
        raise InputError(
            f"{what} cannot be taken back to a checkpoint",
            found=checkpoint,
            allowed=f"{on_run(run_dir, 'resume')}, which goes on where it stopped",
            fix=f"start another run for another course; `{on_run(run_dir, 'checkpoints')}` lists its snapshots to read",
        )


def resume_explore(outputs: Path, run_dir: Path, given: dict[str, Any], answers: list[str] | None) -> None:
    """Continue an exploration with the options of `resume`."""
    prepare_environment(outputs)  # before Prefect is loaded: where kept results lie is read then
    from flows.explore.opening import read_record
    from flows.questions.open_questions import check_answers

    record, new = read_record(run_dir), answers_given(answers)
    for line in check_answers(run_dir, new):
        typer.echo(line, err=True)
    settings = explore_settings(None, {**given, "answers": new}, record.settings)
    run_explore(record.goal, settings, outputs, record.run_id)


def show_exploration(run_dir: Path) -> None:
    """How an exploration stands: its tree, its stages, what it waits for."""
    from flows.explore.opening import read_record, sub_runs_of
    from flows.explore.terminal import drawn_trees
    from flows.questions.open_questions import describe, open_questions
    from flows.terminal.console import printable, show

    record = read_record(run_dir)
    show(
        f"exploration {record.run_id} of {record.goal_id}, model {record.settings.model.kind}, started {record.started}"
    )
    if record.part_of:
        show(
            f"a sub-run of {record.part_of}, which goes on with it: {typed('resume', record.part_of, outputs=run_dir.parents[1])}"
        )
    show(f"folder {run_dir}")
    show(drawn_trees(run_dir))
    reports = [*run_dir.glob("EXPLORATION_REPORT_*.html")]
    for folder in () if reports else (run_dir, *sub_runs_of(run_dir)):
        for question in open_questions(folder):
            show(printable(describe(run_dir, question, process_at(run_dir))))
    show(f"report: {reports[0]}" if reports else goes_on(run_dir))


def run_explore(goal: str, settings: ExploreSettings, outputs: Path, run_id: str) -> None:
    """Explore in this process, on the embedded server or the one that PREFECT_API_URL names."""
    check_packages()
    ends_by_signal()
    prepare_environment(outputs)  # before Prefect is loaded, which the look at the goal does
    from flows.explore.opening import preflight

    preflight(goal, settings, outputs, run_id)
    with on_prefect(outputs) as (server, console):
        from flows.explore.terminal import run_in_terminal

        server.wait()
        raise typer.Exit(run_in_terminal(goal, settings, outputs, run_id, console, page=not server.own))
