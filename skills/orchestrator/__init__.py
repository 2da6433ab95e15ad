"""ReproLab itself as tools: any MCP client can start runs, see how they stand and read their papers."""
