"""reproduce_paper: one run is one flow run, from the paper to the report."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path

from prefect import flow, get_run_logger
from prefect.client.schemas.objects import State
from prefect.runtime import deployment, flow_run
from prefect.settings import PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings

from flows.allowed import check_run
from flows.branches import run_stages
from flows.console import Console
from flows.context import ACTIVE, Run
from flows.costs import check_caps, estimate_line, write_costs
from flows.deadlock import ask_about_blocked, ask_about_deadlock
from flows.debugging import ask_nobody_about_limits, diagnosis, look_at_stages
from flows.endings import RunStopped, WorkerFreed, not_compared
from flows.infrastructure import attempt
from flows.opening import find_run, open_run, run_lock
from flows.outcome import Outcome, final_state, waiting_state
from flows.pausing import suspend_until_answered
from flows.planning import adapt_prompts, make_plan
from flows.replaying import left_unused
from flows.reporting import final_report, verdict_of
from flows.resources import outputs_root
from flows.retrying import remember_run, run_of_flow_run
from flows.rewinding import undo_interrupted
from flows.selection import behind_failed, select_stage
from flows.supervising import FINISH, REPLAN, STOP, supervise
from schemas.errors import AwaitingAnswer, LimitExceeded
from schemas.interaction import MACHINERY
from schemas.plan import DONE
from schemas.settings import RunSettings


def _run_name() -> str:
    """The paper's id or its folder's name; or the run that is continued."""
    run_id = flow_run.parameters.get("run_id")
    return f"continue {run_id}" if run_id else Path(str(flow_run.parameters.get("paper"))).stem


@flow(name="reproduce", flow_run_name=_run_name, persist_result=True, result_serializer="json",
      validate_parameters=True)
def reproduce_paper(paper: str = "ge-on-gold", settings: RunSettings = RunSettings(), run_id: str = "",
                    outputs: str = "") -> State[Outcome]:
    """Reproduce a paper: a bundled id, or a path to a folder or JSON file on the worker's machine.

    Through a deployment, paths are those that the worker's environment allows (docs/deployment.md).

    Args:
        paper: a bundled paper's id (ge-on-gold, bohren-huffman-cylinder, ring-resonator), or a path.
        settings: limits, model, thresholds, answers given beforehand.
        run_id: continue this run, with its paper, and with its settings unless others are given; empty for a new one.
        outputs: folder for results, or block:NAME; REPROLAB_OUTPUTS or ./outputs when empty.
    """
    check_run(paper, settings, outputs, run_id)
    root = outputs_root(outputs)
    again = run_of_flow_run(root, flow_run.id)
    run_id = again or run_id
    directory = find_run(root, run_id) if run_id else None
    with temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}):
        with ExitStack() as held:
            if directory:
                # A worker may start a retry while an earlier process of the same flow run still works: then it waits its turn.
                held.enter_context(run_lock(directory, _TURN_S if again else 0))  # before run.json is written
                undo_interrupted(directory)
            run = open_run(paper, settings, root, directory, console_of_process())
            run.suspends = bool(deployment.id)
            remember_run(root, flow_run.id, run.run_id)
            if not directory:
                held.enter_context(run_lock(run.run_dir))
            ACTIVE[run.run_id] = run
            held.enter_context(run.clock.watched(run.cancel))
            try:
                get_run_logger().info("run %s in %s", run.run_id, run.run_dir)
                outcome = work(run)
                get_run_logger().info("%s", outcome.line)
                return final_state(outcome)
            except WorkerFreed as question:
                waiting = question
            except AwaitingAnswer as reason:
                if not run.suspends:
                    raise
                return waiting_state(run.run_id, reason)
            finally:
                run.cancel.set()
                ACTIVE.pop(run.run_id, None)
        return suspend_until_answered(run, waiting)


_TURN_S = 3600.0
_CONSOLE: dict[str, Console] = {}


def use_console(console: Console) -> None:
    """The console of runs started from a terminal; runs by a worker write plain lines."""
    _CONSOLE["console"] = console


def console_of_process() -> Console:
    """The terminal's console, or a plain one under a worker."""
    return _CONSOLE.get("console") or Console()


