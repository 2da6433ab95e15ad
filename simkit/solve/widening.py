"""From a run that was solved one pixel wide to the raw data of its whole cell (simkit/uniform.py).

Meep hands out a flux plane's DFT fields without their places, piece by piece (chunks, images by mirrors and periods): each number
is the field at its place times the weight that the place has in the plane, with factors of the piece's own. Both cells have the same
grid along the light's way, so a number of the whole cell's is the narrow one's at the same height with another weight, and phase.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import meep as mp
import numpy as np

from simkit.runs import Run

Arrays = dict[str, np.ndarray]


def widened(run: Run, whole: Mapping[str, Any], narrow: Mapping[str, Any]) -> Arrays:
    """Raw arrays of all monitors, as `run` would give them. whole, narrow: its monitors (simkit/solve/monitors.py) in the whole cell,
    set up and not run, and in the narrow one after its run."""
    raw: Arrays = {}
    for name, monitor in run.monitors.items():
        widen = _flux if monitor.kind == "flux" else _fields
        found = {"frequency": np.array(monitor.frequencies, float), **widen(run, whole[name], narrow[name])}
        raw |= {f"{name}/{key}": values for key, values in found.items()}
    return raw


def _flux(run: Run, whole: Any, narrow: Any) -> Arrays:
    frequencies, data = len(narrow.frequencies), narrow.data()
    found = {
        name: _spread(run, getattr(whole.found, name), getattr(narrow.found, name), data[name], frequencies)
        for name in ("E", "H")
    }
    area = [sum(float(np.sum(np.abs(w))) for _, _, w in _pieces(run, one.found.E)) for one in (whole, narrow)]
    return {"flux": np.array(mp.get_fluxes(narrow.found)) * area[0] / area[1], **found}


def _spread(run: Run, whole: Any, narrow: Any, data: np.ndarray, frequencies: int) -> np.ndarray:
    """The numbers of the narrow plane, (points x frequencies) flat, in the order of the whole plane's points."""
    heights: dict[tuple[int, int], np.ndarray] = {}
    rows = data.reshape(-1, frequencies)
    begin = 0
    for component, places, weights in _pieces(run, narrow):
        own = rows[begin : begin + weights.size]
        begin += weights.size
        for height, phase, weight, row in zip(places[0], _phase(run, places), weights, own, strict=True):
            if weight:
                heights[component, int(height)] = row / (weight * phase)
    out = []
    for component, places, weights in _pieces(run, whole):
        nothing = np.zeros(frequencies, complex)
        values = np.array(
            [
                heights[component, int(height)] if weight else nothing
                for height, weight in zip(places[0], weights, strict=True)
            ]
        )
        out.append(values * (weights * _phase(run, places))[:, None])
    return np.concatenate(out).reshape(-1)


def _pieces(run: Run, chunk: Any) -> Iterator[tuple[int, tuple[np.ndarray, ...], np.ndarray]]:
    """Of each piece its component, the places of its points (height, then across; half pixels) and their weights, in Meep's order."""
    axes = {"2D": (mp.X, mp.Y), "3D": (mp.X, mp.Y, mp.Z)}[run.dimensions]
    end = run.layers[0].axis
    order = sorted(range(len(axes)), key=lambda i: "xyz"[i] != end)
    while chunk is not None:
        sides = [_side(chunk, axis) for axis in axes]
        places = [grid.reshape(-1) for grid in np.meshgrid(*[side for side, _ in sides], indexing="ij")]
        weights = np.ones(())
        for _, own in sides:
            weights = np.multiply.outer(weights, own)
        weights = weights * chunk.dV0 if chunk.include_dV_and_interp_weights else np.ones_like(weights)
        yield chunk.c, tuple(places[i] for i in order), weights.reshape(-1) * chunk.scale
        chunk = chunk.next_in_dft


def _side(chunk: Any, axis: int) -> tuple[np.ndarray, np.ndarray]:
    """Places of a piece's points along an axis, in half pixels, and their weights there: those at the ends count in part."""
    first, last = chunk._is.in_direction(axis), chunk.ie.in_direction(axis)
    count = (last - first) // 2 + 1
    weights = np.ones(count)
    for i, end in ((count - 2, chunk.e1), (count - 1, chunk.e0), (1, chunk.s1), (0, chunk.s0)):
        if 0 <= i < count:  # of few points the first ones' weights hold
            weights[i] = end.in_direction(axis)
    return first + 2 * np.arange(count), weights


def _phase(run: Run, places: tuple[np.ndarray, ...]) -> np.ndarray:
    """exp(2 pi i k r) across."""
    end = run.layers[0].axis
    waves = [k for axis, k in zip("xyz", run.bloch or (), strict=False) if axis != end]
    turns = sum(k * at for k, at in zip(waves, places[1:], strict=False)) / (2 * run.resolution)
    return np.exp(2j * np.pi * turns) * np.ones(places[0].shape)


def _fields(run: Run, whole: Any, narrow: Any) -> Arrays:
    found: Arrays = whole.read()
    thin: Arrays = narrow.read()
    end, k = run.layers[0].axis, run.bloch or (0.0, 0.0, 0.0)
    across = [axis for axis in "xyz" if len(found[axis]) > 1 and axis != end]
    for name, values in found.items():
        if name in ("x", "y", "z", "weights"):
            continue
        one = thin[name].reshape(len(thin[name]), -1)[:, 0]
        phase = np.ones(())
        for axis in across:
            way = found[axis] - thin[axis][0]
            phase = np.multiply.outer(phase, np.exp(2j * np.pi * k["xyz".index(axis)] * way))
        found[name] = np.multiply.outer(one, phase).reshape(values.shape)
    return found
