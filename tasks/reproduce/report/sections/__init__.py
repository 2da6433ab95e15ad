"""The parts of the report, one module each; every one turns a Source into a Section."""
