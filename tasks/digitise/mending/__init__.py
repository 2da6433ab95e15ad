"""Figures mended by hand: a page that needs no network, and what it saves, checked and read."""
