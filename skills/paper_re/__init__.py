"""Does the paper reproduce: a sandbox from its bundle or its text, one run, a grade."""
