"""Says how success of a goal is measured, once, before any experiment."""

from __future__ import annotations

from agents.explore.crew import declare
from schemas.explore.asked_by_skills import MetricSpecAnswer

AGENT = declare("metric_specifier", MetricSpecAnswer, ("goal", "provided_files", "measure_program", "faults"))
