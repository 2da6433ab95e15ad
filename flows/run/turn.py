"""A flow run's turn at a run: found or made, locked, at work, named on its page, left while it waits for a person."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar
from uuid import UUID

from prefect import get_run_logger
from prefect.client.schemas.objects import State
from prefect.runtime import deployment, flow_run
from prefect.settings import PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings
from prefect.states import Failed

from flows.pages.log import logging_console
from flows.pages.names import named_and_tagged
from flows.questions.pausing import suspend_until_answered
from flows.run.cancelled import ends_when_cancelled
from flows.run.context import ACTIVE, Run
from flows.run.endings import WorkerFreed
from flows.run.records import check_kept, run_lock
from flows.run.resources import outputs_root
from flows.run.retrying import remember_run, run_of_flow_run, turn_of_flow_run
from flows.run.taken_over import word_only_if_ours
from flows.terminal.console import Console
from flows.terminal.lasting import outlive_listener
from flows.up.results_page import address_of
from schemas.errors import AwaitingAnswer

_TURN_S = 3600.0
_CONSOLE: dict[str, Console] = {}


class Ended(Protocol):
    """What a run comes to."""

    @property
    def line(self) -> str:
        """The end in one line."""


R = TypeVar("R", bound=Run)
E = TypeVar("E", bound=Ended)
Opening = Callable[[Path, Path | None, Console, Callable[[str], None]], R]


def use_console(console: Console) -> None:
    """The console of runs started from a terminal; runs by a worker write into their log."""
    _CONSOLE["console"] = console


def console_of_process() -> Console:
    """The terminal's console; under a worker one that writes into the flow run's log."""
    return _CONSOLE.get("console") or logging_console()


def name_of_flow_run(subject: str) -> str:
    """A flow run's first name: what it is of, by the parameter of that name, and its run where it has one.

    Prefect gives this name again to each process of a flow run, also to one that is started beside the one at work.
    """
    begun = ""
    with suppress(
        Exception
    ):  # the name is a convenience; what is wrong with the outputs is told by `take_turn`
        begun = run_of_flow_run(outputs_root(flow_run.parameters.get("outputs") or ""), flow_run.id)
    run_id = flow_run.parameters.get("run_id")
    if run_id and not begun:
        return f"continue {run_id}"
    return f"{Path(str(flow_run.parameters.get(subject))).stem} {begun}".rstrip()


def take_turn(
    outputs: str,
    run_id: str,
    *,
    find: Callable[[Path, str], Path],
    opening: Opening[R],
    work: Callable[[R], E],
    final_state: Callable[[E], State[E]],
) -> State[E]:
    """Work on a new run, on that of `run_id`, or on the one that this flow run had before it was retried.

    find: the folder of a run by its id. opening: from the outputs' root, the folder of a run that is continued (held by its
    lock), the console, and who is to be told a run's id before there is a record of it, a run with everything checked. work: to
    the run's end. Raises InputError and what `opening` raises;
    under a worker, a question that nobody answered is an end named Waiting.
    """
    outlive_listener()
    root = outputs_root(outputs)
    with temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}), ExitStack() as outside:
        if deployment.id:
            outside.enter_context(word_only_if_ours(UUID(str(flow_run.id)), get_run_logger().warning))
        with ExitStack() as held:
            if deployment.id:
                held.enter_context(turn_of_flow_run(root, str(flow_run.id), get_run_logger().info))
            again = run_of_flow_run(root, flow_run.id)
            run_id = again or run_id
            directory = find(root, run_id) if run_id else None
            if directory:
                # A run begun here may still be worked on by a resume in a terminal: then it waits its turn.
                held.enter_context(run_lock(directory, _TURN_S if again else 0))  # before run.json is written
                check_kept(directory)
            run = opening(root, directory, console_of_process(), partial(remember_run, root, flow_run.id))
            if not directory:
                held.enter_context(run_lock(run.run_dir))
            ACTIVE[run.run_id] = run
            held.enter_context(run.clock.watched(run.cancel))
            if deployment.id:
                run.suspends, run.flow_run_id = True, str(flow_run.id)
                held.enter_context(named_and_tagged(*run.subject, run.run_id))
                run.show()
            held.enter_context(run.at_work())
            held.enter_context(ends_when_cancelled(run))
            try:
                get_run_logger().info("run %s in %s", run.run_id, run.run_dir)
                if address := address_of(run.run_dir):
                    get_run_logger().info("its results in a browser: %s", address)
                outcome = work(run)
                get_run_logger().info("%s", outcome.line)
                run.show(outcome=outcome)
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


def waiting_state(run_id: str, reason: AwaitingAnswer) -> State[Any]:
    """The end of a flow run whose question nobody answered, with the way to go on from the browser."""
    return Failed(
        name="Waiting",
        message=(
            f"{reason.what}. Nothing is lost: press Retry to be asked again; or start the deployment anew with {run_id} under "
            "'Continue a run' and the answer under 'Answers given beforehand'."
        ),
    )
