"""Does the paper reproduce? A frozen rubric, a sandbox from the bundle or from the text alone, one run, and a grade by leaf."""
