"""The creating half of a stage: designs, descriptions and code, in review loops with experiments in between."""
