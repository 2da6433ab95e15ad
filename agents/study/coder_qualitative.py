"""QualitativeCoderAgent: codes texts by a code book, without seeing other coders.

Coders are asked apart; none sees another's codes.
"""

from __future__ import annotations

from agents.study.crew import declare
from schemas.study.answers import CodingAnswer

AGENT = declare("coder_qualitative", CodingAnswer, ("codebook", "units", "faults"))
