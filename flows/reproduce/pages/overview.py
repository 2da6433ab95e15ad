"""The overview on a run's page: where it stands, what waits for a person, every target, links to all the rest."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from prefect.runtime import flow_run

from flows.pages.artifacts import artifact_key, put_artifact
from flows.pages.results import results_links
from flows.pages.tables import short_cell as cell
from flows.pages.waiting import waiting_lines
from flows.reproduce.context import Run
from flows.reproduce.outcome import Outcome
from flows.reproduce.pages.values import values
from flows.run.context import ACTIVE
from flows.run.costs import spent_line
from schemas.reproduce.judging.comparison import FigureComparison
from schemas.reproduce.planning.plan import Stage, Target
from schemas.talking.interaction import Question
from schemas.text.inert import inert_markdown


def show_overview(run: Run, outcome: Outcome | None = None, suspended: Question | None = None) -> None:
    """Publish the artifact `<run id>-overview` on the run's own page; a failing server never stops a run."""
    whole = cast(Run, ACTIVE.get(run.run_id, run))  # a branch knows its own stage only
    if not whole.flow_run_id:
        return
    try:
        put_artifact(
            artifact_key(whole.run_id, "overview"),
            overview(whole, outcome, suspended),
            f"{whole.paper.paper_id}: verdicts, stages, links",
            whole.flow_run_id,
        )
    except Exception as error:  # noqa: BLE001  the page is a convenience, the run is not
        run.console.say(f"could not publish the overview: {type(error).__name__}: {error}")


def overview(run: Run, outcome: Outcome | None = None, suspended: Question | None = None) -> str:
    """The Markdown: words of paper and models inert, links ours."""
    waiting = waiting_lines(run, suspended)
    standing = inert_markdown(outcome.line) if outcome else "" if waiting else _standing(run)
    parts = [f"# {cell(run.paper.title, 200)}", *([standing] if standing else []), *waiting]
    if links := results_links(run.run_dir, Path(outcome.html).name if outcome else ""):
        parts.append(" · ".join(links))
    plan = run.state.plan
    if plan is not None:
        parts += ["## Targets", _targets(run), "## Stages", _stages(run)]
    parts += ["## More", "\n".join(f"- {line}" for line in _more(run))]
    return "\n\n".join(parts) + "\n"


def _standing(run: Run) -> str:
    at_work = [p.stage_id for p in run.state.progress if p.status == "in_progress"]
    if run.state.plan is None:
        return "The paper is read and a plan is made."
    return f"At work on {', '.join(at_work)}." if at_work else "Between two stages."


def _targets(run: Run) -> str:
    assert run.state.plan is not None
    compared = {c.target_id: c for c in run.state.figure_comparisons}
    rows = ["| target | ours | reference | error | verdict |", "|---|--:|--:|--:|---|"]
    rows += [
        _row(run, stage, target, compared.get(target.target_id))
        for stage, target in run.state.plan.targets()
        if stage.stage_type != "MATERIAL_VALIDATION"
    ]
    return "\n".join(rows)


def _row(run: Run, stage: Stage, target: Target, comparison: FigureComparison | None) -> str:
    if comparison is None:
        return f"| {cell(target.target_id)} | | | | not yet |"
    ours, reference, error = values(comparison.evidence, target, run.paper)
    verdict = _linked(run, f"comparison-{stage.stage_id}", comparison.verdict)
    return f"| {cell(target.target_id)} | {cell(ours)} | {cell(reference)} | {error} | {verdict} |"


def _stages(run: Run) -> str:
    assert run.state.plan is not None
    rows = ["| stage | state | page |", "|---|---|---|"]
    for stage in run.state.plan.stages:
        entry = run.state.stage_progress(stage.stage_id)
        page = run.stage_runs.get(stage.stage_id)
        link = f"[log and simulations](/runs/flow-run/{page})" if page else ""
        rows.append(f"| {cell(stage.stage_id)} | {entry.status.replace('_', ' ')} | {link} |")
    return "\n".join(rows)


def _linked(run: Run, name: str, words: str) -> str:
    """A link to an artifact of the run, where it is shown."""
    place = run.artifacts.get(name)
    return f"[{words}](/artifacts/artifact/{place})" if place else words


def _more(run: Run) -> list[str]:
    links = [
        _linked(run, name, name.replace("-", " "))
        for name in run.artifacts
        if not name.startswith("comparison")
    ]
    asked = [
        f"asked: {cell(entry.reason, 120)}: {cell(entry.user_response, 120)} ({entry.answered_by})"
        for entry in run.state.user_interactions
    ]
    cost = spent_line(run)
    return [
        *links,
        *asked,
        f"run {run.run_id}, on the worker in `{run.run_dir}`",
        f"{run.tally.simulations + run.tally.simulations_reused} simulations" + (f", {cost}" if cost else ""),
    ]


def remember_stage_run(run: Run, stage_id: str) -> None:
    """Note the flow run of a stage at work, for links to it."""
    if flow_run.id:
        run.stage_runs[stage_id] = str(flow_run.id)
