"""From the nodes of a search to science_data.json: every number with its file, its digest and a name."""
