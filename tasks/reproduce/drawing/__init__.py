"""Drawings of described scenes with their dimensions: what a reader compares with the paper's own sketch."""

from tasks.reproduce.drawing.scenes import draw_scenes

__all__ = ["draw_scenes"]
