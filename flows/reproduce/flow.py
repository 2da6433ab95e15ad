"""reproduce_paper: one run is one flow run, from the paper to the report."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from prefect import flow
from prefect.client.schemas.objects import State

from flows.calls.infrastructure import attempt
from flows.calls.replaying import left_unused
from flows.pages.form import field
from flows.reproduce.allowed import check_run
from flows.reproduce.branches import run_stages
from flows.reproduce.context import Run
from flows.reproduce.judging.confirming import decide_doubts
from flows.reproduce.judging.debugging import ask_nobody_about_limits, diagnosis, look_at_stages
from flows.reproduce.kept_records import find_run, read_record
from flows.reproduce.likely_cost import estimate_line, write_costs
from flows.reproduce.opening import open_run
from flows.reproduce.outcome import Outcome, final_state, not_compared
from flows.reproduce.pages.form import Paper, settings_of_form
from flows.reproduce.planning.approved_plan import adapt_prompts, make_plan
from flows.reproduce.planning.deadlock import ask_about_blocked, ask_about_deadlock
from flows.reproduce.planning.figures_checkpoint import figures_checkpoint
from flows.reproduce.planning.selection import behind_failed, select_stage
from flows.reproduce.planning.supervising import FINISH, REPLAN, STOP, supervise
from flows.reproduce.reporting import final_report, verdict_of
from flows.reproduce.rewinding import undo_interrupted
from flows.run.costs import check_caps
from flows.run.endings import RunStopped
from flows.run.turn import name_of_flow_run, take_turn
from flows.terminal.console import Console
from flows.up.results_page import address_of
from schemas.errors import LimitExceeded
from schemas.reproduce.planning.plan import DONE
from schemas.reproduce.run_form import HOURS, Amount, Answerer, Answers, AskedAgain, Group, RunForm
from schemas.reproduce.settings import RunSettings
from schemas.talking.interaction import MACHINERY


@flow(
    name="reproduce",
    flow_run_name=partial(name_of_flow_run, "paper"),
    persist_result=True,
    result_serializer="json",
    validate_parameters=True,
)
def reproduce_paper(
    paper: Paper = field("Paper", "ge-on-gold"),
    model: Answerer = field("Who answers for the agents", "replay"),
    endpoint: str = field("Model server", ""),
    max_cost_usd: Amount = field("At most, US dollars", 0),
    max_hours: Amount = field("At most, hours", HOURS),
    answers: Answers = field("Answers given beforehand", ()),
    only: tuple[str, ...] = field("Only a part of the paper", ()),
    diagnosis: bool = field("Quick diagnosis only", False),
    ask_again: AskedAgain = field("Ask a person again, in a replay", ()),
    outputs: str = field("Folder for results", ""),
    run_id: str = field("Continue a run", ""),
    settings: Group = field("Everything else", None),
) -> State[Outcome]:
    """Reproduce a paper, from reading it to the report. Through a deployment, places are those that the worker allows.

    Args:
        paper: A bundled one, or the path of a paper's folder on the worker.
        model: replay: the recorded answers of a bundled paper. anthropic: a model, with the worker's key. manual: a person
            with any chat window, through files on the worker.
        endpoint: Another server for the model: the name of a block of the kind "ReproLab model endpoint" (page Blocks).
            Empty: the vendor's.
        max_cost_usd: The run stops with a partial report when this is spent. 0: no limit.
        max_hours: Hours of work, waiting for people not counted; then the run stops with a partial report.
        answers: A question that is answered here is not asked. A replay needs none.
        only: For example 'figures: fig1, fig3', 'section: 3.2', or a claim in words. Empty: all of it.
        diagnosis: A first look: materials and one coarse simulation, nothing is judged.
        ask_again: To rehearse: these questions wait for you, though the recording holds their answers.
        outputs: On the worker, or block:NAME. Empty: the worker's own folder.
        run_id: The id of a run that stopped or waits; what is left empty here stays as it was. Empty: a new run.
        settings: Limits, thresholds and other rare settings (docs/reference/settings.md).
    """
    form = RunForm(
        paper=paper,
        model=model,
        endpoint=endpoint,
        max_cost_usd=max_cost_usd,
        max_hours=max_hours,
        answers=answers,
        only=only,
        diagnosis=diagnosis,
        ask_again=ask_again,
        outputs=outputs,
        run_id=run_id,
        settings=settings,
    )
    settings = settings_of_form(form)
    check_run(form.paper, settings, form.outputs, form.run_id)

    def opening(root: Path, directory: Path | None, console: Console, begins: Callable[[str], None]) -> Run:
        own = settings
        if directory and settings != RunSettings():
            own = settings_of_form(form, read_record(directory).settings)
        if directory:
            undo_interrupted(directory)
        return open_run(form.paper, own, root, directory, console, begins=begins)

    return take_turn(
        form.outputs, form.run_id, find=find_run, opening=opening, work=work, final_state=final_state
    )


def _plan(run: Run) -> None:
    figures_checkpoint(run)
    adapt_prompts(run)
    make_plan(run)


def _diagnose(run: Run) -> Outcome:
    """A debug run: the same planning, then a look at two stages; nothing is judged."""
    complete = False
    ask_nobody_about_limits(run)
    try:
        attempt(run, "adapting and planning", lambda: _plan(run))
        attempt(run, "looking at stages", lambda: look_at_stages(run))
        complete = True
    except (RunStopped, LimitExceeded) as reason:
        run.console.say(f"stopping: {reason}")
        run.update("account", stop_reason=run.state.stop_reason or str(reason))
        run.checkpoint("stopped")
    found = diagnosis(run, complete)
    write_costs(run)
    return Outcome(
        paper_id=run.paper.paper_id,
        run_id=run.run_id,
        report=str(found.report),
        html=str(found.page),
        complete=complete,
        stop_reason=run.state.stop_reason,
        success=0,
        partial=0,
        failure=0,
        diagnosis=found.summary,
        address=address_of(run.run_dir, found.page.name),
    )


def work(run: Run) -> Outcome:
    """An opened run from planning to its report; whoever calls it holds the run's lock and has made it ACTIVE."""
    try:
        return _worked(run)
    except BaseException as ended:
        if not isinstance(ended, Exception):  # Ctrl-C, SIGTERM: a report of what there is shows this state
            with suppress(OSError):
                run.checkpoint("interrupted")
        raise


