"""What things are: frozen models, limits, errors, ownership. Imports nothing of ours."""
