"""The overview on the run's page: the graph with its states, the tests, the cost."""

from __future__ import annotations

from typing import Any

from flows.pages.artifacts import publish_markdown
from flows.pages.waiting import waiting_titles
from flows.run.costs import spent
from flows.study.context import Run
from flows.study.telling import LEGEND, MARKS
from flows.up.results_page import address_of
from schemas.study.statement import STATEMENT
from schemas.text.visible import one_visible_line
from tasks.study.phases import grouped


def show_overview(run: Run, outcome: Any = None, suspended: Any = None) -> None:
    """Create or replace the overview; without a page of its own nothing is shown."""
    if not run.flow_run_id or run.branch:
        return
    lines = [f"# {run.state.study_id}", "", *([f"*{STATEMENT}*", ""] if run.simulated else [])]
    if outcome is not None:
        lines += [f"**{outcome.line}**", ""]
        lines += [f"- {_cell(item)}" for item in outcome.results] + [""]
    lines += [
        line
        for title in waiting_titles(run, suspended)
        for line in (
            f"**waits for a person: {one_visible_line(title, 200)}** (Resume on the page of the run that waits)",
            "",
        )
    ]
    lines += graph_table(run)
    money, unknown, tokens = spent(run)
    lines += [
        "",
        f"{tokens} tokens, {money:.2f} USD"
        + (" + unknown" if unknown else "")
        + f"; folder `{run.space.root}`"
        + (f"; {address}" if (address := address_of(run.run_dir)) else ""),
    ]
    publish_markdown(run, "overview", "\n".join(lines), f"study {run.run_id}")


def graph_table(run: Run) -> list[str]:
    """One row a phase, and one a participant or part below it."""
    nodes = run.course.graph.nodes()
    known = {node.id: node for node in nodes}
    rows = ["| node | state | |", "|---|---|---|"]
    for node in nodes:
        if node.parent is None:
            rows.append(f"| **{node.id}** {_cell(node.title)} | {node.status} | {_cell(node.error)} |")
            for name, group in grouped([known[child] for child in node.children]).items():
                states = " ".join(MARKS[child.status] for child in group)
                rows.append(
                    f"| · {name} | {states} | {_cell(next((child.error for child in group if child.error), ''))} |"
                )
    return [*rows, "", LEGEND]


def _cell(text: str) -> str:
    return one_visible_line(text, 200).replace("|", "\\|")
