"""What agents are told: Markdown with front matter, and the loader that renders it."""