def _diagnose(run: Run) -> Outcome:
    """A debug run: the same planning, then a look at two stages; nothing is judged."""
    complete = False
    ask_nobody_about_limits(run)
    try:
        adapt_prompts(run)
        make_plan(run)
        look_at_stages(run)
        complete = True
    except (RunStopped, LimitExceeded) as reason:
        run.console.say(f"stopping: {reason}")
        run.update("account", stop_reason=run.state.stop_reason or str(reason))
        run.checkpoint("stopped")
    found = diagnosis(run, complete)
    write_costs(run)
    return Outcome(paper_id=run.paper.paper_id, run_id=run.run_id, report=str(found.report), html=str(found.page),
                   complete=complete, stop_reason=run.state.stop_reason, success=0, partial=0, failure=0,
                   diagnosis=found.summary)


def work(run: Run) -> Outcome:
    """An opened run from planning to its report; whoever calls it holds the run's lock and has made it ACTIVE."""
    complete = False
    run.console.say(estimate_line(run))
    if run.settings.debug_mode:
        return _diagnose(run)
    try:
        attempt(run, "adapting and planning", lambda: (adapt_prompts(run), make_plan(run)))
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
    found = verdict_of(run)
    classes = [c.classification for c in run.state.figure_comparisons]
    return Outcome(paper_id=run.paper.paper_id, run_id=run.run_id, report=str(report), html=str(page),
                   complete=complete and not run.state.stop_reason, stop_reason=run.state.stop_reason,
                   verdict=found.verdict, reason=found.reason,
                   success=classes.count("SUCCESS"), partial=classes.count("PARTIAL"), failure=classes.count("FAILURE"),
                   unused_recordings=left_unused(run.model))


def _stages(run: Run) -> bool:
    """Run stages until none is left; True when the plan came to its end."""
    asked, settled = 0, set[str]()
    while True:
        check_caps(run)
        selection = select_stage(run.state, budget_left_s=run.budget_left_s(), priority=run.state.priority)
        for stage_id, reason in selection.blocked:
            run.console.say(f"blocked: {reason}", stage=stage_id)
            run.update("select_stage", progress=run.state.with_progress(
                stage_id, status="blocked", issues=(*run.state.stage_progress(stage_id).issues, reason)))
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
            attempt(run, "planning again", partial(make_plan, run, run.state.supervisor_feedback, _who_asked(run)))
        elif outcomes and all(outcome == FINISH for outcome in outcomes) and not behind_failed(run.state, settled):
            return True


def _who_asked(run: Run) -> str:
    """Who wanted the new plan after which stage: a person whose last answer says so, or the supervisor."""
    last = next((e for e in reversed(run.state.user_interactions) if e.interaction_type not in MACHINERY), None)
    decision = run.state.supervisor_verdict
    if decision is not None and decision.verdict != "replan_needed" and last and last.user_response.startswith("replan"):
        return f"a person asked for it after {last.stage_id or 'a question'}"
    return f"the supervisor asked for it after {run.state.current_stage_id}"


def _attempt_stages(run: Run, stage_ids: tuple[str, ...]) -> list[str]:
    """An attempt at each stage; where files or processes fail, a person may give up the stages at work."""
    attempts = {name: run.state.stage_progress(name).attempts + 1 for name in stage_ids}

    def give_up(reason: str) -> list[str]:
        outcomes = []
        for name in stage_ids:
            if run.state.stage_progress(name).status not in DONE:
                run.update("select_stage", progress=run.state.with_progress(
                    name, issues=(*run.state.stage_progress(name).issues, f"given up: {reason}")))
                outcomes.append(supervise(run, run.stage(name), attempts[name]))
        return outcomes

    return attempt(run, f"working on {', '.join(stage_ids)}", lambda: run_stages(run, stage_ids), give_up)
