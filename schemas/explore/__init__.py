"""What things are when a goal is explored: ideas, the tree of experiments, its evidence, literature, paper, review, bundle."""
