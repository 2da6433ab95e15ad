"""The end of a run: conclusions by the supervisor, the report, and its page."""

from __future__ import annotations

from pathlib import Path

from agents.reproduce import supervisor
from flows.calls.calling import ask_agent
from flows.calls.unreadable import FAULTS
from flows.pages.artifacts import publish_markdown
from flows.reproduce.context import Run
from flows.reproduce.likely_cost import write_costs
from flows.reproduce.report_facts import facts_of
from flows.reproduce.sharing.packaging import drop_older
from flows.run.endings import RunStopped, StageAbandoned
from schemas.errors import LimitExceeded, ReplayError
from schemas.reproduce.judging.verdicts import ConclusionsAnswer
from tasks.reproduce.judging.headline import Headline, headline_of
from tasks.reproduce.report import write_report

NOT_WHOLE = "the report could not be written whole"


def final_report(run: Run, complete: bool) -> tuple[Path, Path]:
    """Write the report (Markdown and HTML), costs.json and the last checkpoint; returns the two paths."""
    run.console.say("writing the report")
    if run.state.plan is not None:
        try:
            conclusions = ask_agent(
                run,
                supervisor.CONCLUSIONS,
                supervisor.conclusions_context(run.state, run.paper),
                ConclusionsAnswer,
                position=run.position("supervisor", "report"),
            )
            run.update("report", conclusions=conclusions)
        except (RunStopped, StageAbandoned, LimitExceeded, ReplayError) as reason:
            run.console.say(f"no conclusions by the supervisor: {reason}")
            if isinstance(reason, ReplayError):  # a recording that lacks its end is no whole replay
                run.update("account", stop_reason=run.state.stop_reason or reason.what)
    try:
        markdown, page = _written(run, complete)
    except FAULTS as error:  # an answer of long ago: asking again who answered last would not help
        why = f"{NOT_WHOLE}: {type(error).__name__}: {error}"[:500]
        run.console.say(why)
        run.update("account", stop_reason="; ".join(part for part in (why, run.state.stop_reason) if part))
        markdown, page = _written(run, False, whole=False)
    drop_older(run.run_dir, run.paper.paper_id)
    run.update("report", report_path=markdown.name)
    write_costs(run)
    run.checkpoint("final_report")
    publish_markdown(
        run, "report", markdown.read_text(encoding="utf-8")[:400_000], f"The report is at {page}"
    )
    return markdown, page


def _written(run: Run, complete: bool, whole: bool = True) -> tuple[Path, Path]:
    return write_report(
        run.state,
        run.paper,
        run_dir=run.run_dir,
        paper_dir=run.paper_dir,
        settings=run.settings,
        facts=facts_of(run, complete),
        whole=whole,
    )


def verdict_of(run: Run) -> Headline:
    """The verdict of the report's first page; of a report that could not be written whole none."""
    state = run.state
    if state.stop_reason and state.stop_reason.startswith(NOT_WHOLE):
        return Headline("Nothing was compared", state.stop_reason)
    return headline_of(state, run.paper)
