"""Folders for strangers: what may be in one, locked by a digest, packed into one sequence of bytes, fetched and checked."""
