"""Tools as MCP servers, a folder each: `python -m skills.<name>.server`. Nothing imports them; only flows ask models."""
