"""What the error of a described value is made of: ladders, variants, doubts, witnesses, exact solutions beside it."""
