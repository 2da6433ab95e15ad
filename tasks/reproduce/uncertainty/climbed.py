"""What a group's ladder gave, which its variations, witnesses and files read."""

from __future__ import annotations

from dataclasses import dataclass, field

from schemas.reproduce.simulations.numerics import Rung
from simkit.arrange import Needs, Numerics
from simkit.runs import BandsRun
from tasks.reproduce.solving.groups import Group
from tasks.reproduce.solving.varying import Missing, Outcome
from tasks.reproduce.uncertainty.error_parts import Variants
from tasks.reproduce.uncertainty.free import described_by
from tasks.reproduce.uncertainty.ladder import APART


@dataclass
class Climb:
    """What a group's ladder gave: variants by quantity, what has no value, the rungs, and the coarse outcome.

    ended: why there is no finer grid, where one was wanted. lost: of each sweep, the point without a value and why.
    """

    group: Group
    numerics: Numerics
    need: Needs
    variants: dict[str, Variants] = field(default_factory=dict)
    missing: dict[str, Missing] = field(default_factory=dict)
    rungs: dict[str, list[Rung]] = field(default_factory=dict)
    coarse: Outcome = field(default_factory=lambda: Outcome({}))
    outcomes: list[tuple[str, Outcome]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    ended: str = ""
    lost: dict[str, str] = field(default_factory=dict)

    @property
    def finest(self) -> float:
        """The finest grid so far, pixels per unit length."""
        return max(
            (v.rungs[-1][0] for v in self.variants.values() if v.rungs), default=self.numerics.resolution
        )

    @property
    def finest_outcome(self) -> Outcome:
        """The outcome whose values are reported."""
        return dict(self.outcomes).get(f"resolution {self.finest:g}", self.coarse)

    @property
    def second_grid_s(self) -> float:
        """CPU seconds of a second grid: without it nothing is known of a value's error, whatever else is varied."""
        return self.coarse.cost_s * APART ** (dimensions_of(self.coarse) + 1)

    def variants_of(self, name: str) -> Variants:
        """Of one quantity, to be added to."""
        if name not in self.variants:
            own = described_by(self.group.description.problem, name) is not None
            self.variants[name] = Variants(formal=self.need.order, own=own)
        return self.variants[name]


def dimensions_of(outcome: Outcome) -> int:
    """Dimensions of the largest run; 3 where there is none."""
    found = [
        2 if isinstance(run, BandsRun) else {"1D": 1, "2D": 2, "cylindrical": 2, "3D": 3}[run.dimensions]
        for run in outcome.runs.values()
    ]
    return max(found, default=3)
