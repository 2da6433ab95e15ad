"""Prompts of the agents that reproduce a paper."""
