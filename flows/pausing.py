"""How a question reaches a person: given beforehand, recorded, or by pausing the Prefect flow run."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Literal

from prefect import pause_flow_run
from prefect.context import FlowRunContext, TaskRunContext
from prefect.exceptions import FlowPauseTimeout
from prefect.input import RunInput
from pydantic import Field, create_model

from agents.models.replay import ReplayModel
from flows.answers import answer_command, checked, given_beforehand, parse_answer
from flows.artifacts import data_address
from flows.context import Run
from schemas.errors import AwaitingAnswer, InputError
from schemas.inert import inert_markdown
from schemas.interaction import AGENT_QUESTIONS, Question, UserAnswer


@dataclass
class Pending:
    """A question that waits, and the paused flow run that its answer resumes."""

    question: Question
    flow_run_id: str
    run_dir: Path
    problem: str = ""
    answered_in_terminal: bool = False


PENDING: dict[str, Pending] = {}
# Who answers without a pause where no page can be answered at and no terminal is there: lines from a pipe.
PIPE: list[Callable[[Run, Question], UserAnswer]] = []
_MAX_PICTURES = 6  # on the question's own page; the artifact of the question shows all
PENDING_CHANGED = threading.Condition()


def ask_in_prefect(run: Run, question: Question) -> UserAnswer:
    """Answer a question from what was given beforehand, from the recording, or from a person.

    Raises AwaitingAnswer when nobody can be asked now or nobody answered in time.
    """
    if run.prior is not None and (said := run.prior.question(question.question_id, as_given=True)) is not None:
        return checked(question, said)
    text = given_beforehand(run.settings.answers, question, run.state.user_interactions)
    if text is not None:
        return parse_answer(question, text, "given beforehand")
    if isinstance(run.model, ReplayModel):
        recorded = run.model.question(question.question_id)
        if recorded is not None:
            return checked(question, recorded)
    if run.settings.non_interactive:
        raise awaiting(run, question, "nobody can be asked (non-interactive)")
    with run.clock.waiting():
        return PIPE[0](run, question) if PIPE else _pause(run, question)


def awaiting(run: Run, question: Question, why: str) -> AwaitingAnswer:
    """The error that ends a run which has to wait for its answer, with the command that goes on."""
    return AwaitingAnswer(
        f"a person has to answer: {question.title}", found=f"{why}; kind {question.kind}",
        allowed=", ".join(f"{choice.name} ({choice.effect})" for choice in question.choices),
        fix=answer_command(run.run_id, question))


def _pause(run: Run, question: Question) -> UserAnswer:
    context = FlowRunContext.get()
    flow_run = context.flow_run if context else None
    task_context = TaskRunContext.get()
    flow_run_id = str(flow_run.id if flow_run else task_context.task_run.flow_run_id)  # type: ignore[union-attr]
    problem = ""
    for attempt in range(1, 21):
        form = _form(question)
        pending = Pending(question, flow_run_id, run.run_dir, problem)
        with PENDING_CHANGED:
            PENDING[question.question_id] = pending
            PENDING_CHANGED.notify_all()
        try:
            given: Any = pause_flow_run(
                wait_for_input=form.with_initial_data(description=_markdown(run, question, problem)),
                timeout=int(run.settings.limits.user_timeout_s), poll_interval=1,
                key=re.sub(r"[^a-z0-9-]+", "-", f"{question.question_id}-{attempt}".lower()))
        except FlowPauseTimeout as error:
            raise AwaitingAnswer(
                f"nobody answered in {run.settings.limits.user_timeout_s:.0f} s: {question.title}",
                fix=f"reprolab resume {run.run_id}") from error
        finally:
            with PENDING_CHANGED:
                PENDING.pop(question.question_id, None)
                PENDING_CHANGED.notify_all()
        source: Any = "terminal" if pending.answered_in_terminal else "web"
        try:
            return checked(question, UserAnswer(choice=given.choice, text=given.text, answered_by=source))
        except InputError as error:
            problem = error.text()
    raise AwaitingAnswer(f"no usable answer in 20 tries: {question.title}", fix=f"reprolab resume {run.run_id}")


def _form(question: Question) -> type[RunInput]:
    names = tuple(choice.name for choice in question.choices)
    # No default for the choice: an empty form must not approve anything.
    choice = Field(title="Your answer", description="Required; each answer is explained above.")
    text = Field("", title="In your words", description="What the answer needs, such as material=shelf/book/page, or "
                                                        "guidance; may stay empty.")
    return create_model("Answer", __base__=RunInput, choice=(Literal[names], choice), text=(str, text))  # type: ignore[valid-type]


def page_text(question: Question) -> str:
    """Title, kind and body as Markdown; an agent's own words cannot hold HTML."""
    kind = question.kind.replace("_", " ")
    text = f"# {question.title}\n\n*{kind}, asked by {question.asked_by}*\n\n{question.body}"
    return escape(text, quote=False) if question.kind in AGENT_QUESTIONS else text


def _markdown(run: Run, question: Question, problem: str) -> str:
    """The page of the question: what went wrong with the last answer, the body, its pictures, the choices."""
    pictures = "".join(f"![{Path(ref.path).stem}]({data_address(run.run_dir / ref.path)})\n\n"
                       for ref in question.pictures[:_MAX_PICTURES])
    choices = "\n".join(f"- **{choice.name}**: {escape(choice.effect, quote=False)}" for choice in question.choices)
    warning = f"**The last answer did not fit:**\n\n```\n{problem}\n```\n\n" if problem else ""
    return f"{inert_markdown(warning + page_text(question))}\n\n{pictures}## Answers\n\n{choices}\n"
