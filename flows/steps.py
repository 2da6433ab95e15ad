"""The Prefect tasks: one model call, one simulation, one experiment, one question, each paid for once.

Every task has a stable key and a persisted JSON result, so a killed run continues where it was.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import Any

from prefect import task

from agents.models.base import FatalModelError, InvalidAnswer, TransientModelError
from agents.registry import AGENTS, CONCLUSIONS
from flows.context import Run, active
from flows.pausing import ask_in_prefect
from flows.sharing import simulation_place
from flows.simulate import simulate_elsewhere
from schemas.base import Model
from schemas.design import Experiment
from schemas.errors import LimitExceeded
from schemas.execution import Execution, ExperimentResult, SimulationJob
from schemas.interaction import Question, UserAnswer
from schemas.materials import MaterialChoice, MaterialRecord
from schemas.transcript import AgentReply, AgentRequest, Usage
from tasks.experiments import run_experiment
from tasks.ledger import Loss
from tasks.prepare_materials import prepare_material, table_folders
from tasks.sandbox import SandboxLost
from tasks.simulation import materialise, run_simulation

_ANSWERS = {agent.answer.__name__: agent.answer for agent in (*AGENTS.values(), CONCLUSIONS)}


class SiblingFailed(Exception):
    """A simulation was stopped, or not begun, because another of its batch failed and its result is not needed."""


class EitherEvent(threading.Event):
    """Set as soon as one of two events is."""

    def __init__(self, one: threading.Event, other: threading.Event) -> None:
        super().__init__()
        self._both = one, other

    def is_set(self) -> bool:
        """Whether either is set."""
        return any(event.is_set() for event in self._both)


class Answered(Model):
    """A person's answer and when it was given."""

    answer: UserAnswer
    timestamp: str


def _by_key(_context: Any, parameters: dict[str, Any]) -> str:
    return str(parameters["key"])


def keyed_task(name: str, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """A task whose result is kept under its argument `key`."""
    return task(name=name, task_run_name=name + " {label}", cache_key_fn=_by_key, persist_result=True,
                result_serializer="json", **options)


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
    answer = _ANSWERS[request.answer_type]
    if request.model_kind == "manual":
        with run.clock.waiting():
            return run.model.answer(request, answer)
    if request.model_kind == "replay":
        return run.model.answer(request, answer)
    return run.clock.within(lambda: run.model.answer(request, answer))


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
        run.ledger.add(Loss(label=label, model=request.model_name, reason=error.what, usage=Usage(), price_usd="unknown"))
        raise
    except (TransientModelError, FatalModelError, InvalidAnswer) as error:
        run.ledger.add(Loss(label=label, model=request.model_name, reason=error.what, usage=error.usage,
                            price_usd=error.price_usd))
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
    if run.prior is None or request.position.label() not in run.prior.recording.calls:
        return None
    reply = run.prior.answer(request, _ANSWERS[request.answer_type])
    if not run.own_prior:
        return reply
    entry = run.prior.recording.calls[request.position.label()].entry
    return reply.model_copy(update={"usage": entry.usage, "price_usd": entry.price_usd, "duration_s": entry.duration_s})


def _infrastructure(_task: Any, _run: Any, state: Any) -> bool:
    try:
        state.result()
    except (InterruptedError, SandboxLost):
        return True
    except Exception:  # noqa: BLE001  any other failure is final
        return False
    return False


@keyed_task("simulate", retries=1, retry_delay_seconds=1, retry_condition_fn=_infrastructure)
def simulate(key: str, label: str, run_id: str, job: SimulationJob, folder: str, processes: int = 1,
             batch: str = "") -> Execution:
    """One simulation in the sandbox, in a process group of its own; its files are copied into the run.

    batch: the group of simulations it is needed with; SiblingFailed is raised once one of them has failed.
    """
    run = active(run_id)
    stop = run.batch(batch)
    fresh = not (run.store.entry("simulations", key.split("-")[-1]) / "execution.json").exists()
    try:
        with run.simulation_slots:
            if stop.is_set() and fresh:
                raise SiblingFailed(label)
            elsewhere = fresh and simulate_elsewhere(job, run.store, run.settings)
            with nullcontext() if elsewhere or not fresh else simulation_place(run, label):
                execution = run_simulation(
                    job, store=run.store, meep=run.meep, allow_degraded=run.settings.allow_degraded_sandbox,
                    progress=lambda f, r, m: run.console.simulation(label, f, r, m), cancel=EitherEvent(run.cancel, stop),
                    cores=run.cores, processes=processes)
    except InterruptedError:
        if stop.is_set() and not run.cancel.is_set():
            raise SiblingFailed(label) from None  # stopped on purpose: nothing to run again
        raise
    finally:
        run.console.simulation_done(label)
    if fresh:
        run.executed.add(key)
    return materialise(execution, run.store, run.run_dir, folder)


@keyed_task("experiment", retries=1, retry_delay_seconds=1, retry_condition_fn=_infrastructure)
def experiment(key: str, label: str, run_id: str, experiment: Experiment, job: SimulationJob,
               folder: str) -> ExperimentResult:
    """One trial script under small limits."""
    run = active(run_id)
    run.executed.add(key)
    with simulation_place(run, label):
        return run_experiment(experiment, job, store=run.store, run_dir=run.run_dir, folder=folder, meep=run.meep,
                              allow_degraded=run.settings.allow_degraded_sandbox, cancel=run.cancel, cores=run.cores)


@keyed_task("material")
def material(key: str, label: str, run_id: str, choice: MaterialChoice) -> MaterialRecord:
    """One material made ready: table, fit, plot, alternatives."""
    run = active(run_id)
    return prepare_material(choice, store=run.store, run_dir=run.run_dir, meep_python=run.meep.path,
                            folders=table_folders(run.paper_dir, run.run_dir))


@keyed_task("ask_user")
def ask_user(key: str, label: str, run_id: str, question: Question) -> Answered:
    """One question to a person. Pauses the flow run; the answer is kept, so nobody is asked twice."""
    answer = ask_in_prefect(active(run_id), question)
    active(run_id).executed.add(key)
    return Answered(answer=answer, timestamp=datetime.now(UTC).isoformat(timespec="seconds"))
