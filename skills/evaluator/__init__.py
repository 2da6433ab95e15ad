"""How success is measured: settled once before the search, then frozen."""
