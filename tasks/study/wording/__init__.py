"""What a study's sentences say: claims beside the tests, numbers by name, references that exist, who took part."""
