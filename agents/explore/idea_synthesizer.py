"""Makes ideas with a metric, criteria and a plan out of proposals."""

from __future__ import annotations

from agents.explore.crew import declare
from schemas.explore.deliberation import IdeaSynthesizerAnswer

AGENT = declare(
    "idea_synthesizer",
    IdeaSynthesizerAnswer,
    ("goal", "metric", "files", "references", "known_ideas", "proposals", "criticisms"),
)
