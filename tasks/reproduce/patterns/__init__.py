"""Patterns as they are handed in: bitmaps and layers of GDSII files, read from bytes as a stranger's."""
