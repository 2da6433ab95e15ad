"""Does strong light act by its power? Half the intensity leaves 1/2^(h - 1) of harmonic h's efficiency, half of a phase."""

from __future__ import annotations

from collections.abc import Mapping

from schemas.reproduce.simulations.numerics import Witness
from simkit.describe.unit_cell import HarmonicEfficiency, KerrPhase
from tasks.reproduce.measuring import Measured, Scalar
from tasks.reproduce.solving.one_run import Solver
from tasks.reproduce.solving.varying import scene_values
from tasks.reproduce.uncertainty.climbed import Climb

SAME = 0.02  # misfit of a pump that is not depleted
WEAK = 0.05  # efficiency or phase beyond which no power law holds


def power_laws(climb: Climb, solver: Solver, base: Mapping[str, Measured]) -> dict[str, Witness]:
    """The witness of each quantity of strong light, at the coarse rung."""
    problem = climb.group.description.resolved()
    wanted = [
        q
        for q in climb.group.quantities(problem)
        if isinstance(q, (HarmonicEfficiency, KerrPhase)) and q.id in base
    ]
    if not wanted or climb.group.sweep is not None:
        return {}
    halved = [q.model_copy(update={"intensity": float(q.intensity) / 2}) for q in wanted]
    others = scene_values(
        climb.group.scene(problem), halved, climb.numerics, climb.group.materials, solver
    ).values
    out = {}
    for quantity in wanted:
        value, other = base[quantity.id], others[quantity.id]
        if isinstance(value, Scalar) and isinstance(other, Scalar) and value.value:
            power = quantity.harmonic - 1 if isinstance(quantity, HarmonicEfficiency) else 1
            misfit = abs(other.value / value.value * 2.0**power - 1)
            out[quantity.id] = Witness(
                name="power law",
                response=min(misfit, 1e300),
                passed=None if abs(value.value) > WEAK else misfit < SAME,
                detail=f"half the intensity: the value over 2^{power}, to {misfit:.1e}",
            )
    return out
