"""Prompts of the agents that explore."""
