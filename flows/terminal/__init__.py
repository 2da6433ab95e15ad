"""What a terminal shows while a run goes on, and how a command ends."""
