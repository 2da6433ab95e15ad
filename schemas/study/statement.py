"""What everything of a study with simulated participants says."""

from __future__ import annotations

STATEMENT = "The participants of this study were simulated by a language model; no person took part."
EXPLORATORY = "exploratory: the participants are simulated, and what a language model answers confirms nothing about people"
"""Why no test of such a study is confirmatory."""
LIMITS = (
    "What is known of such answers: in a benchmark of twenty data sets (SimBench, Hu et al., 2025, arXiv 2510.17516) the best model came "
    "to 40.8 of 100 in giving people's answers. Instruction tuning made models worse where people differ widely, so that the spread found "
    "here may be narrower than people's. They did worst for single groups of people: nothing here tells one group from another."
)
"""What benchmarks found of simulated participants, for a paper's first page and the package's README."""
