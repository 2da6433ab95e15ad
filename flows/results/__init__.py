"""Runs of all three workflows after the fact: listed, opened in a browser, compared, cleared away. Read only, but for the last."""
