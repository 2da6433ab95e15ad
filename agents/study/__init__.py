"""The agents of a study."""
