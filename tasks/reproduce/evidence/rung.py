"""A target's simulated value at one resolution scale, and where it came from."""

from __future__ import annotations

from dataclasses import dataclass

from schemas.reproduce.simulations.execution import Dataset, Execution
from tasks.reproduce.curves.curve import Curve
from tasks.reproduce.curves.maps import Map

Value = float | Curve | Map


@dataclass(frozen=True)
class Rung:
    """The target's value at one resolution scale, in the target's units, and where it came from.

    sampling: what the spacing of the samples leaves open of a feature, in the target's unit; None if unknown.
    width: of a position, the width of its extremum, where it has one. edge: that its extremum lies at an end of the window.
    curve: that a feature was read from, where it is one.
    """

    scale: float
    value: Value
    executions: tuple[Execution, ...]
    dataset: Dataset
    column: str
    sampling: float | None = 0.0
    width: float | None = None
    edge: str = ""
    curve: Curve | None = None

    @property
    def ran(self) -> bool:
        """Whether every execution behind it ended well and said so."""
        return all(e.exit_code == 0 and e.complete and e.failure is None for e in self.executions)

    @property
    def used_meep(self) -> bool:
        """Whether every execution behind it ran Meep (time steps, or an MPB eigensolver)."""
        return all(uses_meep(execution) for execution in self.executions)


def uses_meep(execution: Execution) -> bool:
    """Whether Meep stepped fields or MPB solved for modes in this execution."""
    return any(
        run.time_steps > 0 or (run.pixels > 0 and "eigensolver" in run.stop_criterion)
        for run in execution.meep_runs
    )
