"""What is computed for a stage: its materials, the runs of its description, its simulations."""
