"""Names and tags by which the flow runs of a run are found."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from uuid import UUID

from prefect import tags
from prefect.client.orchestration import get_client
from prefect.runtime import flow_run


@contextmanager
def named_and_tagged(kind: str, subject: str, run_id: str) -> Iterator[None]:
    """The flow run is named after its subject and run, and tagged with both, as is everything that it starts.

    kind: of the subject, as `paper`. Written again at the end: a server may have been too busy, and a second process of the
    same flow run gives it its first name.
    """
    found = (f"{kind}:{subject}", f"run:{run_id}")
    name = f"{subject} {run_id}"
    _named(name, found)
    try:
        with tags(*found):
            yield
    finally:
        _named(name, found)


def _named(name: str, found: tuple[str, ...]) -> None:
    with (
        suppress(Exception),
        get_client(sync_client=True) as client,
    ):  # the page is a convenience, the run is not
        client.update_flow_run(UUID(str(flow_run.id)), name=name, tags=sorted({*flow_run.tags, *found}))
