"""What everything of a study with simulated participants says."""

from __future__ import annotations

STATEMENT = "The participants of this study were simulated by a language model; no person took part."
EXPLORATORY = "exploratory: the participants are simulated, and what a language model answers confirms nothing about people"
"""Why no test of such a study is confirmatory."""
