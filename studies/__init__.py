"""Bundled studies: a research question (simulated participants) and real public data."""
