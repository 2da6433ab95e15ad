"""A sweep's changes at few of its points: what absorber, decay, a parameter or another table moves changes slowly along it.

Solved at the ends and where the curve is steepest (what shifts a curve changes it most there), and laid between these points
over the coarse curve. A ladder's rungs are solved at all points: staircases differ from one to the next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.arrange import Numerics
from tasks.reproduce.measuring import Curve, Map
from tasks.reproduce.solving.groups import Group
from tasks.reproduce.solving.one_run import Solver
from tasks.reproduce.solving.varying import Missing, Outcome, Value

LEAST = 6  # points from which on a few are enough


@dataclass(frozen=True)
class Beside:
    """A group's outcome, and where what is changed beside it is solved. places: of the few points among all. each_s: CPU seconds of
    one of them, where they are known to take another time than the base's."""

    group: Group
    base: Outcome
    few: Group
    places: tuple[int, ...]
    each_s: float | None = None

    @classmethod
    def of(cls, group: Group, base: Outcome) -> Beside:
        """A scene, a count, a short sweep or one with a point missing is solved as it is."""
        places = tuple(range(len(group.points)))
        curves = [base.values.get(name) for name in group.ids]
        tables = [_along(curve) for curve in curves if isinstance(curve, Curve)]
        whole = all(len(table) == len(places) for table in tables)
        if not group.whole and len(places) >= LEAST and tables and whole:
            steep = [np.linalg.norm(np.gradient(table, axis=0), axis=1) for table in tables]
            places = tuple(sorted({0, *(1 + int(np.argmax(s[1:-1])) for s in steep), len(places) - 1}))
            return cls(group, base, group.with_points([group.points[i] for i in places]), places)
        return cls(group, base, group, places)

    @property
    def cost_s(self) -> float:
        """CPU seconds of a change, as the budget is charged for them."""
        if self.each_s is not None:
            return self.each_s * len(self.places)
        if self.group.sweep is None or self.group.same_scene:
            return self.base.cost_s
        return self.base.cost_s * len(self.places) / len(self.group.points)

    def evaluate(
        self,
        numerics: Numerics,
        solver: Solver,
        materials: Mapping[str, Any] | None = None,
        anew: bool = False,
        told: str = "",
    ) -> Outcome:
        """The values with other numerics or materials. anew: not starting from what the base knows. told: as in Group.evaluate."""
        known = () if anew else self._known
        found = self.few.evaluate(numerics, solver, materials=materials, known=known, told=told)
        return self._whole(found)

    def evaluate_moved(
        self, numerics: Numerics, solver: Solver, parameter: str, value: float, told: str = ""
    ) -> Outcome:
        """The values with one parameter (base units) changed."""
        base = replace(self.base, known=tuple(self._known))
        return self._whole(self.few.evaluate_moved(base, numerics, solver, parameter, value, told))

    @property
    def at(self) -> str:
        """At which points it is solved, in words; '' of a scene."""
        few, every = len(self.places), len(self.group.points)
        return "" if not every else f" at {few} of {every} points" if few < every else f" at {every} points"

    @property
    def _known(self) -> Sequence[Mapping[str, Any]]:
        known = self.base.known
        return [known[i] for i in self.places] if len(known) == len(self.group.points) > 0 else known

    def _whole(self, found: Outcome) -> Outcome:
        if self.few is self.group:
            return found
        laid = {name: self._laid(self.base.values[name], found.values[name]) for name in self.group.ids}
        return replace(found, values=laid)

    def _laid(self, base: Value, found: Value) -> Value:
        if isinstance(found, Missing) or not isinstance(base, Curve) or not isinstance(found, Curve):
            return found
        before, after = _along(base), _along(found)
        if after.shape != (len(self.places), before.shape[1]):
            return Missing(f"at the {len(self.places)} points that are varied it is not what it is elsewhere")
        change = after - before[list(self.places)]
        x, few = np.array(self.group.points), np.array(self.few.points)
        table = before + np.column_stack([np.interp(x, few, column) for column in change.T])
        return replace(base, y=table.T.reshape(-1) if isinstance(base, Map) else table[:, 0])


def _along(curve: Curve) -> NDArray[np.float64]:
    """Values of a sweep's curve (points, 1), or of its spectra (points, frequencies)."""
    return curve.table.T if isinstance(curve, Map) else curve.y[:, None]
