"""Looking at figures and tables as a referee would."""
