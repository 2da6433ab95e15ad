"""Prompts that agents of every workflow use."""
