"""Looks for leaves of a frozen rubric that are vague, not of the paper, or paid for nothing."""

from __future__ import annotations

from agents.explore.crew import declare
from schemas.explore.rubric import RubricAuditorAnswer

AGENT = declare("rubric_auditor", RubricAuditorAnswer, ("paper_text", "rubric"))
