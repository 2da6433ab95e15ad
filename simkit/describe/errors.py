"""What is wrong with a description, in words its writer can act on."""

from __future__ import annotations


class DescriptionError(ValueError):
    """A description that is refused: what, where, found, allowed, fix."""


class UndeclaredNumber(DescriptionError):
    """A number that is neither a declared parameter nor neutral."""


class MixedUnits(DescriptionError):
    """Numbers of different kinds (a length and a pure number, micrometres and the free length a) were combined."""


class BranchOnValue(DescriptionError):
    """A description looked at a value to decide what to describe."""
