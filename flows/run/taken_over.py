"""A process that was cut off from the server and failed of it: meanwhile its flow run was given up, or another process took it up."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from uuid import UUID

from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import State, StateType

_ASK_S, _PATIENCE_S = 5.0, 3600.0
# Into these a flow run comes from outside of its process, never by pausing and going on in it.
_GIVEN_UP = {StateType.CRASHED, StateType.SCHEDULED, StateType.PENDING}
Ask = Callable[[], Sequence[State]]


@contextmanager
def word_only_if_ours(number: UUID, say: Callable[[str], None]) -> Iterator[None]:
    """Where what is inside fails, and the flow run is no longer this process's, end without a word to the server.

    What it would report is the failure of a run that goes on elsewhere, or that a person may retry already. Its worker says nothing
    of a process that ends with 0.
    """

    def asked() -> Sequence[State]:
        with get_client(sync_client=True) as client:
            return client.read_flow_run_states(number)

    before = times_given_up(asked())
    try:
        yield
    except Exception as error:  # noqa: BLE001  whatever it is
        if not given_up_since(before, asked):
            raise
        say(
            f"this process was cut off ({error}); the run was given up meanwhile, and is no longer this process's"
        )
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def times_given_up(states: Sequence[State]) -> int:
    """How often a flow run crashed or was scheduled to begin, by all the states that it had."""
    return sum(state.type in _GIVEN_UP for state in states)


def given_up_since(before: int, ask: Ask, patience_s: float = _PATIENCE_S, every_s: float = _ASK_S) -> bool:
    """Whether that happened more often than before, as the server says. Asked until it answers, or patience ends."""
    end = time.monotonic() + patience_s
    while True:
        with suppress(Exception):  # the server is away
            return times_given_up(ask()) > before
        if time.monotonic() > end:
            return False
        time.sleep(every_s)
