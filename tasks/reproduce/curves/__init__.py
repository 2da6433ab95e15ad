"""Curves: resampling, features, alignment. Numbers in, numbers out; nothing of papers or simulations."""
