"""The published bundle: generated from the best line of the tree, curated, locked by a digest, packed, published, cloned."""
