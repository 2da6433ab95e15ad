"""The package of a finished run: an RO-Crate that opens and is solved again alone."""
