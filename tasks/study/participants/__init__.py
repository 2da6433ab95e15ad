"""Whom the data are of: drawn, answering, coded, excluded; or real, as they were handed in."""
