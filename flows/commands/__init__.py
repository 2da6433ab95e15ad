"""Commands around a run: answering requests by hand, reading transcripts, showing prompts."""
