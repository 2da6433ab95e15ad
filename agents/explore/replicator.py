"""Writes a reproduction from the paper's text alone, where no bundle was published; blind to every measured value."""

from __future__ import annotations

from agents.explore.crew import declare
from schemas.explore.grade import ReplicatorAnswer

AGENT = declare(
    "replicator",
    ReplicatorAnswer,
    ("paper_text", "measure_program", "numbers", "expected_artifacts", "inputs", "faults"),
)
