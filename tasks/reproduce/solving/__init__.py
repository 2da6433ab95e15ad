"""The harness of described simulations: describe, solve, vary, state the uncertainty."""
