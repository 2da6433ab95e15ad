"""`reprolab explore` as the command line shows it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.terminal.expected_errors import guarded

Outputs = Annotated[
    Path, typer.Option("--outputs", "-o", envvar="REPROLAB_OUTPUTS", help="Folder for results.")
]


def explore(
    goal: Annotated[
        str,
        typer.Argument(help="A goal.md (three lines suffice), a folder with one, or a bundled goal's name."),
    ] = "heat-stencil",
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            help="Who answers for the agents: `replay` a recording (bundled "
            "goals), `manual` (you, with any chat window), `anthropic` (a Messages API). Default: "
            "the settings file's, or replay.",
        ),
    ] = None,
    model_name: Annotated[str | None, typer.Option(help="Model name sent to the API.")] = None,
    base_url: Annotated[str | None, typer.Option(help="Another server that speaks the Messages API.")] = None,
    transcript: Annotated[
        Path | None, typer.Option(help="Replay this transcript instead of the goal's own.")
    ] = None,
    max_nodes: Annotated[int | None, typer.Option(help="Nodes of the tree, the root included.")] = None,
    parallel: Annotated[int | None, typer.Option(help="Nodes side by side.")] = None,
    settings_file: Annotated[
        Path | None, typer.Option("--settings", help="Settings as JSON (docs/guide/explore.md).")
    ] = None,
    workflow: Annotated[
        Path | None, typer.Option(help="A workflow.yaml of your own (docs/reference/skills.md).")
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
            help="Answer a question beforehand, for example after_ideas=approve.",
        ),
    ] = None,
    outputs: Outputs = Path("outputs"),
) -> None:
    """Explore a research goal: ideas, a tree of measured experiments, figures, a paper, a review, a bundle, a reproduction.

    Without an argument a bundled goal is replayed: the decisions are recorded, every experiment really runs and is measured
    here. Ctrl-C loses nothing: `reprolab resume`. Exit codes: 0 all done, 5 stopped, 6 the replay took another course, 10 a
    stage failed, 11 nothing could be measured.
    """
    from flows.commands.explore import answers_given, explore_settings, run_explore
    from tasks.explore.bundled_goals import settings_of_goal

    def work() -> None:
        settings = explore_settings(
            settings_file,
            {
                "model": {
                    "kind": model,
                    "name": model_name,
                    "base_url": base_url,
                    "transcript": str(transcript.resolve()) if transcript else None,
                },
                "limits": {
                    "max_cost_usd": max_cost,
                    "max_tokens": max_tokens,
                    "max_total_runtime_hours": max_hours,
                },
                "search": {"max_nodes": max_nodes, "parallel": parallel},
                "workflow": str(workflow.resolve()) if workflow else None,
                "allow_degraded_sandbox": allow_degraded_sandbox or None,
                "answers": answers_given(answer),
            },
            settings_of_goal(goal),
        )
        run_explore(goal, settings, outputs.resolve(), "")

    guarded(work)
