"""Runs into raw arrays with Meep and MPB, in the sandbox: `<meep's python> -m simkit.solve FOLDER`. No pydantic here."""
