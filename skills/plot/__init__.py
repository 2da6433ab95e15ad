"""Figures that are drawn from the data or not at all."""
