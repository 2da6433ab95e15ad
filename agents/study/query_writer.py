"""QueryWriterAgent: writes the queries with which code searches for literature."""

from __future__ import annotations

from agents.study.crew import declare
from schemas.study.answers import QueryAnswer

AGENT = declare(
    "query_writer",
    QueryAnswer,
    (
        "question",
        "domain",
        "notes",
        "columns",
        "backends",
        "asked",
        "found",
        "issues",
        "faults",
    ),
)
