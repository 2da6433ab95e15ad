"""The verification dossier: random descriptions of every scene beside exact values that are computed apart from them."""
