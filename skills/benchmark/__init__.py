"""Numbers of result files: summaries, plots and tests of significance, by code."""
