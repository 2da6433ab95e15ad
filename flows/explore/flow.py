"""explore: one run is one flow run, from the goal to the paper and the check that it reproduces."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from prefect import flow
from prefect.client.schemas.objects import State

from flows.calls.infrastructure import attempt
from flows.calls.replaying import left_unused
from flows.explore.allowed import check_run
from flows.explore.context import Run
from flows.explore.ideas import prepare_search
from flows.explore.opening import find_run, open_run, read_record
from flows.explore.outcome import Outcome, final_state
from flows.explore.pages.form import Goal, settings_of_form
from flows.explore.reporting import write_report
from flows.explore.searching import search
from flows.explore.stages import run_stages
from flows.explore.subruns import run_subruns
from flows.pages.form import field
from flows.run.costs import write_costs
from flows.run.endings import RunStopped, StageAbandoned
from flows.run.turn import name_of_flow_run, take_turn
from flows.terminal.console import Console
from flows.up.results_page import address_of
from schemas.errors import LimitExceeded
from schemas.explore.run_form import HOURS, Amount, Answerer, Answers, Asked, Experiments, Group, RunForm
from schemas.explore.settings import ExploreSettings
from tasks.explore.search.best import best_node
from tasks.explore.values_in_words import with_uncertainty


@flow(
    name="explore",
    flow_run_name=partial(name_of_flow_run, "goal"),
    persist_result=True,
    result_serializer="json",
    validate_parameters=True,
)
def explore(
    goal: Goal = field("Research goal", "heat-stencil"),
    model: Answerer = field("Who answers for the agents", "replay"),
    endpoint: str = field("Model server", ""),
    experiments: Experiments = field("At most, experiments", 0),
    max_cost_usd: Amount = field("At most, US dollars", 0),
    max_hours: Amount = field("At most, hours", HOURS),
    ask: Asked = field("Ask a person", ()),
    answers: Answers = field("Answers given beforehand", ()),
    outputs: str = field("Folder for results", ""),
    run_id: str = field("Continue a run", ""),
    settings: Group = field("Everything else", None),
) -> State[Outcome]:
    """Explore a research goal: ideas, a tree of measured experiments, figures, a paper, a review, a bundle, a reproduction.

    Args:
        goal: A bundled one, or the path of a goal.md on the worker: three lines that say what is sought, of what, and what a
            good result is.
        model: replay: the recorded answers of a bundled goal; every experiment really runs. anthropic: a model, with the
            worker's key. manual: a person with any chat window, through files on the worker.
        endpoint: Another server for the model: the name of a block of the kind "ReproLab model endpoint" (page Blocks).
            Empty: the vendor's.
        experiments: The search ends after so many. 0: as many as the goal was recorded with, else 12.
        max_cost_usd: The run stops with a partial report when this is spent. 0: no limit.
        max_hours: Hours of work, waiting for people not counted; then the run stops with a partial report.
        ask: Where the run waits for your word; empty: nowhere. Publishing anywhere but on the worker always asks.
        answers: A question that is answered here is not asked. A replay needs none.
        outputs: On the worker, or block:NAME. Empty: the worker's own folder.
        run_id: The id of a run that stopped or waits; what is left empty here stays as it was. Empty: a new run.
        settings: How the search grows, limits of an experiment, literature and other rare settings (docs/guide/explore.md).
    """
    form = RunForm(
        goal=goal,
        model=model,
        endpoint=endpoint,
        experiments=experiments,
        max_cost_usd=max_cost_usd,
        max_hours=max_hours,
        ask=ask,
        answers=answers,
        outputs=outputs,
        run_id=run_id,
        settings=settings,
    )
    settings = settings_of_form(form)
    check_run(form.goal, settings, form.outputs, form.run_id)

    def opening(root: Path, directory: Path | None, console: Console, begins: Callable[[str], None]) -> Run:
        own = settings
        if directory and settings != ExploreSettings():
            own = settings_of_form(form, read_record(directory).settings)
        return open_run(form.goal, own, root, directory, console, begins=begins)

    return take_turn(
        form.outputs, form.run_id, find=find_run, opening=opening, work=work, final_state=final_state
    )


def work(run: Run) -> Outcome:
    """An opened run from the survey to its report; whoever calls it holds the run's lock and has made it ACTIVE."""
    complete = False
    try:
        attempt(run, "looking for ideas", lambda: prepare_search(run))
        seeds = attempt(run, "searching", lambda: search(run))
        attempt(run, "sub-runs", lambda: run_subruns(run, seeds))
        attempt(run, "the stages after the search", lambda: run_stages(run))
        complete = not run.state.stop_reason
    except (RunStopped, StageAbandoned, LimitExceeded) as reason:
        run.console.say(f"stopping: {reason}")
        run.update("account", stop_reason=run.state.stop_reason or str(reason))
        with suppress(OSError):
            run.checkpoint("stopped")
    write_costs(run)
    report = attempt(run, "writing the report", lambda: write_report(run, complete))
    return outcome_of(run, complete, report)


def outcome_of(run: Run, complete: bool, report: Path) -> Outcome:
    """The end of a run for its page and its exit code."""
    tree, spec = run.state.tree, run.state.spec
    best = best_node(tree, spec, run.settings.measure.smallest_effect) if tree and spec else None
    metric = best.evaluation.metric(spec.name) if best and best.evaluation and spec else None
    papers = (run.run_dir / "paper" / name for name in ("full_paper.pdf", "full_paper.html"))
    paper = next((path for path in papers if path.is_file()), None)
    return Outcome(
        goal_id=run.goal.goal_id,
        run_id=run.run_id,
        report=str(report),
        complete=complete,
        nodes=len(tree.nodes) if tree else 0,
        working=sum(node.works for node in tree.nodes) if tree else 0,
        best=best.id if best else "",
        paper=str(paper or ""),
        stop_reason=run.state.stop_reason,
        best_words=f"{metric.name} {with_uncertainty(metric)}" if metric else "",
        grade=_grade(run),
        failed_stages=tuple(end.stage for end in run.state.stages if end.status != "done"),
        unused_recordings=tuple(
            name for each in (run, *run.children) for name in left_unused(each.model, each.transcript)
        ),
        sub_runs=tuple(
            f"{each.run_id} ({each.idea}): {each.best or 'nothing was measured'}"
            for each in run.state.sub_runs
        ),
        address=address_of(run.run_dir, report.name),
    )


def _grade(run: Run) -> str:
    with suppress(OSError, ValueError, KeyError, TypeError):
        return f"{float(json.loads((run.run_dir / 'ors_grade.json').read_text())['ors_score']):.2f}"
    return ""
