"""SectionWriterAgent: drafts and revises one section of the paper."""

from __future__ import annotations

from agents.explore.crew import declare
from schemas.explore.paper import SectionAnswer

AGENT = declare(
    "section_writer",
    SectionAnswer,
    (
        "section",
        "asks",
        "venue",
        "question",
        "numbers",
        "findings",
        "configurations",
        "figures",
        "references",
        "written",
        "draft",
        "issues",
        "faults",
    ),
)
