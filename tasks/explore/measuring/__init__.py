"""The harness that measures: the run's frozen program over a node's files, several times, its answer read as hostile input."""
