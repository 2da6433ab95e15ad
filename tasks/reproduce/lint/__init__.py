"""Static checks on generated simulation code (`lint`), by its syntax tree only."""

from tasks.reproduce.lint.finding import Finding
from tasks.reproduce.lint.programming import ALLOWED_IMPORTS
from tasks.reproduce.lint.rules import blocking, lint

__all__ = ["ALLOWED_IMPORTS", "Finding", "blocking", "lint"]
