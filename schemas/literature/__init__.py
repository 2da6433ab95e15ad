"""Other people's work: what a search found, and where a run looks."""
