"""Programs that run in the sandbox: one with a model's code, one without."""
