"""Every lie, by role."""

from __future__ import annotations

from tests.lies import (
    called,
    coder,
    designer,
    features,
    inputs,
    leaks,
    measures,
    planner_references,
    planner_values,
    reviewers,
    scope,
    words,
)
from tests.lies.kit import Lie

LIES: tuple[Lie, ...] = (
    *planner_values.LIES,
    *inputs.LIES,
    *planner_references.LIES,
    *designer.LIES,
    *features.LIES,
    *called.LIES,
    *measures.LIES,
    *coder.LIES,
    *reviewers.LIES,
    *leaks.LIES,
    *scope.LIES,
    *words.LIES,
)
