"""What a checked description names: targets it answers, materials it uses."""

from __future__ import annotations

from typing import Literal

from schemas.reproduce.simulations.axes import Axis
from simkit.arrange.places import is_rectangle
from simkit.describe.document import expressions
from simkit.describe.light import Line
from simkit.describe.media import names_of_materials
from simkit.describe.numbers import names
from simkit.describe.problem import Problem, Sweep, quantity_of
from simkit.describe.scene import Quantity
from tasks.reproduce.describing.in_sandbox import Description

Form = Literal["number", "curve", "map"]


def answering(found: Description) -> dict[str, tuple[tuple[str, Form], ...]]:
    """Target id -> (quantity or sweep, what it gives) of all that answer it.

    A spectrum of a scene lit by one Line is a single number; a field over a rectangle and the sweep of a spectrum are maps.
    """
    out: dict[str, tuple[tuple[str, Form], ...]] = {}
    problem = found.resolved()
    for item in (*problem.quantities, *problem.sweeps):
        for target in item.answers:
            out[target] = (*out.get(target, ()), (item.id, form_of(problem, item)))
    return out


def form_of(problem: Problem, item: Quantity | Sweep) -> Form:
    """What a quantity or sweep of a resolved problem gives."""
    if isinstance(item, Sweep):
        return "map" if form_of(problem, quantity_of(problem, item.of)) == "curve" else "curve"
    band = getattr(problem.scene(item.scene), "band", None)
    if not item.curve or (isinstance(band, Line) and not item.needs_line):
        return "number"
    return "map" if is_rectangle(item) else "curve"


def swept(found: Description, parameter: str) -> Axis:
    """What a sweep runs along: a spectrum where its parameter enters the light's wavelength, and the wave vector that a mode of that
    light is looked for with, and nothing else, an angle where it
    enters angles alone, a wave vector where it enters those at which bands are asked for, else a parameter. What the parameter is
    called says nothing.
    """
    names_of = found.parameters.closure
    entered = [
        path
        for path, expression in expressions(found.parametric)
        if any(parameter in names_of(name) for name in names(expression))
    ]
    paths = [path for path in entered if path[0] == "scenes"]
    if not paths and any(path[0] == "quantities" and "k" in path for path in entered):
        return "wave vector"
    lit = [path for path in paths if {"band", "search"} & {*path} or path[2:] == ("wavelength",)]
    if lit and all(path in lit or ("periodic" in path and path[-1] == "k") for path in paths):
        return "spectral"
    return "angle" if paths and all(path[-1] == "angle" for path in paths) else "parameter"


def materials_of(found: Description) -> frozenset[str]:
    """Names of confirmed materials that the description uses."""
    return names_of_materials(dict(found.parametric))
