"""What skills share that execute programs for a node: the sandbox, the record beside the work directory, safe files."""
