"""What is done to explore a goal: reading it, choosing what to try next, measuring, comparing, remembering."""
