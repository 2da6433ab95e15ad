"""Writes the rubric by which a reproduction of the paper is graded; blind to every measured value."""

from __future__ import annotations

from agents.explore.crew import declare
from schemas.explore.rubric import RubricWriterAnswer

AGENT = declare("rubric_writer", RubricWriterAnswer, ("paper_text", "numbers", "faults"))
