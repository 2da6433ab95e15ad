"""A description before it is solved: run once in the sandbox, read as a stranger's, looked at, its numbers traced."""
