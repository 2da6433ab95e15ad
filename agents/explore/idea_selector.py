"""Says which idea is explored first."""

from __future__ import annotations

from agents.explore.crew import declare
from schemas.explore.idea import RootIdeaAnswer

AGENT = declare("idea_selector", RootIdeaAnswer, ("goal", "ideas"))
