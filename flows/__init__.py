"""What happens in which order: Prefect flows and subflows. flows/cli.py is the composition root."""
