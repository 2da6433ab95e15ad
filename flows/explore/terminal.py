"""An exploration started from a terminal: the flow, the attendant, the tree, the exit code."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console as Screen
from rich.tree import Tree as Drawn

from flows.calls.endpoint import without_secrets
from flows.explore.flow import explore
from flows.explore.opening import read_record, sub_runs_of
from flows.explore.outcome import Outcome
from flows.explore.pages.overview import against, measured
from flows.terminal.console import Console, show
from flows.terminal.in_terminal import exit_lines, outcome_in_terminal, unused_lines
from schemas.explore.settings import ExploreSettings
from schemas.explore.tree import Node, Tree
from schemas.reading.handed import kept_model
from schemas.text.visible import one_visible_line

_WIDTH = 130


def run_in_terminal(
    goal: str, settings: ExploreSettings, outputs: Path, run_id: str, console: Console, *, page: bool = True
) -> int:
    """Run the flow in this process and print the tree; returns the exit code. Errors are raised."""
    outcome = outcome_in_terminal(
        console,
        lambda: explore(
            goal=goal,
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
    """The tree, the best node, what was written, at the end of a run."""
    folder = Path(outcome.report).parent
    lines = ["", drawn_trees(folder), "", outcome.line, *(f"sub-run {each}" for each in outcome.sub_runs)]
    if outcome.paper:
        lines.append(f"paper:  {outcome.paper}")
    lines += unused_lines(outcome)
    lines.append(f"report: {outcome.report}")
    lines += exit_lines(outcome)
    return "\n".join(lines)


def drawn_trees(run_dir: Path) -> str:
    """The tree of a run, and below it those of its sub-runs."""
    shown = [drawn_tree(run_dir)]
    for child in sub_runs_of(run_dir):
        seed = read_record(child).seed
        title = one_visible_line(seed.ideas.root.title, 100) if seed else ""
        shown += [f"sub-run {child.name}: {title}", drawn_tree(child)]
    return "\n".join(shown)


def drawn_tree(run_dir: Path) -> str:
    """The tree of a run as text; for showing only."""
    path = run_dir / "tree.json"
    if not path.is_file():
        return "no tree yet"
    tree = kept_model(path, Tree, "the tree")
    drawn: dict[str | None, Drawn] = {None: Drawn(one_visible_line(tree.goal_id, 100))}
    for node in tree.nodes:
        drawn[node.id] = drawn[node.parent].add(_line(node))
    screen = Screen(width=_WIDTH, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    screen.print(drawn[None], markup=False)
    return screen.export_text().rstrip()


def _line(node: Node) -> str:
    verdict = against(node)
    words = f"{node.id} {node.label} {node.status} {node.composite:.2f}  {measured(node)}"
    words += f" ({verdict})" if verdict else ""
    words += f"  {node.direction}" if node.parent else ""
    room = _WIDTH - 4 * (node.depth + 1)
    return (
        one_visible_line(words, 10_000)
        if len(words) <= room
        else one_visible_line(words[: room - 3], 10_000) + "..."
    )
