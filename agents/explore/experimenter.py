"""Works in a node of the tree with tools, until its experiment ran."""

from __future__ import annotations

from agents.explore.crew import declare
from schemas.explore.experiment import ExperimentAnswer

AGENT = declare(
    "experimenter",
    ExperimentAnswer,
    ("goal", "metric", "task", "direction", "idea", "files", "prior_knowledge", "environment", "budget"),
    sees_images=True,
)
