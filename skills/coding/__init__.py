"""Writing and running programs in a node's directory, each run in the sandbox and recorded where no program reaches."""
