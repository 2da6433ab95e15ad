"""Evidence, looks, comparisons and verdicts, and a regression of them."""
