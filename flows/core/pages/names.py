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

    kind: of the subject, as `paper`. A server too busy to write it down at the beginning is asked again at the end.
    """
    found = (f"{kind}:{subject}", f"run:{run_id}")
    name = f"{subject} {run_id}"
    named = _named(name, found)
    try:
        with tags(*found):
            yield
    finally:
        named or _named(name, found)


def _named(name: str, found: tuple[str, ...]) -> bool:
    with suppress(Exception), get_client(sync_client=True) as client:  # the page is a convenience, the run is not
        client.update_flow_run(UUID(str(flow_run.id)), name=name, tags=sorted({*flow_run.tags, *found}))
        return True
    return False
