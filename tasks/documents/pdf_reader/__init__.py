"""Reads a PDF inside the sandbox: text in reading order, figures, tables, equations. Standard library and pypdfium2 only.

Stands alone: `python -m pdf_reader FILE PAGES` writes result.json and pictures into the current directory.
"""
