"""What is copied into every bundle as it stands here."""
