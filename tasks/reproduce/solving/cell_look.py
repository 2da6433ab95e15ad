"""A look at the cell of a described scene, for a diagnosis: the permittivity as the solver holds it, and its numbers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from schemas.errors import ReproLabError
from simkit.describe.scene import Scene
from simkit.runs import AnyRun, Run
from tasks.files.store import atomic_write
from tasks.reproduce.collect import UnsafeOutput, read_json
from tasks.reproduce.solving.one_run import Solver
from tasks.reproduce.uncertainty.climbed import Climb

CELL, PICTURE = "cell.json", "picture.png"
UNBOUNDED = 1e10  # a resolved bound that is infinite is larger
_LENGTHS, _ENDS = ("radius", "inner", "outer", "thickness"), ("x", "y", "z", "bounds")


def look(made: Climb, solver: Solver, folder: Path) -> None:
    """Picture and numbers of the fullest run of a ladder's coarse rung into `folder`; where there is none, why.

    designed: the bodies of the scene with the lengths that the description gives them.
    """
    scene, runs = made.coarse.scene, made.coarse.runs
    try:
        if not runs:
            raise ReproLabError("nothing was arranged")
        solver.draw(max(runs.values(), key=_fullness), folder, (CELL, PICTURE))
        found = read_json(folder / CELL, 1 << 20) | {
            "label": made.group.name,
            "designed": list(sizes(scene)) if scene else [],
        }
    except (ReproLabError, UnsafeOutput, OSError, ValueError) as error:
        found = {"label": made.group.name, "fault": " ".join(str(error).split())[:300]}
    atomic_write(folder / CELL, json.dumps(found))


def _fullness(run: AnyRun) -> tuple[bool, int]:
    return isinstance(run, Run), len(run.geometry) + len(getattr(run, "stack", ()))


def sizes(scene: Scene) -> Iterator[tuple[str, list[float]]]:
    """(body, its finite lengths) of everything in a resolved scene that is made of a medium."""
    for number, body in enumerate(_bodies(scene.model_dump()), 1):
        lengths = sorted({length for length in _lengths(body) if 0 < length < UNBOUNDED})
        if lengths:
            yield f"{body['type']} {body.get('id', number)}", lengths


def _bodies(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        if "medium" in value and "type" in value:
            yield value
        for inner in value.values():
            yield from _bodies(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _bodies(inner)


def _lengths(body: Mapping[str, Any]) -> Iterator[float]:
    yield from (float(body[name]) for name in _LENGTHS if name in body)
    yield from (float(body[name][1]) - float(body[name][0]) for name in _ENDS if name in body)
    yield from (2 * float(half) for half in body.get("semi_axes", ()))
    if not body.get("rotation"):
        yield from map(float, body.get("size", ()))
        for ends in zip(*body.get("vertices", ()), strict=True):
            yield float(max(ends)) - float(min(ends))
