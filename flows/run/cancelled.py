"""A run looks at its own state: cancelled while no worker could tell it (after a server's restart, say), it stops itself."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from uuid import UUID

from prefect.client.orchestration import get_client
from prefect.runtime import flow_run
from prefect.states import Cancelled

from flows.run.cancelled_note import note_cancelled
from flows.run.context import Run

_EVERY_S, _GRACE_S = 10.0, 5.0
_GONE = {"CANCELLING", "CANCELLED"}
_TIMES = 2  # a worker that can cancel does so itself before


@contextmanager
def ends_when_cancelled(run: Run, every_s: float = _EVERY_S) -> Iterator[None]:
    """Under a worker, ask for the flow run's state now and then; the process of one that is cancelled ends.

    Simulations are stopped first. It ends hard, as by SIGKILL, which loses nothing: the engine would report a crash.
    """
    if not run.suspends:
        yield
        return
    over, number = threading.Event(), UUID(str(flow_run.id))

    def watch() -> None:
        times = 0
        with get_client(sync_client=True) as client:
            while times < _TIMES:
                if over.wait(every_s):
                    return
                with suppress(Exception):  # the server is away: asked again
                    state = client.read_flow_run(number).state
                    times = times + 1 if state is not None and state.type.value in _GONE else 0
            run.console.say("cancelled on Prefect's page: stopping; what is finished is kept")
            run.cancel.set()
            note_cancelled(run.run_dir, datetime.now(UTC))
            if not over.wait(_GRACE_S):
                with suppress(Exception):
                    client.set_flow_run_state(
                        number, Cancelled(message="stopped by itself; Retry continues it"), force=True
                    )
                os._exit(143)

    threading.Thread(target=watch, name="own state", daemon=True).start()
    try:
        yield
    finally:
        over.set()
