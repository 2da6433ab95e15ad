"""A person with any chat window as the model: pages written, answer files read."""
