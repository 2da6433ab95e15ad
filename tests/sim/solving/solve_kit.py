"""Runs as documents, solved by `python -m simkit.solve` under Meep's interpreter: what the tests of the solver share."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from simkit.runs import AnyRun, Layer, Monitor, Run, Source, Stop, dump
from tests.sim.solving.served import solver

AIR = {"kind": "medium", "index": 1.0}


@dataclass(frozen=True)
class Solved:
    """What a solver process left: exit code, raw arrays, log, stderr."""

    code: int
    raw: dict[str, np.ndarray]
    log: dict[str, Any]
    stderr: str
    stdout: str
    folder: Path


def solve(folder: Path, run: AnyRun, *arguments: str, **subtracted: Solved) -> Solved:
    """Solve `run` in `folder`; keyword arguments: digest=Solved whose fields it subtracts."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.json").write_text(dump(run), encoding="utf-8")
    for digest, done in subtracted.items():
        (folder / "subtract").mkdir(exist_ok=True)
        shutil.copy(done.folder / "raw.npz", folder / "subtract" / f"{digest.removeprefix('d_')}.npz")
    done = solver().solve(folder, *arguments)
    raw = {}
    if (folder / "raw.npz").is_file():
        with np.load(folder / "raw.npz") as data:
            raw = {name: data[name] for name in data.files}
    log = json.loads((folder / "log.json").read_text()) if (folder / "log.json").is_file() else {}
    return Solved(done.returncode, raw, log, done.stderr, done.stdout, folder)


def block(
    medium: dict[str, Any], x=(-1e20, 1e20), y=(-1e20, 1e20), z=(-1e20, 1e20), name: str = "body"
) -> dict[str, Any]:
    """A resolved block."""
    return {"type": "block", "id": name, "medium": medium, "x": x, "y": y, "z": z}


def index(value: float) -> dict[str, Any]:
    """A lossless medium."""
    return {"kind": "medium", "index": value}


def stack_runs(
    layers: tuple,
    frequencies: tuple[float, ...],
    component: str = "Ex",
    resolution: float = 60.0,
    materials: dict[str, Any] | None = None,
    **more: Any,
) -> tuple[Run, Run]:
    """Reference and structure of a plane stack along z, light from below: monitors 'back' (subtracted) and 'on'."""
    low, high = min(frequencies), max(frequencies)
    center, width = (low + high) / 2, max(high - low, 0.2 * high)
    cell, pml = 8.0, 1.0
    common: dict[str, Any] = {
        "dimensions": "1D",
        "cell": (0.0, 0.0, cell),
        "resolution": resolution,
        "layers": (Layer("pml", "z", pml),),
        "geometry": (),
        "sources": (Source("current", component, (0, 0, -2.8), (0, 0, 0), center, width),),
        "stop": Stop("settled", 1e-9, 2000.0, 0.0),
        "smoothing": False,
        "materials": materials or {},
    }
    back = Monitor("flux", (0, 0, -2.0), (0, 0, 0), frequencies)
    reference = Run(monitors={"back": back}, **{**common, **more})
    structure = Run(
        monitors={"back": back, "on": Monitor("flux", (0, 0, 2.5), (0, 0, 0), frequencies)},
        stack=layers,
        subtract={"back": (reference.digest(), "back")},
        **{**common, **more},
    )
    return reference, structure
