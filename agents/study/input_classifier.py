"""InputClassifierAgent: tells a topic from a research question."""

from __future__ import annotations

from agents.study.crew import declare
from schemas.study.inputs import InputAnswer

AGENT = declare("input_classifier", InputAnswer, ("text", "domain"))
