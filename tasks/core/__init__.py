"""What is done for every workflow: the store, the transcript, the sandbox, checkpoints; knows no workflow."""
