"""study: one run is one flow run, from a topic, question or data set to the package."""

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
from flows.run.costs import write_costs
from flows.run.endings import RunStopped
from flows.run.turn import name_of_flow_run, take_turn
from flows.study.allowed import check_run
from flows.study.context import Run
from flows.study.opening import find_run, open_run, read_record
from flows.study.outcome import Outcome, final_state
from flows.study.packaging import finished
from flows.study.pages.form import Given, settings_of_form
from flows.study.recalling import recall
from flows.study.reporting import write_report
from flows.study.reviewing import open_issues, rejections
from flows.study.scoping import classify
from flows.terminal.console import Console
from flows.up.results_page import address_of
from schemas.errors import LimitExceeded
from schemas.study.graph import PhaseType
from schemas.study.results import Results
from schemas.study.run_form import HOURS, Amount, Answerer, Answers, Group, People, RunForm, Who
from tasks.study.statistics.apa import plain


@flow(
    name="study",
    flow_run_name=partial(name_of_flow_run, "study_input"),
    persist_result=True,
    result_serializer="json",
    validate_parameters=True,
)
def study(
    study_input: Given = field("Input", "voice-or-touch"),
    model: Answerer = field("Who answers for the agents", "replay"),
    endpoint: str = field("Model server", ""),
    who: Who = field("Participants are", "as the input says"),
    participants: People = field("At most, simulated participants", 0),
    max_cost_usd: Amount = field("At most, US dollars", 0),
    max_hours: Amount = field("At most, hours", HOURS),
    answers: Answers = field("Answers given beforehand", ()),
    outputs: str = field("Folder for results", ""),
    run_id: str = field("Continue a run", ""),
    data: str = field("Data of real participants", ""),
    settings: Group = field("Everything else", None),
) -> State[Outcome]:
    """A human study: question and hypotheses, protocol, participants or data, tests, paper, review, package.

    Args:
        study_input: A bundled study, or a path on the worker: a text file with a topic or question, a data file or a folder.
        model: replay: the recorded answers of a bundled study; every number is computed here. anthropic: a model, with the
            worker's key. manual: a person with any chat window, through files on the worker.
        endpoint: Another server for the model: the name of a block of the kind "ReproLab model endpoint" (page Blocks).
            Empty: the vendor's.
        who: simulated: a model stands in for people, and everything says so. real: data are handed in; a study of a text is
            designed and waits for its data.
        participants: Simulated ones; code computes how many the design needs. 0: as recorded, else 30.
        max_cost_usd: The run stops when this is spent. 0: no limit.
        max_hours: Hours of work, waiting for people not counted; then the run stops.
        answers: A question that is answered here is not asked. A replay needs none.
        outputs: On the worker, or block:NAME. Empty: the worker's own folder.
        run_id: The id of a run that stopped or waits; what is left empty here stays as it was. Empty: a new run.
        data: For a run that waits for them: a file or folder on the worker.
        settings: Paradigm, statistics, venue, language, checkpoints, literature and other rare settings (docs/guide/study.md).
    """
    form = RunForm(
        study_input=study_input,
        model=model,
        endpoint=endpoint,
        who=who,
        participants=participants,
        max_cost_usd=max_cost_usd,
        max_hours=max_hours,
        answers=answers,
        outputs=outputs,
        run_id=run_id,
        data=data,
        settings=settings,
    )
    meant = settings_of_form(form)
    check_run(form.study_input, meant, form.outputs, form.run_id, form.data)

    def opening(root: Path, directory: Path | None, console: Console, begins: Callable[[str], None]) -> Run:
        own = settings_of_form(form, read_record(directory).settings) if directory else meant
        return open_run(form.study_input, own, root, directory, console, begins=begins)

    return take_turn(
        form.outputs, form.run_id, find=find_run, opening=opening, work=work, final_state=final_state
    )


def work(run: Run) -> Outcome:
    """An opened run to its package and report; whoever calls it holds the run's lock and has made it ACTIVE."""
    complete = False
    recall(run)
    try:
        attempt(run, "reading the input", lambda: classify(run))
        attempt(run, "working on the study", lambda: finished(run))
        complete = True
    except (RunStopped, LimitExceeded) as reason:
        run.console.say(f"stopping: {reason}")
        run.update("account", stop_reason=run.state.stop_reason or str(reason))
        with suppress(OSError):
            run.checkpoint("stopped")
    write_costs(run)
    report = attempt(run, "writing the report", lambda: write_report(run))
    return outcome_of(run, complete, report)


def outcome_of(run: Run, complete: bool, report: Path) -> Outcome:
    """The end of a run for its page and its exit code."""
    results = run.read(PhaseType.ANALYZE, "results") if complete else None
    people = (
        next(
            (
                int(item.value)
                for item in results.values
                if item.name == "n_participants" and item.value is not None
            ),
            0,
        )
        if isinstance(results, Results)
        else 0
    )
    return Outcome(
        study_id=run.state.study_id,
        run_id=run.run_id,
        folder=str(run.space.root),
        report=str(report),
        complete=complete,
        package=str(run.space.root / "artifacts") if complete else "",
        mode=run.space.mode.value,
        participants=people,
        results=tuple(f"{item.id}: {plain(item.apa)}" for item in results.tests)
        if isinstance(results, Results)
        else (),
        objections=len(open_issues(run)) if complete else 0,
        rejections=rejections(run) if complete else 0,
        stop_reason=run.state.stop_reason,
        unused_recordings=left_unused(run.model, run.transcript),
        address=address_of(run.run_dir, report.name),
    )
