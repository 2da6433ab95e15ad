"""reproduce: from a paper to its report. flow.py has the whole; planning, stage and supervising the parts."""
