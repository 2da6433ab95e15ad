"""Verdicts from evidence: each target against its thresholds and wrong answers, a stage's targets together, the run's."""
