"""Literature and the web, as far as the run's user allows, and the files that came with the goal."""
