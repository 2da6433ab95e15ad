"""CodebookWriterAgent: makes a code book for what participants wrote."""

from __future__ import annotations

from agents.study.crew import declare
from schemas.study.answers import CodebookAnswer

AGENT = declare("codebook_writer", CodebookAnswer, ("question", "texts", "paradigm", "faults"))
