"""Doors for what others wrote: files below a folder, JSON, files that a person names, answers of any size."""
