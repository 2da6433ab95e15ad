"""Files of a run: its store, transcript, ledger, checkpoints, tables, and what is for this account alone."""
