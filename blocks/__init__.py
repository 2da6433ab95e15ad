"""Where it runs and with which credentials: Prefect blocks, no logic."""
