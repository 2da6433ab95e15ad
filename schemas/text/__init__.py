"""Text as a reader sees it: numbers and units, words that address an AI, what a page may show."""
