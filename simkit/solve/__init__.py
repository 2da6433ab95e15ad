"""Runs into raw data: Meep and MPB calls. Trusted; runs under Meep's interpreter, in the sandbox."""
