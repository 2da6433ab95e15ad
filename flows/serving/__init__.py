"""Prefect's server and the process that a run lives in."""
