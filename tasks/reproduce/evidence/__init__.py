"""Evidence: what code computes from the files a simulation wrote. It judges; log text never counts."""
