"""Simulations of all runs of a server share one limit: Prefect's global concurrency limit `reprolab-simulations`."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from uuid import UUID

import httpx
from prefect.client.orchestration import SyncPrefectClient, get_client

from flows.run.context import Run
from flows.serving.runtime import SIMULATIONS, under_worker
from schemas.run.pasted import typed

LEASE_S = 90.0  # a place whose holder was killed is free again after that; a living one renews it
_ASK_AGAIN_S = 1.0
_TAKEN = 423
_TOLD: set[str] = set()


@contextmanager
def simulation_place(run: Run | None, label: str = "a simulation") -> Iterator[None]:
    """One of the places that simulations of all runs share; waits for it. Raises InterruptedError when the run is stopped.

    Under a worker only: a terminal's run has the computer's cores as its limit. Where the server has no such limit, the run
    says so once. A place that cannot be renewed (the server is away) does not stop the simulation.
    """
    if not under_worker():
        yield
        return
    with get_client(sync_client=True) as client:
        lease = _taken(client, run, label)
        if lease is None:
            yield
            return
        over = threading.Event()
        renewing = threading.Thread(target=_renew, args=(lease, over), name="simulation place", daemon=True)
        renewing.start()
        try:
            yield
        finally:
            over.set()
            with suppress(httpx.HTTPError):  # it ends by itself
                client.release_concurrency_slots_with_lease(lease)


def _taken(client: SyncPrefectClient, run: Run | None, label: str) -> UUID | None:
    waited = False
    while True:
        try:
            found = client.increment_concurrency_slots_with_lease(
                names=[SIMULATIONS], slots=1, mode="concurrency", lease_duration=LEASE_S
            ).json()
        except httpx.HTTPStatusError as error:
            if error.response.status_code != _TAKEN:
                raise
        else:
            if found["limits"]:
                return UUID(found["lease_id"])
            _say_once(
                run,
                f"this server has no concurrency limit {SIMULATIONS}: simulations of its runs are not limited "
                f"together (`{typed('up')}` makes it; docs/guide/deployment.md)",
            )
            return None
        if run is not None and not waited:
            run.console.say(f"{label} waits: other simulations have all places of {SIMULATIONS}")
        waited = True
        if run is None:
            threading.Event().wait(_ASK_AGAIN_S)
        elif run.cancel.wait(_ASK_AGAIN_S):
            raise InterruptedError(f"stopped while {label} waited for its place")


def _renew(lease: UUID, over: threading.Event) -> None:
    with get_client(sync_client=True) as client:
        while not over.wait(LEASE_S / 3):
            with suppress(httpx.HTTPError):
                client.renew_concurrency_lease(lease, LEASE_S)


def _say_once(run: Run | None, text: str) -> None:
    if run is not None and run.run_id not in _TOLD:
        _TOLD.add(run.run_id)
        run.console.say(text)
