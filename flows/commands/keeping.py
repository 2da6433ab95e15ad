"""`reprolab compare` and `reprolab clean`: runs after their end."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.terminal.expected_errors import guarded

Outputs = Annotated[
    Path, typer.Option("--outputs", "-o", envvar="REPROLAB_OUTPUTS", help="Folder for results.")
]
_RUN = "A run's id, the beginning of one, or `latest`."


def compare(
    one: Annotated[str, typer.Argument(metavar="RUN", help=_RUN)],
    other: Annotated[str, typer.Argument(metavar="RUN", help=_RUN)],
    outputs: Outputs = Path("outputs"),
) -> None:
    """Set two runs beside each other: targets, differences over uncertainty, what changed in plan, description, environment.

    Nothing is computed again and nothing is judged; `reprolab regress` does both.
    """

    def work() -> None:
        from flows.results.told import told
        from flows.results.two_runs import compare_runs
        from flows.run.records import find_record
        from flows.terminal.console import show

        root = outputs.resolve()
        show(told(compare_runs(find_record(root, one), find_record(root, other))))

    guarded(work)


def clean(
    older: Annotated[
        str, typer.Option(metavar="AGE", help="Only runs that ended longer ago than this: 90d, 12w, 48h.")
    ],
    keep_reports: Annotated[
        bool,
        typer.Option(
            "--keep-reports",
            help="Keep what tells: reports with their data, packages, record and last snapshot; remove what was computed with.",
        ),
    ] = False,
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Runs without a report as well; they cannot be resumed then.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Remove it. Without this, only what would be removed is listed.")
    ] = False,
    outputs: Outputs = Path("outputs"),
) -> None:
    """Remove old runs from an outputs folder, or all of them but their reports. Without --yes it only lists them.

    Runs that are worked on or wait for a person stay, as do simulations that other runs use again (.reprolab), regressions
    and baselines.
    """
    from flows.commands.clean import show_clean

    guarded(
        lambda: show_clean(
            outputs.resolve(), older, keep_reports=keep_reports, unfinished=unfinished, yes=yes
        )
    )
