"""Quantities that a symmetry makes equal, declared by their column names: NAME_plus and NAME_minus.

A simulation of a structure with a mirror plane, or of a reciprocal one, records both members of a pair (diffraction orders
+m and -m, transmission from either side, partners of a degeneracy); what the symmetry makes equal must come out equal.
"""

from __future__ import annotations

import numpy as np

from schemas.reproduce.judging.evidence import Check, Level
from schemas.reproduce.simulations.execution import Dataset
from tasks.reproduce.evidence.execution import check
from tasks.reproduce.evidence.kept_files import Table

PLUS, MINUS = "_plus", "_minus"
# Of the pair's largest magnitude: discretisation breaks a mirror plane that does not fall on the grid by about 1 %.
WARN_ASYMMETRY, MAX_ASYMMETRY = 0.01, 0.05


def symmetry_checks(dataset: Dataset, table: Table, source: str) -> list[Check]:
    """One check for each declared pair of a dataset; none where no pair is declared."""
    found = []
    for column in dataset.columns:
        if not column.name.endswith(PLUS):
            continue
        name = column.name.removesuffix(PLUS)
        one, other = table.columns.get(column.name), table.columns.get(name + MINUS)
        if one is None or other is None or one.shape != other.shape or not one.size:
            continue
        largest = float(max(np.abs(one).max(), np.abs(other).max()))
        asymmetry = float(np.abs(one - other).max()) / largest if largest > 0 else 0.0
        level: Level = (
            "pass" if asymmetry <= WARN_ASYMMETRY else "warning" if asymmetry <= MAX_ASYMMETRY else "fail"
        )
        found.append(
            check(
                f"symmetry of {name}",
                level,
                f"the pair differs by {100 * asymmetry:.2g} % of its largest value",
                f"at most {100 * MAX_ASYMMETRY:g} %, warning above {100 * WARN_ASYMMETRY:g} %",
                f"{source}: {name}",
                ""
                if level == "pass"
                else "mirror plane off the grid, source or monitor off centre, run too short, or the "
                "structure is not symmetric",
            )
        )
    return found
