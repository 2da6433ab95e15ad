"""The goals of research that come with ReproLab: goal.md, files, the program that measures, literature."""
