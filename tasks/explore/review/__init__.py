"""Venues, the reviews of a paper by their rubric, and the merged report."""
