"""What a paper's words say of one number: its clause, its noun, its light, and whether the paper claims it."""
