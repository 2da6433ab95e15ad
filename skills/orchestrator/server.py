"""orchestrator: run_experiment, get_status, list_runs, list_children, get_paper, reproduce; stdio, or --http 127.0.0.1:PORT."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from schemas.reading.beneath import Unopened, read_below
from schemas.text.visible import visible
from skills import kit
from skills.orchestrator import running
from skills.orchestrator.running import RunError

server = kit.skill(
    "orchestrator",
    "ReproLab: explore research goals, reproduce papers, see how runs stand, read their papers.",
)
_PAPERS = (
    "paper/full_paper.tex",
    "paper/full_paper.html",
    "REPRODUCTION_REPORT_*.md",
    "EXPLORATION_REPORT_*.html",
)
_PAGE, _MOST_BYTES, _MOST_GOAL = 30_000, 16 << 20, 100_000
Model = Literal["", "replay", "manual", "anthropic"]


@server.tool()
def run_experiment(
    goal: kit.Words,
    ctx: kit.Call,
    model: Model = "",
    max_nodes: int = 0,
    parallel: int = 0,
    max_cost_usd: float = 0.0,
    parent_run: str = "",
) -> str:
    """Explore a research goal (the text of a goal.md, three lines or more; or a bundled goal's name) in a run of its own.
    Returns at once with the run's id; ask get_status. Questions to a person save the run and end its process."""
    if len(goal) > _MOST_GOAL:
        raise kit.ToolError(f"the goal has {len(goal)} characters; at most {_MOST_GOAL} are taken")
    named = "\n" not in goal.strip()
    if named and (
        not goal.strip() or not all(part.isalnum() for part in goal.strip().replace("_", "-").split("-"))
    ):
        raise kit.ToolError("a goal is three lines of text or more, or the name of a bundled goal")
    options = [
        *_option("--model", model),
        *_option("--max-nodes", max_nodes),
        *_option("--parallel", parallel),
        *_option("--max-cost", max_cost_usd),
    ]
    return _started(
        ["explore", goal.strip() if named else "{files}/goal.md", *options],
        ctx,
        parent_run,
        {} if named else {"goal.md": goal},
    )


@server.tool()
def reproduce(
    paper: str,
    ctx: kit.Call,
    model: Model = "",
    scope: list[kit.Words] | None = None,
    max_cost_usd: float = 0.0,
    answers: list[kit.Words] | None = None,
    parent_run: str = "",
) -> str:
    """Reproduce a paper: a bundled one's id or the name of a paper's folder below the folder of results. scope narrows it
    ("figures: fig1"); answers are given beforehand ("material_checkpoint=approve"). Returns at once with the run's id."""
    place = (running.outputs() / paper).resolve()
    if "/" in paper and not (place.is_relative_to(running.outputs()) and place.is_dir()):
        raise kit.ToolError(
            f"{paper!r} is neither a bundled paper's id nor a folder below {running.outputs()}"
        )
    options = [*_option("--model", model), *_option("--max-cost", max_cost_usd)]
    for name, values in (("--scope", scope), ("--answer", answers)):
        options += [item for value in values or () for item in (f"{name}={value}",)]
    own = place if "/" in paper else None
    return _started(["reproduce", str(own or paper.lstrip("-")), *options], ctx, parent_run, {}, own)


@server.tool()
def get_status(run: str) -> str:
    """How a run stands: whether it is at work, and what `reprolab status` says of it. `latest` is the last one."""
    try:
        folder = running.run_folder(run)
        return kit.answer(
            {
                "run": folder.name,
                "at_work": running.process_of(folder) is not None,
                "folder": str(folder),
                "reports": sorted(path.name for path in folder.glob("*REPORT*")),
                "status": running.told(["status", folder.name]),
            }
        )
    except RunError as error:
        raise kit.ToolError(str(error)) from None


@server.tool()
def list_runs(limit: int = 20) -> str:
    """The last runs: id, workflow, subject, when they began, whether they are at work."""
    return kit.answer([_line(folder) for folder in list(running.runs().values())[-max(1, min(limit, 200)) :]])


@server.tool()
def list_children(run: str) -> str:
    """The runs that a run started."""
    try:
        folder = running.run_folder(run)
    except RunError as error:
        raise kit.ToolError(str(error)) from None
    known = running.runs()
    return kit.answer([_line(known[name]) for name in running.children_of(folder.name) if name in known])


@server.tool()
def get_paper(run: str, offset: int = 0) -> str:
    """The paper of an exploration (LaTeX), or the report of a reproduction, from a character on; and where its files are."""
    try:
        folder = running.run_folder(run)
    except RunError as error:
        raise kit.ToolError(str(error)) from None
    found = [
        path
        for pattern in _PAPERS
        for path in sorted(folder.glob(pattern))
        if not path.name.endswith("_APPENDIX.md")
    ]
    if not found:
        raise kit.ToolError(f"run {folder.name} has no paper and no report yet")
    try:
        text = visible(
            read_below(folder, str(found[0].relative_to(folder)), _MOST_BYTES).decode("utf-8", "replace")
        )
    except Unopened as error:
        raise kit.ToolError(f"{found[0].name} {error}") from None
    page = text[max(0, offset) : max(0, offset) + _PAGE]
    pdf = folder / "paper" / "full_paper.pdf"
    return kit.answer(
        {
            "run": folder.name,
            "files": [str(path) for path in (*found, *([pdf] if pdf.exists() else []))],
            "offset": offset,
            "characters": len(text),
            "text": page,
        }
    )


def _line(folder: Path) -> dict[str, Any]:
    record = running.record_of(folder)
    return {
        "run": folder.name,
        "workflow": str(record.get("workflow", "reproduce")),
        "subject": folder.parent.name,
        "started": str(record.get("started", "")),
        "at_work": running.process_of(folder) is not None,
    }


def _option(name: str, value: object) -> list[str]:
    return [f"{name}={value}"] if value else []


def _started(
    arguments: list[str], ctx: kit.Call, parent: str, files: dict[str, str], paper: Path | None = None
) -> str:
    where = kit.context(ctx)
    own = Path(where.run_dir).name if where.run_dir else ""
    try:
        parent = running.run_folder(parent).name if parent else own
        return kit.answer(
            running.start(arguments, parent=parent, call_id=where.call_id, files=files, paper=paper)
        )
    except RunError as error:
        raise kit.ToolError(str(error)) from None


if __name__ == "__main__":
    server.main()
