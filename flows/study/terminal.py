"""A study started from a terminal: the flow, the attendant, the graph, the exit code."""

from __future__ import annotations

from pathlib import Path

from flows.calls.endpoint import without_secrets
from flows.study.flow import study
from flows.study.outcome import Outcome
from flows.study.telling import graph_lines
from flows.terminal.console import Console, show
from flows.terminal.in_terminal import exit_lines, outcome_in_terminal, unused_lines
from schemas.study.settings import StudySettings
from schemas.study.statement import STATEMENT
from tasks.study.workspace import Workspace
from tasks.study.workspace.package import package_digest


def run_in_terminal(
    given: str, settings: StudySettings, outputs: Path, run_id: str, console: Console, *, page: bool = True
) -> int:
    """Run the flow in this process and print what came out; returns the exit code. Errors are raised."""
    outcome = outcome_in_terminal(
        console,
        lambda: study(
            study_input=given,
            settings=without_secrets(settings),
            run_id=run_id,
            outputs=str(outputs),
            return_state=True,
        ),
        page=page,
    )
    show(summary(outcome), flush=True)
    return int(outcome.end.code)


def summary(outcome: Outcome) -> str:
    """The graph, the tests, what was written, at the end of a run."""
    lines = ["", *drawn_graph(Path(outcome.folder)), ""]
    if outcome.mode == "A":
        lines += [STATEMENT, ""]
    lines += [f"{item}" for item in outcome.results]
    lines += [outcome.line]
    lines += unused_lines(outcome)
    if outcome.package:
        lines.append(f"paper:  {Path(outcome.package) / 'paper.md'}")
        lines.append(f"package sha256 {package_digest(Path(outcome.package))}")
    lines.append(f"report: {outcome.report}")
    lines += exit_lines(outcome)
    return "\n".join(lines)


def drawn_graph(folder: Path) -> list[str]:
    """The graph of a workspace, as it is kept; for showing only."""
    state = Workspace(folder).load()
    return graph_lines(state.nodes) if state else ["no graph yet"]
