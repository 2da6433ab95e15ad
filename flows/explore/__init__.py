"""explore: from a research goal to a paper that reproduces. flow.py has the whole; ideas, searching, node, stages the parts."""
