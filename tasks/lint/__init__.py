"""Static checks on generated simulation code (`lint`), by its syntax tree only."""

from tasks.lint.finding import Finding
from tasks.lint.programming import ALLOWED_IMPORTS
from tasks.lint.rules import blocking, lint

__all__ = ["ALLOWED_IMPORTS", "Finding", "blocking", "lint"]
