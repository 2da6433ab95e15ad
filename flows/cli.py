"""The command line, and the one place where everything is put together."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Annotated, Any

import typer

from flows.commands.app import register
from flows.commands.given import answers_of, asked_of, changed_settings, scope_of, settings_of, still_given
from flows.commands.on_prefect import on_prefect
from flows.serving.runtime import check_packages, one_thread
from flows.terminal.expected_errors import ends_by_signal
from flows.terminal.expected_errors import guarded as _guard
from schemas.errors import InputError
from schemas.run.pasted import typed

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="Reproduce published computational-photonics results with Meep: agents create, evidence judges.\n\n"
    "Start with `reprolab reproduce` (a bundled paper, no key needed), then read the report it names.\n\n"
    "Exit codes: 0 reproduced (of other commands: done), 1 failed, 2 bad input, 3 waiting for an answer, 4 something is "
    "missing on this computer, 5 partial report (stopped or a limit reached), 6 the replay took another course and left "
    "recorded answers unused, 10 partly reproduced, 11 not reproduced, 12 nothing that carries the claim was compared, "
    "130 interrupted (Ctrl-C), 143 ended from outside (SIGTERM); both can be resumed.",
)

Outputs = Annotated[
    Path, typer.Option("--outputs", "-o", envvar="REPROLAB_OUTPUTS", help="Folder for results.")
]
Answers = Annotated[
    list[str] | None,
    typer.Option(
        "--answer",
        "-a",
        metavar="KIND=ANSWER",
        help="Answer a question beforehand, for example material_checkpoint=approve or "
        "'material_checkpoint=change_database: gold=main/Au/Olmon-ev'. May be repeated.",
    ),
]
AnswersFile = Annotated[
    Path | None,
    typer.Option("--answers-file", help="A file with one KIND=ANSWER a line; # starts a comment."),
]


Asked = Annotated[
    list[str] | None,
    typer.Option(
        "--ask",
        metavar="KIND",
        help="Rehearse a question: a replay asks you, though the recording holds the answer, for example "
        "material_checkpoint. May be repeated.",
    ),
]


@app.command()
def reproduce(
    paper: Annotated[
        str,
        typer.Argument(
            help="A bundled paper's id (`reprolab papers`), or a PDF, folder or JSON file of "
            "your own (`reprolab papers check`)."
        ),
    ] = "ge-on-gold",
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            help="Who answers for the agents: `replay` a recorded "
            "transcript (bundled papers), `manual` (you, with any chat window), `anthropic` "
            "(a Messages API; needs ANTHROPIC_API_KEY or "
            "--base-url). Default: the settings file's, or replay.",
        ),
    ] = None,
    model_name: Annotated[str | None, typer.Option(help="Model name sent to the API.")] = None,
    base_url: Annotated[str | None, typer.Option(help="Another server that speaks the Messages API.")] = None,
    transcript: Annotated[
        Path | None, typer.Option(help="Replay this transcript instead of the paper's own.")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse a transcript recorded with other prompts.")
    ] = False,
    settings_file: Annotated[
        Path | None, typer.Option("--settings", help="Run settings as JSON (docs/reference/settings.md).")
    ] = None,
    thresholds: Annotated[str | None, typer.Option(help="Comparison profile: default or loose.")] = None,
    scope: Annotated[
        list[str] | None,
        typer.Option(
            "--scope",
            help="Reproduce only this: 'figures: fig1, fig3', 'section: 3.2' or 'claim: the dip lies at 620 nm'. May be "
            "repeated. Takes the place of the scope in the paper's folder.",
        ),
    ] = None,
    max_cost: Annotated[float | None, typer.Option(help="Stop at this many US dollars.")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Stop at this many model tokens.")] = None,
    max_hours: Annotated[float | None, typer.Option(help="Stop after this many hours of work.")] = None,
    debug: Annotated[
        bool,
        typer.Option(
            "--debug",
            help="Quick diagnostic pass: stage 0 and a minimal stage 1, one "
            "coarse resolution, nothing judged (docs/guide/debug.md).",
        ),
    ] = False,
    allow_degraded_sandbox: Annotated[
        bool,
        typer.Option(
            "--allow-degraded-sandbox",
            help="Run generated code with resource limits only, where bubblewrap is missing. It "
            "can then read your files and use the network.",
        ),
    ] = False,
    meep_python: Annotated[
        str | None, typer.Option(envvar="REPROLAB_MEEP_PYTHON", help="Interpreter that has Meep.")
    ] = None,
    answer: Answers = None,
    answers_file: AnswersFile = None,
    ask: Asked = None,
    outputs: Outputs = Path("outputs"),
) -> None:
    """Reproduce a paper, from reading it to the report.

    Questions (the material checkpoint asks wherever a plan has materials) are shown here and in the Prefect web interface;
    answer in either.
    With REPROLAB_NON_INTERACTIVE=1 the run saves and exits with code 3 instead. Ctrl-C loses nothing: `reprolab resume`.
    """
    limits = {"max_cost_usd": max_cost, "max_tokens": max_tokens, "max_total_runtime_hours": max_hours}
    settings = settings_of(
        settings_file,
        {
            "model": {
                "kind": model,
                "name": model_name,
                "base_url": base_url,
                "strict_replay": strict or None,
                "transcript": str(transcript.resolve()) if transcript else None,
            },
            "limits": limits,
            "scope": scope_of(scope),
            "thresholds": thresholds,
            "debug_mode": debug or None,
            "meep_python": meep_python,
            "allow_degraded_sandbox": allow_degraded_sandbox or None,
            "ask_again": asked_of(ask),
        },
        answers_of(answer, answers_file),
    )
    _run(paper, settings, outputs, "")


@app.command()
def resume(
    run: Annotated[str, typer.Argument(help="A run's id, the beginning of one, or `latest`.")] = "latest",
    answer: Answers = None,
    answers_file: AnswersFile = None,
    max_cost: Annotated[float | None, typer.Option(help="Raise the cap on money, US dollars.")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Raise the cap on tokens.")] = None,
    max_hours: Annotated[float | None, typer.Option(help="Raise the cap on hours of work.")] = None,
    user_timeout: Annotated[
        float | None, typer.Option(min=1, help="Seconds that a question waits for its answer.")
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(help="The model server's address anew, where it held a password: a run keeps none."),
    ] = None,
    data: Annotated[
        Path | None, typer.Option(help="The participants' data, for a study that waits for them.")
    ] = None,
    from_checkpoint: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Go back to this checkpoint (`reprolab checkpoints`) first: what came after is put aside and "
            "asked anew; what it cost stays on the bill.",
        ),
    ] = None,
    outputs: Outputs = Path("outputs"),
) -> None:
    """Continue a run that was killed, interrupted, or is waiting for an answer.

    Finished model calls, simulations and questions are kept and not repeated.
    """
    from flows.questions.open_questions import check_answers
    from flows.reproduce.kept_records import read_record
    from flows.reproduce.preflight import preflight
    from flows.reproduce.rewinding import answers_now, rewind, settle
    from flows.run.records import find_record, workflow_of

    def work() -> None:
        run_dir = find_record(outputs.resolve(), run)
        changed: dict[str, dict[str, Any]] = {
            "limits": {
                "max_cost_usd": max_cost,
                "max_tokens": max_tokens,
                "max_total_runtime_hours": max_hours,
                "user_timeout_s": user_timeout,
            },
            "model": {"base_url": base_url},
        }
        if data is not None and workflow_of(run_dir) != "study":
            raise InputError(
                "--data belongs to a study that waits for it",
                found=f"{run_dir.name} is no study",
                allowed=typed("study", "resume", "RUN", "--data", "FILE"),
                fix="leave it out",
            )
        if workflow_of(run_dir) in ("explore", "study"):
            from flows.commands.explore import refuse_way_back, resume_explore
            from flows.commands.study import resume_study

            refuse_way_back(run_dir, from_checkpoint)
            if workflow_of(run_dir) == "explore":
                return resume_explore(outputs.resolve(), run_dir, changed, answer)
            return resume_study(outputs.resolve(), run_dir, changed, answer, data)
        settle(run_dir)
        record, new = read_record(run_dir), answers_of(answer, answers_file)
        if not from_checkpoint:
            for line in check_answers(run_dir, new):
                typer.echo(line, err=True)
        settings = changed_settings(
            record.settings, changed, answers_now(run_dir, new, from_checkpoint or "")
        )
        if from_checkpoint:
            preflight(record.paper, settings, outputs.resolve(), record.run_id)
            kept = rewind(run_dir, from_checkpoint)
            typer.echo(
                f"{record.run_id} is back at {from_checkpoint}: {kept} recorded answers are kept"
                + still_given(settings),
                err=True,
            )
        _run(record.paper, settings, outputs, record.run_id)

    _guard(work)


@app.command()
def fork(
    checkpoint: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Where to branch off: a name of `reprolab checkpoints` "
            "(its newest counts), a file's name, or `latest`.",
        ),
    ],
    run: Annotated[str, typer.Argument(help="A run's id, the beginning of one, or `latest`.")] = "latest",
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", help="Who answers from there on; as in the old run by default."),
    ] = None,
    model_name: Annotated[str | None, typer.Option(help="Model name sent to the API.")] = None,
    base_url: Annotated[str | None, typer.Option(help="Another server that speaks the Messages API.")] = None,
    max_cost: Annotated[float | None, typer.Option(help="Stop at this many US dollars.")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Stop at this many model tokens.")] = None,
    max_hours: Annotated[float | None, typer.Option(help="Stop after this many hours of work.")] = None,
    answer: Answers = None,
    answers_file: AnswersFile = None,
    outputs: Outputs = Path("outputs"),
) -> None:
    """Start a new run from a checkpoint of another: the same up to there, asked anew after it.

    Answers of models and people up to the checkpoint are taken from the old run's record, simulations from the store.
    """
    from flows.reproduce.kept_records import find_run, read_record
    from flows.reproduce.preflight import preflight
    from flows.reproduce.rewinding import answers_now, settle
    from flows.reproduce.rewinding import fork as fork_run

    def work() -> None:
        old = find_run(outputs.resolve(), run)
        settle(old)
        record, new = read_record(old), answers_of(answer, answers_file)
        settings = changed_settings(
            record.settings,
            {
                "model": {"kind": model, "name": model_name, "base_url": base_url},
                "limits": {
                    "max_cost_usd": max_cost,
                    "max_tokens": max_tokens,
                    "max_total_runtime_hours": max_hours,
                },
            },
            answers_now(old, new, checkpoint),
        )
        preflight(record.paper, settings, outputs.resolve(), "")
        run_id, kept = fork_run(old, checkpoint, settings)
        typer.echo(
            f"{run_id}: {kept} recorded answers of {record.run_id} up to {checkpoint} are taken over"
            + still_given(settings),
            err=True,
        )
        _run(record.paper, settings, outputs, run_id)

    _guard(work)


@app.command()
def status(
    run: Annotated[str | None, typer.Argument(help="A run's id for details.")] = None,
    outputs: Outputs = Path("outputs"),
) -> None:
    """List the runs, or show one: stages, comparisons, what it waits for, how to go on."""
    from flows.commands.status import show_status

    _guard(lambda: show_status(outputs.resolve(), run))


@app.command()
def report(
    run: Annotated[str, typer.Argument(help="A run's id, or `latest`.")] = "latest",
    text: Annotated[bool, typer.Option("--text", help="Print the Markdown report itself.")] = False,
    package: Annotated[
        bool,
        typer.Option(
            "--package",
            help="Write package/ and package.tar.gz into the run's folder: an RO-Crate (Process Run Crate) with descriptions, data, "
            "environment, report, provenance and a draft codecheck.yml. `reprolab solve` on it, wherever it lies, solves it again.",
        ),
    ] = False,
    comment: Annotated[
        bool,
        typer.Option(
            "--comment",
            help="Write COMMENT_<paper>.md: one page to the paper's authors, of what running showed; each number with its source.",
        ),
    ] = False,
    license: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Of the package: MIT, Apache-2.0, BSD-3-Clause, GPL-3.0 or CC-BY-4.0. Default: it says that none was chosen.",
        ),
    ] = "",
    outputs: Outputs = Path("outputs"),
) -> None:
    """Say where a run's report is, or print it; of a run that did not end, write a partial one without a verdict.

    With --package a finished run becomes a package for others: its numbers are solved again from it alone.
    """
    from flows.reproduce.standing import show_report

    _guard(lambda: show_report(outputs.resolve(), run, text, package, license, comment))


@app.command()
def doctor(
    meep_python: Annotated[
        str | None, typer.Option(envvar="REPROLAB_MEEP_PYTHON", help="Interpreter to check for Meep.")
    ] = None,
    outputs: Outputs = Path("outputs"),
) -> None:
    """Check this computer: Python, packages, Meep, sandbox, database of materials, disk, Prefect. Says how to mend.

    Warns where the Prefect server that PREFECT_API_URL names is open to strangers.
    """
    from flows.reproduce.doctor import run_doctor

    _guard(lambda: run_doctor(meep_python, outputs))


def _run(paper: str, settings: Any, outputs: Path, run_id: str) -> None:
    _guard(lambda: _run_flow(paper, settings, outputs, run_id))


def _run_flow(paper: str, settings: Any, outputs: Path, run_id: str) -> None:
    check_packages()
    ends_by_signal()
    from flows.reproduce.preflight import preflight

    preflight(paper, settings, outputs.resolve(), run_id)
    with on_prefect(outputs) as (server, console):
        from flows.reproduce.terminal import (  # heavy imports, while the server starts
            load_ahead,
            run_in_terminal,
        )

        if server.own:
            load_ahead()
        server.wait()
        raise typer.Exit(
            run_in_terminal(paper, settings, outputs.resolve(), run_id, console, page=not server.own)
        )


register(app)


def main() -> None:
    """Entry point of the `reprolab` command."""
    gc.set_threshold(50_000, 20, 100)  # what imports make stays: looking for garbage in it took a second
    one_thread()
    app()


if __name__ == "__main__":
    main()
