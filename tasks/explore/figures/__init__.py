"""Figures that a model draws and code checks: the data in them are those of the files, or there is no figure."""
