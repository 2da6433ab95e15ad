"""ProtocolDesignerAgent: designs protocol, questionnaire and variables."""

from __future__ import annotations

from agents.study.crew import declare
from schemas.study.answers import DesignAnswer

AGENT = declare(
    "protocol_designer",
    DesignAnswer,
    (
        "plan",
        "domain",
        "paradigm",
        "participants",
        "design",
        "issues",
        "faults",
    ),
)
