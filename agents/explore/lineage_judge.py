"""Decides what to do when the search stands still."""

from __future__ import annotations

from agents.explore.crew import declare
from schemas.explore.lineage import LineageAnswer

AGENT = declare("lineage_judge", LineageAnswer, ("goal", "metric", "ideas", "tree", "still", "nodes_left"))
