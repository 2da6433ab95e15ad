"""The search: a tree of experiments as values, and pure functions that let it grow. Nothing here asks or runs anything."""
