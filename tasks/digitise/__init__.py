"""Figures as numbers: what is drawn in a PDF becomes curves with errors, or a reason why not."""
