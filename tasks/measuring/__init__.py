"""Raw monitor data into quantities: trusted reducers, one module for each kind of scene."""
