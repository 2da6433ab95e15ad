"""Curves: resampling, features, alignment. Numbers in, numbers out; knows nothing of papers or simulations."""
