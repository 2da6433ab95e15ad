"""What a run shows on Prefect's page: log, progress, artifacts, an overview with links, names and tags."""
