"""Regressions: the numbers of a reproduction, their baseline, what they ran on, and what differs."""
