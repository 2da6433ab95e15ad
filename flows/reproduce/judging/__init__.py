"""The judging half of a stage: execution, physics, convergence, analysis and comparison, and a debug run's diagnosis."""
