"""Scales: items scored as published, tables turned, and how consistent the items of a scale are."""
