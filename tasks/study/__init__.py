"""What is done for a study, without models: the graph, the workspace, input, statistics, participants, honesty."""
