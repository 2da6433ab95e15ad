"""A regression on Prefect's page: its table as an artifact, and an event that automations can wait for."""

from __future__ import annotations

import re
from contextlib import suppress

from prefect.artifacts import create_markdown_artifact
from prefect.events import emit_event

from flows.pages.tables import fitted
from schemas.reproduce.judging.regression import ORDER, Regression, Regressions
from schemas.text.inert import inert_markdown
from tasks.reproduce.regression.regression_report import markdown
from tasks.reproduce.regression.table import markdown_table

EVENTS = {"drifted": "reprolab.regression.drifted", "broken": "reprolab.regression.broken"}
_MOST = 400_000


def publish(found: Regression) -> None:
    """The table as the artifact `regression-<paper>`, and an event where something drifted or broke."""
    with suppress(Exception):
        create_markdown_artifact(
            key=_key(f"regression-{found.paper_id}"),
            description=f"Regression: {found.line}",
            markdown=fitted(markdown(found, all_numbers=False))[:_MOST],
        )
    if found.failed:
        emit_event(
            EVENTS[found.verdict],
            payload={
                "paper": found.paper_id,
                "regression": found.regression_id,
                "line": found.line,
                "report": found.address or found.report,
                **{name: found.count(name) for name in ORDER},
            },
            resource={
                "prefect.resource.id": f"reprolab.paper.{found.paper_id}",
                "prefect.resource.name": found.paper_id,
            },
        )


def publish_summary(summary: Regressions) -> None:
    """One line a paper as the artifact `regression-all`."""
    body = [
        (entry.paper_id, entry.outcome, *(str(entry.count(name)) for name in ORDER), entry.report)
        for entry in summary.found
    ]
    body += [(paper, "could not be run", "", "", "", why) for paper, why in summary.errors]
    with suppress(Exception):
        create_markdown_artifact(
            key="regression-all",
            description=f"Regressions: {summary.verdict}",
            markdown=fitted(inert_markdown(markdown_table(("paper", "verdict", *ORDER, "report"), body))),
        )


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9-]+", "-", name.lower()).strip("-")
