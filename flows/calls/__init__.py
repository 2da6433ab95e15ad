"""Calls of models: each paid for once, in conversations with tools and review loops; what is done when one fails."""
