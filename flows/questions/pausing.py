"""How a question reaches a person: given beforehand, recorded, or by pausing the Prefect flow run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from html import escape
from pathlib import Path
from typing import Any, NoReturn
from uuid import UUID

from httpx import HTTPError
from prefect import pause_flow_run, suspend_flow_run
from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import State
from prefect.context import FlowRunContext, TaskRunContext
from prefect.exceptions import FlowPauseTimeout, ObjectNotFound
from prefect.runtime import flow_run
from prefect.states import Cancelled, Running

from agents.models.replay import ReplayModel
from flows.pages.artifacts import data_address
from flows.pages.tables import FORM_PX, fitted
from flows.questions.answers import answer_command, checked, given_beforehand, parse_answer
from flows.questions.forms import clear_pages, form_of, given_meanwhile, pause_key, remember_form
from flows.questions.pending import Pending, announced
from flows.run.context import Run
from flows.run.endings import WorkerFreed
from flows.serving.people import PERSON, name_of
from schemas.errors import AwaitingAnswer, InputError
from schemas.run.pasted import on_run
from schemas.talking.interaction import AGENT_QUESTIONS, Question, UserAnswer
from schemas.text.inert import inert_markdown

# Who answers without a pause where no page can be answered at and no terminal is there: lines from a pipe.
PIPE: list[Callable[[Run, Question], UserAnswer]] = []
DETAILS = "## Details"  # what a question says behind this heading its form only links to
_MOST_TEXT = 2500  # characters of a form's page
_MOST_TRIES = 20  # answers that do not fit
_LATER_S = 3600


def ask_in_prefect(run: Run, question: Question) -> UserAnswer:
    """Answer a question from what was given beforehand, from the recording, or from a person.

    Raises AwaitingAnswer when nobody can be asked now or nobody answered in time.
    """
    if (
        run.prior is not None
        and (said := run.prior.question(question.question_id, as_given=True)) is not None
    ):
        return checked(question, said)
    text = given_beforehand(run.settings.answers, question, run.state.user_interactions)
    if text is not None:
        return parse_answer(question, text, "given beforehand")
    if (recorded := recorded_answer(run, question)) is not None:
        return checked(question, recorded)
    if run.settings.non_interactive:
        raise awaiting(run, question, "nobody can be asked (non-interactive)")
    with run.clock.waiting():
        return PIPE[0](run, question) if PIPE else _pause(run, question)


def recorded_answer(run: Run, question: Question) -> UserAnswer | None:
    """What a person said when the replayed run was recorded; None if nobody did, or a person is to be asked again."""
    if not isinstance(run.model, ReplayModel) or {question.kind, question.question_id} & {
        *run.settings.ask_again
    }:
        return None
    return run.model.reply_to(question)


def awaiting(run: Run, question: Question, why: str) -> AwaitingAnswer:
    """The error that ends a run which has to wait for its answer, with the command that goes on."""
    return AwaitingAnswer(
        f"a person has to answer: {question.title}",
        found=f"{why}; kind {question.kind}",
        allowed=", ".join(f"{choice.name} ({choice.effect})" for choice in question.choices),
        fix=answer_command(run.run_dir, question),
    )


def _pause(run: Run, question: Question) -> UserAnswer:
    context = FlowRunContext.get()
    flow_run = context.flow_run if context else None
    task_context = TaskRunContext.get()
    flow_run_id = str(flow_run.id if flow_run else task_context.task_run.flow_run_id)  # type: ignore[union-attr]
    problem, form = "", form_of(question)
    earlier = given_meanwhile(run.run_dir, question)
    for _ in range(_MOST_TRIES):
        pending = Pending(question, flow_run_id, run.run_dir, problem)
        key = pause_key(question)
        try:
            if earlier is None:
                remember_form(run.run_dir, question, flow_run_id, "paused", key)
                with announced(pending), _held_for(run, question, flow_run_id, problem):
                    run.show()  # with a link to the question
                    given: Any = pause_flow_run(
                        wait_for_input=form.with_initial_data(
                            description=question_page(run, question, problem)
                        ),
                        timeout=_prefects(run),
                        poll_interval=1,
                        key=key,
                    )
                    pending.taken = {"choice": given.choice, "text": given.text}
                    pending.person = name_of((given.model_extra or {}).get(PERSON))
            else:
                pending.person = earlier.pop(PERSON)
                pending.taken, earlier = earlier, None
            run.show()
            answer = checked(
                question,
                UserAnswer(
                    choice=pending.taken["choice"],
                    text=pending.taken["text"],
                    answered_by=pending.answered_by,
                    person=pending.person,
                ),
            )
            clear_pages(run.run_dir, question)
            return answer
        except InputError as error:
            problem = error.text()
    raise AwaitingAnswer(
        f"no usable answer in {_MOST_TRIES} tries: {question.title}", fix=on_run(run.run_dir, "resume")
    )


@contextmanager
def _held_for(run: Run, question: Question, flow_run_id: str, problem: str) -> Iterator[None]:
    """End the pause ourselves: under a worker after a while with WorkerFreed, else when nobody answered in time with
    AwaitingAnswer; an answer that came in time is taken all the same.

    A pause that times out in Prefect can never be resumed and fails the run, so the state is set back to Running before that.
    """
    over, limits = threading.Event(), run.settings.limits
    frees = run.suspends and 60 * limits.hold_worker_minutes < limits.user_timeout_s

    def end_the_pause() -> None:
        over.set()
        with get_client(sync_client=True) as client:
            client.set_flow_run_state(
                UUID(flow_run_id), Running(message="the question moves to the flow run's own page")
            )

    timer = threading.Timer(
        60 * limits.hold_worker_minutes if frees else limits.user_timeout_s, end_the_pause
    )
    timer.daemon = True
    timer.start()
    try:
        yield
    except Exception as error:
        if not (over.is_set() or isinstance(error, FlowPauseTimeout)):
            raise
        if frees:
            asking = TaskRunContext.get()
            raise WorkerFreed(
                question, problem, asking.task_run.id if asking else None, UUID(flow_run_id)
            ) from error
        raise AwaitingAnswer(
            f"nobody answered in {limits.user_timeout_s:.0f} s: {question.title}",
            found=f"kind {question.kind}",
            fix=answer_command(run.run_dir, question),
        ) from error
    finally:
        timer.cancel()


def _prefects(run: Run) -> int:
    """After how many seconds Prefect would end a pause: well after we do."""
    return int(run.settings.limits.user_timeout_s) + _LATER_S


def suspend_until_answered(run: Run, waiting: WorkerFreed) -> NoReturn:
    """End this process and leave the form on the flow run's own page; the answer starts the flow run again.

    To be called by the flow that a deployment runs, outside its tasks and subflows, with the run's folder let go.
    """
    question, key = waiting.question, pause_key(waiting.question)
    remember_form(run.run_dir, question, str(flow_run.id), "suspended", key)
    run.console.say(f"waits for a person, the worker's place is free meanwhile: {question.title}")
    run.show(suspended=question)
    no_failure(waiting, UUID(str(flow_run.id)))
    suspend_flow_run(
        key=key,
        wait_for_input=form_of(question).with_initial_data(
            description=question_page(run, question, waiting.problem)
        ),
    )
    raise waiting  # answered in this very moment: started again, the run finds the answer


def no_failure(waiting: WorkerFreed, top: UUID) -> None:
    """The task that asked, and the flow runs around it below `top` (a stage's), have ended with an exception, which Prefect would
    draw as failures: they are told as suspended. After the answer each is a run of its own.
    """
    suspended: State[Any] = Cancelled(name="Suspended", message="asked on the flow run's own page")
    # HTTPError, ObjectNotFound: it is only how it is drawn
    with suppress(HTTPError, ObjectNotFound), get_client(sync_client=True) as client:
        if waiting.task_run is not None:
            client.set_task_run_state(waiting.task_run, suspended, force=True)
        around = waiting.flow_run
        while around is not None and around != top:
            parent = client.read_flow_run(around).parent_task_run_id
            client.set_flow_run_state(around, suspended, force=True)
            if parent is None:
                return
            client.set_task_run_state(parent, suspended, force=True)
            around = client.read_task_run(parent).flow_run_id


def page_text(question: Question) -> str:
    """Title, kind and body as Markdown; an agent's own words cannot hold HTML."""
    kind = question.kind.replace("_", " ")
    text = f"# {question.title}\n\n*{kind}, asked by {question.asked_by}*\n\n{question.body}"
    return escape(text, quote=False) if question.kind in AGENT_QUESTIONS else text


def question_page(run: Run, question: Question, problem: str) -> str:
    """The page of the question's form: what went wrong with the last answer, what is asked, the answers, then the facts in short.

    Prefect shows it before the fields of the form, and in a narrow column: details and pictures are behind a link; but a figure that
    was read is approved by its overlay.
    """
    overlays = "".join(
        f"\n\n![{Path(ref.path).stem}]({data_address(run.run_dir / ref.path)})"
        for ref in question.pictures
        if question.kind == "figures_checkpoint"
    )
    choices = "\n".join(
        f"- **{choice.name}**: {escape(choice.effect, quote=False)}" for choice in question.choices
    )
    title, _, body = page_text(question).partition("\n\n")
    warning = f"**The last answer did not fit:**\n\n```\n{problem}\n```\n\n" if problem else ""
    short = _shortened(body)
    words = inert_markdown(fitted(f"{warning}{title}\n\n{choices}\n\n{short}", FORM_PX))
    whole = f"question-{question.question_id}"
    more = "plots and all details" if question.pictures else "all details"
    link = run.artifacts.get(whole)
    told = (
        f"[{more[0].upper()}{more[1:]}](/artifacts/artifact/{link})"
        if link
        else f"{more}: the run's tab Artifacts"
    )
    folded = bool(question.pictures) or short != body
    return words + overlays + (f"\n\n{told}\n" if folded else "\n") + f"\nThe run's folder: `{run.run_dir}`\n"


def _shortened(body: str) -> str:
    """What stands before the details; of a very long text whole paragraphs, as many as a person reads in a form."""
    kept: list[str] = []
    length = 0
    for part in body.partition(f"\n\n{DETAILS}")[0].split("\n\n"):
        length += len(part)
        if kept and length > _MOST_TEXT:
            break
        kept.append(part)
    text = "\n\n".join(kept)
    return text + ("\n```" if text.count("```") % 2 else "")
