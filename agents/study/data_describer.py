"""DataDescriberAgent: says what the columns of real data are, from their profile."""

from __future__ import annotations

from agents.study.crew import declare
from schemas.study.answers import DataAnswer

AGENT = declare("data_describer", DataAnswer, ("plan", "data_profile", "notes", "design", "issues", "faults"))
