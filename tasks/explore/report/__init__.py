"""The page of an exploration: the tree with each node's score, cost, files and figures, the stages, the paper, the grade."""
