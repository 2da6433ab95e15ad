"""Scenes into runs: where sources, monitors, references, mirrors and absorbers go. Trusted; no Meep, no files."""
