"""Notes of nodes: written for the own node, read from its ancestors; whose turn it is, the client says, no argument."""
