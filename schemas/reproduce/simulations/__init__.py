"""A stage's simulation: its design, what running it gave, units and axes of its numbers."""
