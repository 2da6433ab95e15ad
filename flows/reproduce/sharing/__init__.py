"""A finished run for others: its package, a comment to the authors of its paper."""
