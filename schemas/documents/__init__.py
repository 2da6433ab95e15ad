"""What was read out of other people's documents: points of their figures."""
