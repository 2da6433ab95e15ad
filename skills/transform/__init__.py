"""Data of a search as a paper may cite them, and the bundle of code and data."""
