"""What a node's directory is seeded with, what the node changed in it, its report, and which of its files others use."""
