"""Who decides: one module per agent, with its context and the rule that turns evidence into a verdict."""
