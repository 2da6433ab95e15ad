"""`reprolab study` as the command line shows it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.terminal.expected_errors import guarded
from schemas.run.pasted import typed

Outputs = Annotated[
    Path, typer.Option("--outputs", "-o", envvar="REPROLAB_OUTPUTS", help="Folder for results.")
]


def study(
    study_input: Annotated[
        str,
        typer.Argument(
            metavar="[INPUT]",
            help="A text file with a topic or a research question (mode A: simulated participants), a data file "
            "or folder (mode B: real data), or a bundled study's name. Or the word `resume`, with a RUN.",
        ),
    ] = "voice-or-touch",
    run: Annotated[
        str,
        typer.Argument(
            metavar="[RUN]", help="After `resume`: a run's id, the beginning of one, or `latest`."
        ),
    ] = "",
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", help="After `resume`: the participants' data for a study that waits for them."
        ),
    ] = None,
    mode: Annotated[
        str | None,
        typer.Option(
            help="A: participants are simulated by the model. B: real ones; a study of a text "
            "is designed and then waits for its data. Default: as the input says."
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            help="Who answers for the agents: `replay` a recording (bundled "
            "studies), `manual` (you, with any chat window), `anthropic` (a Messages API). Default: "
            "the settings file's, or replay.",
        ),
    ] = None,
    model_name: Annotated[str | None, typer.Option(help="Model name sent to the API.")] = None,
    base_url: Annotated[str | None, typer.Option(help="Another server that speaks the Messages API.")] = None,
    transcript: Annotated[
        Path | None, typer.Option(help="Replay this transcript instead of the input's own.")
    ] = None,
    participants: Annotated[int | None, typer.Option(help="Simulated participants at most (mode A).")] = None,
    paradigm: Annotated[str | None, typer.Option(help="quantitative, qualitative or mixed.")] = None,
    framework: Annotated[str | None, typer.Option(help="Statistics: frequentist, bayesian or both.")] = None,
    domain: Annotated[str | None, typer.Option(help="A hint at the field, such as voice interfaces.")] = None,
    venue: Annotated[
        str | None, typer.Option(help="A venue whose criteria count: CHI, UIST, CSCW, IEEE VR.")
    ] = None,
    language: Annotated[str | None, typer.Option(help="Language of the paper: en, de, pt-BR.")] = None,
    workspace: Annotated[
        Path | None, typer.Option(help="Folder of projects, one folder each. Default: the run's.")
    ] = None,
    parallel: Annotated[int | None, typer.Option(help="Nodes of the graph side by side.")] = None,
    settings_file: Annotated[
        Path | None, typer.Option("--settings", help="Settings as JSON (docs/guide/study.md).")
    ] = None,
    max_cost: Annotated[float | None, typer.Option(help="Stop at this many US dollars.")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Stop at this many model tokens.")] = None,
    max_hours: Annotated[float | None, typer.Option(help="Stop after this many hours of work.")] = None,
    allow_degraded_sandbox: Annotated[
        bool,
        typer.Option(
            "--allow-degraded-sandbox",
            help="Run generated code with resource limits only, where bubblewrap is missing.",
        ),
    ] = False,
    answer: Annotated[
        list[str] | None,
        typer.Option(
            "--answer",
            "-a",
            metavar="KIND=ANSWER",
            help="Answer a question beforehand: after_scope=approve, "
            "after_design=approve, before_package=approve.",
        ),
    ] = None,
    outputs: Outputs = Path("outputs"),
) -> None:
    """Run a human study: question and hypotheses, protocol, participants, tests, paper, review, and a package of it all.

    Without an argument a bundled study is replayed: what agents said is recorded, every number is computed here. You are asked
    after the plan, after the design (ethics and protocol) and before the package. In mode A no person takes part, and every
    file of the package says so. Tests are chosen and computed by code; a number of the paper comes from the results by name.

    A study of real people: `reprolab study question.txt --mode B --model anthropic` designs it and waits; collect the data
    as its protocol and questionnaire say; `reprolab study resume RUN --data FILE` goes on.

    Ctrl-C loses nothing: `reprolab resume`. Exit codes: 0 done, 2 bad input, 3 waiting for an answer or for data, 5 stopped, 6
    the replay took another course, 10 done with serious objections of the reviewers, 11 a reviewer rejects it.
    """
    from flows.commands.study import answers_given, resume_study, run_study, study_settings
    from flows.run.records import find_record
    from schemas.errors import InputError
    from tasks.study.bundled_studies import settings_of_study

    given = {
        "mode": mode,
        "participants": participants,
        "paradigm": paradigm,
        "framework": framework,
        "domain": domain,
        "venue": venue,
        "language": language,
        "parallel": parallel,
        "workspace": str(workspace.resolve()) if workspace else None,
        "model": {
            "kind": model,
            "name": model_name,
            "base_url": base_url,
            "transcript": str(transcript.resolve()) if transcript else None,
        },
        "limits": {"max_cost_usd": max_cost, "max_tokens": max_tokens, "max_total_runtime_hours": max_hours},
        "allow_degraded_sandbox": allow_degraded_sandbox or None,
    }

    def work() -> None:
        root = outputs.resolve()
        if study_input == "resume":
            changed = {"limits": given["limits"], "model": {"base_url": base_url}}
            return resume_study(
                root, find_record(root, run or "latest", workflow="study"), changed, answer, data
            )
        if data is not None or run:
            raise InputError(
                "--data and RUN belong to a study that waits",
                found=str(data or run),
                allowed=f"{typed('study', 'INPUT')}, or {typed('study', 'resume', 'RUN', '--data', 'FILE')}",
                fix=f"to study data from the start, name the file itself: {typed('study', 'FILE')}",
            )
        settings = study_settings(
            settings_file, {**given, "answers": answers_given(answer)}, settings_of_study(study_input)
        )
        run_study(study_input, settings, root, "")

    guarded(work)
