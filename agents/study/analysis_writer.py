"""AnalysisWriterAgent: writes the script that draws the figures.

It gets no rows: its script reads them in the sandbox.
"""

from __future__ import annotations

from agents.study.crew import declare
from schemas.study.answers import AnalysisAnswer

AGENT = declare(
    "analysis_writer",
    AnalysisAnswer,
    (
        "plan",
        "design",
        "variables",
        "data_profile",
        "results",
        "packages",
        "issues",
        "faults",
    ),
)
