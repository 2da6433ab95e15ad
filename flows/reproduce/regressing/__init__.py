"""Regressions: recorded decisions replayed, simulations run afresh, every number beside its baseline."""
