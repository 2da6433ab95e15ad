"""What a study shows on its page in Prefect."""