def _worked(run: Run) -> Outcome:
    complete = False
    run.console.say(estimate_line(run))
    if run.settings.debug_mode:
        return _diagnose(run)
    try:
        attempt(run, "adapting and planning", lambda: _plan(run))
        complete = _stages(run)
        missing = not_compared(run.state)
        if complete and missing:
            complete = False
            run.update("account", stop_reason=f"not compared: {', '.join(missing)}")
    except (RunStopped, LimitExceeded) as reason:
        run.console.say(f"stopping: {reason}")
        run.update("account", stop_reason=run.state.stop_reason or str(reason))
        with suppress(OSError):
            run.checkpoint("stopped")
    report, page = attempt(run, "writing the report", lambda: final_report(run, complete))
    if decide_doubts(run, complete):
        report, page = attempt(run, "writing the report again", lambda: final_report(run, complete))
    found = verdict_of(run)
    classes = [c.verdict for c in run.state.figure_comparisons]
    return Outcome(
        paper_id=run.paper.paper_id,
        run_id=run.run_id,
        report=str(report),
        html=str(page),
        complete=complete and not run.state.stop_reason,
        stop_reason=run.state.stop_reason,
        verdict=found.verdict,
        reason=found.reason,
        success=classes.count("SUCCESS"),
        partial=classes.count("PARTIAL"),
        failure=classes.count("FAILURE"),
        unused_recordings=left_unused(run.model, run.transcript),
        address=address_of(run.run_dir, page.name),
    )


def _stages(run: Run) -> bool:
    """Run stages until none is left; True when the plan came to its end."""
    asked, settled = 0, set[str]()
    while True:
        check_caps(run)
        selection = select_stage(run.state, budget_left_s=run.budget_left_s(), priority=run.state.priority)
        for stage_id, reason in selection.blocked:
            run.console.say(f"blocked: {reason}", stage=stage_id)
            run.update(
                "select_stage",
                progress=run.state.with_progress(
                    stage_id, status="blocked", issues=(*run.state.stage_progress(stage_id).issues, reason)
                ),
            )
        finished = selection.kind == "done"
        if selection.kind == "deadlock":
            asked += 1
            settled.update(selection.stage_ids)
            if ask_about_deadlock(run, selection.reason, selection.stage_ids, asked) == STOP:
                return False
            continue
        if finished and (behind := behind_failed(run.state, settled)):
            asked += 1
            settled.update(behind)
            if ask_about_blocked(run, behind, asked) == STOP:
                return False
            continue
        if finished:
            return True
        if not selection.stage_ids:
            continue
        outcomes = _attempt_stages(run, selection.stage_ids[: run.settings.parallel_stages])
        if STOP in outcomes:
            run.update("account", stop_reason=run.state.stop_reason or "stopped by the user")
            return False
        if REPLAN in outcomes:
            attempt(
                run, "planning again", partial(make_plan, run, run.state.supervisor_feedback, _who_asked(run))
            )
        elif (
            outcomes
            and all(outcome == FINISH for outcome in outcomes)
            and not behind_failed(run.state, settled)
        ):
            return True


def _who_asked(run: Run) -> str:
    """Who wanted the new plan after which stage: a person whose last answer says so, or the supervisor."""
    last = next(
        (e for e in reversed(run.state.user_interactions) if e.interaction_type not in MACHINERY), None
    )
    decision = run.state.supervisor_verdict
    if (
        decision is not None
        and decision.verdict != "replan_needed"
        and last
        and last.user_response.startswith("replan")
    ):
        return f"a person asked for it after {last.stage_id or 'a question'}"
    return f"the supervisor asked for it after {run.state.current_stage_id}"


def _attempt_stages(run: Run, stage_ids: tuple[str, ...]) -> list[str]:
    """An attempt at each stage; where files or processes fail, a person may give up the stages at work."""
    attempts = {name: run.state.stage_progress(name).attempts + 1 for name in stage_ids}

    def give_up(reason: str) -> list[str]:
        outcomes = []
        for name in stage_ids:
            if run.state.stage_progress(name).status not in DONE:
                run.update(
                    "select_stage",
                    progress=run.state.with_progress(
                        name, issues=(*run.state.stage_progress(name).issues, f"given up: {reason}")
                    ),
                )
                outcomes.append(supervise(run, run.stage(name), attempts[name]))
        return outcomes

    return attempt(run, f"working on {', '.join(stage_ids)}", lambda: run_stages(run, stage_ids), give_up)
