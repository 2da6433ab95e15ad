"""A paper from data: markup in, LaTeX, HTML and PDF out; no number in it that was not measured."""
