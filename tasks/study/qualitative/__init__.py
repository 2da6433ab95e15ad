"""What people wrote: segments with codes, two coders and their resolution, themes with quotations that stand in the data."""
