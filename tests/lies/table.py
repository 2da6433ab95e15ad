"""Every lie, by role."""

from __future__ import annotations

from tests.lies import designer, leaks, planner_references, planner_values, scope, words
from tests.lies.kit import Lie

LIES: tuple[Lie, ...] = (*planner_values.LIES, *planner_references.LIES, *designer.LIES, *leaks.LIES, *scope.LIES, *words.LIES)
