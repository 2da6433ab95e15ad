"""What a run by a worker shows on its page, and the names and tags by which runs are found."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from uuid import UUID

from prefect import tags
from prefect.client.orchestration import get_client
from prefect.runtime import flow_run

from flows.context import ACTIVE, Run
from flows.pages.overview import show_overview
from flows.pages.progress import shown_progress


@contextmanager
def shown_on_page(run: Run) -> Iterator[None]:
    """While a worker works on a run: its page has an overview, the progress of simulations, a name and tags to be found by."""
    run.flow_run_id = str(flow_run.id)
    show_overview(run)
    with named_and_tagged(run), shown_progress(run):
        yield


@contextmanager
def named_and_tagged(run: Run) -> Iterator[None]:
    """The flow run is named after paper and run, and tagged with both, as is everything that it starts."""
    paper, name = f"paper:{run.paper.paper_id}", f"run:{run.run_id}"
    with suppress(Exception), get_client(sync_client=True) as client:  # the page is a convenience, the run is not
        client.update_flow_run(UUID(str(flow_run.id)), name=f"{run.paper.paper_id} {run.run_id}",
                               tags=sorted({*flow_run.tags, paper, name}))
    with tags(paper, name):
        yield


def stage_run_name() -> str:
    """The name of a stage's flow run: paper, stage, attempt."""
    given = flow_run.parameters
    run = ACTIVE.get(str(given["run_id"]))
    paper = f"{run.paper.paper_id}: " if run else ""
    return f"{paper}{given['stage_id']}, attempt {given['attempt']}"
