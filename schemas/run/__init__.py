"""A run of any workflow: its settings, its form, its state, what its calls took."""
