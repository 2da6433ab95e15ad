"""A cluster's scheduler (Slurm) and containers; what is not installed has no tools."""
