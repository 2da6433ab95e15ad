"""The plan: stages, targets and their thresholds, declared inputs, what it leaves out, when a stage may start."""
