"""What an exploration shows on Prefect's page."""
