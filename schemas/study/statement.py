"""The sentence that everything of a study with simulated participants carries."""

from __future__ import annotations

STATEMENT = "The participants of this study were simulated by a language model; no person took part."
