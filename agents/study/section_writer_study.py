"""StudySectionWriterAgent: writes one section of the paper."""

from __future__ import annotations

from agents.study.crew import declare
from schemas.study.answers import StudySectionAnswer

AGENT = declare(
    "section_writer_study",
    StudySectionAnswer,
    (
        "section",
        "asks",
        "venue",
        "language",
        "plan",
        "design",
        "results",
        "values",
        "figures",
        "references",
        "draft",
        "issues",
        "faults",
    ),
)
