"""What the machinery costs: measured on a bundled paper and printed beside its aims (`make bench`)."""
