"""Ideas from literature and the deliberation of several personas."""
