"""Questions to people: put, shown, answered beforehand, in a terminal or on Prefect's page."""
