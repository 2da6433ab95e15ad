"""What a checked description names: targets it answers, materials it uses."""

from __future__ import annotations

from simkit.describe.light import Line
from simkit.describe.media import names_of_materials
from tasks.reproduce.solving.describing import Description


def answering(found: Description) -> dict[str, tuple[tuple[str, bool], ...]]:
    """Target id -> (quantity or sweep, whether it is a curve) of all that answer it.

    A spectrum of a scene lit by one Line is a single number.
    """
    out: dict[str, tuple[tuple[str, bool], ...]] = {}
    problem = found.problem
    for quantity in problem.quantities:
        band = getattr(problem.scene(quantity.scene), "band", None)
        curve = quantity.curve and (quantity.needs_line or not isinstance(band, Line))
        for target in quantity.answers:
            out[target] = (*out.get(target, ()), (quantity.id, curve))
    for sweep in problem.sweeps:
        for target in sweep.answers:
            out[target] = (*out.get(target, ()), (sweep.id, True))
    return out


def materials_of(found: Description) -> frozenset[str]:
    """Names of confirmed materials that the description uses."""
    return names_of_materials(dict(found.parametric))
