"""Writes queries for literature."""

from __future__ import annotations

from agents.explore.crew import declare
from schemas.explore.deliberation import KeywordWriterAnswer

AGENT = declare("keyword_writer", KeywordWriterAnswer, ("goal", "purpose", "backends", "asked", "found"))
