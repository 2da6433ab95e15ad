"""Described scenes arranged, solved under Meep's interpreter and measured: what the tests of all kinds share."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np

from simkit.arrange import Arrangement, Numerics, arrange, needs, refined
from simkit.describe.base import RESOLVED
from simkit.describe.problem import Problem
from simkit.runs import AnyRun, Run, dump
from tasks.reproduce.measuring import Measured, NotMeasured, measure
from tests.sim.solving.served import solver

AIR = {"kind": "medium", "index": 1.0}


def problem(scene: dict[str, Any], *quantities: dict[str, Any]) -> Problem:
    """A resolved problem of one scene, id 's'."""
    return Problem.model_validate(
        {"scenes": [{"id": "s", **scene}], "quantities": [{"scene": "s", **q} for q in quantities]},
        context=RESOLVED,
    )


def solved(folder: Path, run: AnyRun) -> dict[str, np.ndarray]:
    """Raw arrays of a run, once per folder and digest."""
    own = folder / run.digest()
    if not (own / "raw.npz").is_file():
        own.mkdir(parents=True, exist_ok=True)
        (own / "run.json").write_text(dump(run), encoding="utf-8")
        for digest, _ in run.subtract.values() if isinstance(run, Run) else ():
            (own / "subtract").mkdir(exist_ok=True)
            shutil.copy(folder / digest / "raw.npz", own / "subtract" / f"{digest}.npz")
        done = solver().solve(own)
        assert done.returncode == 0, done.stderr[-2000:]
    with np.load(own / "raw.npz") as data:
        return {name: data[name] for name in data.files}


def values(
    folder: Path,
    made: Problem,
    resolution: float = 0,
    materials: dict[str, Any] | None = None,
    **numerics: float,
) -> dict[str, Measured | str]:
    """Every quantity of a problem of one scene, or why it has no value."""
    (scene,), quantities, media = made.scenes, made.quantities, materials or {}
    chosen = Numerics(resolution=resolution or needs(scene, media).resolution, **numerics)  # type: ignore[arg-type]
    arranged = arrange(scene, quantities, chosen, media)
    raw = _all(folder, arranged, {})
    further = refined(scene, quantities, chosen, media, arranged, raw)
    if further is not None:
        arranged, raw = further, _all(folder, further, raw)
    out: dict[str, Measured | str] = {}
    for quantity in quantities:
        try:
            out[quantity.id] = measure(scene, quantity, arranged, raw)
        except NotMeasured as error:
            out[quantity.id] = str(error)
    return out


def _all(folder: Path, arranged: Arrangement, raw: dict[str, Any]) -> dict[str, Any]:
    return {**raw, **{name: solved(folder, run) for name, run in arranged.runs.items() if name not in raw}}
