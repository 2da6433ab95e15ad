"""Exact or independent solutions of described scenes: shown beside the result, never in its place."""
