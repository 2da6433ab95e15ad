"""What a reproduction shows on Prefect's page: the form, names and tags, progress, an overview with links."""
