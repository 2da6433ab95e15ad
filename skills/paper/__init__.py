"""The paper and its reviews."""
