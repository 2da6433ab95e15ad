"""Asking a person, logging what was said, and the checkpoint before it."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext, suppress

from agents.models.errors import NotRecorded
from agents.models.replay import ReplayModel
from flows.calls.steps import Answered, ask_user
from flows.pages.artifacts import publish_markdown
from flows.questions.answers import answer_command, given_beforehand, parse_answer
from flows.questions.open_questions import leave_open, noted_as_open, was_answered
from flows.questions.pausing import page_text, recorded_answer
from flows.run.context import Run
from schemas.errors import AwaitingAnswer, InputError
from schemas.talking.interaction import Question, UserAnswer, UserInteraction, next_id
from schemas.talking.transcript import Position, TranscriptEntry


def _bearing(question: Question) -> AbstractContextManager[None]:
    """Where files fail and a person is asked about just that, the question must not fail with them."""
    return suppress(OSError) if question.kind == "infrastructure" else nullcontext()


def ask(run: Run, question: Question) -> UserAnswer:
    """The person's answer; asked once, kept for ever. Saves a checkpoint first.

    Raises AwaitingAnswer when nobody can be asked now; the run can be resumed.
    """
    run.update("ask_user", pending_user_questions=(question.title,))
    with _bearing(question):
        run.checkpoint("before_ask_user")
        publish_markdown(
            run, f"question-{question.question_id}", page_text(question), question.title, question.pictures
        )
    key = f"question-{run.line}-{question.question_id}"
    try:
        with noted_as_open(run.run_dir, question):
            answered: Answered = ask_user(
                key=key, label=question.question_id, run_id=run.handle, question=question
            )
    except NotRecorded as error:  # of a regression only: nobody will answer, and the run may go on
        run.update("ask_user", pending_user_questions=())
        raise run.not_recorded(question.stage_id or "-", error) from error
    except AwaitingAnswer:
        run.console.say(
            f"waiting for a person [{question.kind}]: {question.title}", stage=question.stage_id or ""
        )
        raise
    reused = key not in run.executed
    run.tally.questions += not reused
    run.tally.questions_reused += reused
    if isinstance(run.model, ReplayModel):
        run.model.mark_used(question.question_id, "question")
    answer = answered.answer
    run.console.say(
        f"[{question.kind}] {question.title}: {answer.choice}"
        + (f" ({answer.text})" if answer.text else "")
        + f" [{answer.who}]",
        stage=question.stage_id or "",
    )
    chosen = next(choice for choice in question.choices if choice.name == answer.choice)
    name = next_id(run.state.user_interactions, question.kind)
    changes, kept = run.noted(question, answer, name)
    run.update(
        "ask_user",
        **changes,
        pending_user_questions=(),
        user_interactions=(
            *run.state.user_interactions,
            UserInteraction(
                id=name,
                timestamp=answered.timestamp,
                interaction_type=question.kind,
                stage_id=question.stage_id,
                agent=question.asked_by,
                reason=question.reason or question.title,
                question=question.body,
                user_response=answer.choice + (f": {answer.text}" if answer.text else ""),
                answered_by=answer.who,
                addressed_to=chosen.words_to,
                impact="; ".join((chosen.effect, *kept)),
                alternatives_considered=tuple(
                    choice.name for choice in question.choices if choice.name != answer.choice
                ),
            ),
        ),
    )
    with _bearing(question):
        run.transcript.add(
            TranscriptEntry(
                kind="question",
                position=Position(
                    agent="supervisor",
                    stage_id=question.stage_id or "-",
                    round=len(run.state.user_interactions),
                ),
                request={"question_id": question.question_id, "kind": question.kind, "title": question.title},
                answer=answer.model_dump(mode="json"),
            )
        )
    return answer


def ask_if_possible(run: Run, question: Question) -> UserAnswer | None:
    """The person's answer where one was given or somebody can be asked now; else None, and the question stays open.

    For questions that need not be answered for the run to end well. A replay asks nobody, unless it was told to.
    """
    if _answerable(run, question):
        return ask(run, question)
    leave_open(run.run_dir, question)
    run.console.say(
        f"left open [{question.kind}]: {question.title} {answer_command(run.run_dir, question)}",
        stage=question.stage_id or "",
    )
    return None


def _answerable(run: Run, question: Question) -> bool:
    if was_answered(run.run_dir, question):
        return True
    if run.prior is not None and run.prior.question(question.question_id, as_given=True) is not None:
        return True
    given = given_beforehand(run.settings.answers, question, run.state.user_interactions)
    if given is not None:
        try:
            parse_answer(question, given, "given beforehand")
        except InputError as error:
            run.console.say(f"the answer given beforehand does not fit: {error.text()}")
            return False
        return True
    asked_again = {question.kind, question.question_id} & {*run.settings.ask_again}
    if isinstance(run.model, ReplayModel) and not asked_again:
        with suppress(NotRecorded):
            return recorded_answer(run, question) is not None
        return False
    return not run.settings.non_interactive
