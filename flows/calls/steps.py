"""The Prefect tasks of every workflow: one model call, one question, each paid for once.

Every task has a stable key and a persisted JSON result, so a killed run continues where it was.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from prefect import task

from agents.models.base import FatalModelError, InvalidAnswer, TransientModelError
from flows.calls.unreadable import refused
from flows.questions.pausing import ask_in_prefect
from flows.run.context import Run, active
from schemas.base import Model
from schemas.errors import LimitExceeded
from schemas.talking.interaction import Question, UserAnswer
from schemas.talking.transcript import AgentReply, AgentRequest, Usage
from schemas.talking.turns import TurnAnswer
from tasks.files.ledger import Loss


class Answered(Model):
    """A person's answer and when it was given."""

    answer: UserAnswer
    timestamp: str


def _by_key(_context: Any, parameters: dict[str, Any]) -> str:
    return str(parameters["key"])


def keyed_task(name: str, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """A task whose result is kept under its argument `key`."""
    return task(
        name=name,
        task_run_name=name + " {label}",
        cache_key_fn=_by_key,
        persist_result=True,
        result_serializer="json",
        **options,
    )


def _worth_retrying(_task: Any, _run: Any, state: Any) -> bool:
    try:
        state.result()
    except TransientModelError:
        return True
    except Exception:  # noqa: BLE001  any other failure is final
        return False
    return False


def _answer(run: Run, request: AgentRequest) -> AgentReply:
    """The model's answer. A live model is not waited for beyond the run's time; a person with a chat window is."""
    answer = answer_type(run, request)
    if request.model_kind == "manual":
        with run.clock.waiting():
            return run.model.answer(request, answer)
    if request.model_kind == "replay":
        return run.model.answer(request, answer)
    return run.clock.within(lambda: run.model.answer(request, answer))


def answer_type(run: Run, request: AgentRequest) -> type[Model]:
    """The model of the answer: a turn of a conversation, or what the agent answers."""
    return TurnAnswer if request.tools else run.answers[request.answer_type]


@keyed_task("agent", retry_condition_fn=_worth_retrying)
def call_model(key: str, label: str, run_id: str, request: AgentRequest) -> AgentReply:
    """One model request. Retries for transient faults are Prefect's; the SDK's are off."""
    run = active(run_id)
    before = _recorded_before(run, request)
    if before is not None:
        return before
    run.clock.check()
    try:
        reply = _answer(run, request)
    except LimitExceeded as error:
        run.ledger.add(
            Loss(label=label, model=request.model_name, reason=error.what, usage=Usage(), price_usd="unknown")
        )
        raise
    except (TransientModelError, FatalModelError, InvalidAnswer) as error:
        run.ledger.add(
            Loss(
                label=label,
                model=request.model_name,
                reason=error.what,
                usage=error.usage,
                price_usd=error.price_usd,
            )
        )
        run.unfinished.ended(label)
        if isinstance(error, TransientModelError):
            run.console.say(f"{error.what}; trying again", stage=label)
            if error.retry_after_s:
                run.cancel.wait(min(error.retry_after_s, 120))
        raise
    run.executed.add(key)
    return reply


def _recorded_before(run: Run, request: AgentRequest) -> AgentReply | None:
    """The answer in the record that a fork or a rewind took over; its price counts where this run paid it."""
    if (
        run.prior is None
        or request.position.label() not in run.prior.recording.calls
        or refused(run, request)
    ):
        return None
    reply = run.prior.answer(request, answer_type(run, request))
    if not run.own_prior:
        return reply
    entry = run.prior.recording.calls[request.position.label()].entry
    return reply.model_copy(
        update={"usage": entry.usage, "price_usd": entry.price_usd, "duration_s": entry.duration_s}
    )


@keyed_task("ask_user")
def ask_user(key: str, label: str, run_id: str, question: Question) -> Answered:
    """One question to a person. Pauses the flow run; the answer is kept, so nobody is asked twice."""
    answer = ask_in_prefect(active(run_id), question)
    active(run_id).executed.add(key)
    return Answered(answer=answer, timestamp=datetime.now(UTC).isoformat(timespec="seconds"))
