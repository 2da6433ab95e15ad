"""A run looks at its own state: cancelled while no worker could tell it (after a server's restart, say), it stops itself."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from prefect.client.orchestration import get_client
from prefect.runtime import flow_run

from flows.context import Run

_EVERY_S = 10.0
_GONE = {"CANCELLING", "CANCELLED"}


class OwnState:
    """What was seen. cancelled: the flow run was found cancelled, and this process is being ended for it."""

    cancelled = False


@contextmanager
def ends_when_cancelled(run: Run, every_s: float = _EVERY_S) -> Iterator[OwnState]:
    """Under a worker, ask for the flow run's state now and then; one that is cancelled ends as by SIGTERM.

    It has to be seen twice: a worker that can cancel does so itself before.
    """
    seen = OwnState()
    if not run.suspends:
        yield seen
        return
    over, number = threading.Event(), UUID(str(flow_run.id))

    def watch() -> None:
        times = 0
        with get_client(sync_client=True) as client:
            while not over.wait(every_s):
                try:
                    state = client.read_flow_run(number).state
                except Exception:  # noqa: BLE001  the server is away: asked again
                    continue
                times = times + 1 if state is not None and state.type.value in _GONE else 0
                if times == 2:
                    seen.cancelled = True
                    run.console.say("cancelled on Prefect's page: stopping; what is finished is kept")
                    run.cancel.set()
                    os.kill(os.getpid(), signal.SIGTERM)
                    return

    threading.Thread(target=watch, name="own state", daemon=True).start()
    try:
        yield seen
    finally:
        over.set()
