"""Plane stacks: every interface exact on its node, resistive sheets, absorbing layers of the cell."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import meep as mp

from simkit.errors import GeometryError
from simkit.interfaces import node_layers
from simkit.runs import Run
from simkit.shapes import slab_block
from simkit.solve.media import is_conductor
from simkit.solve.shapes import WHISKER_PX

Media = Callable[[Mapping[str, Any]], Any]
SEAM_PX = 1e-6


def stack_objects(run: Run, media: Media) -> list[Any]:
    """Blocks of the run's `stack` and `sheets`.

    Without smoothing every node at an interface gets the mean of its pixel (simkit/interfaces.py); with smoothing plain
    blocks, which Meep averages itself. Next to an ideal metal nothing is mixed: its faces belong on nodes.
    """
    if not run.stack and not run.sheets:
        return []
    cell, axis = mp.Vector3(*run.cell), run.stack_axis
    parts = _filled(run)
    edges = [high for _, _, high in parts[:-1]]
    mediums = [media(described) for described, _, _ in parts]
    if run.smoothing or any(is_conductor(described) for described, _, _ in parts):
        drawn = _plain(run, cell, parts, mediums)
        if not run.smoothing:
            drawn += _mixed_nodes(run, cell, parts, mediums)
    else:
        drawn = node_layers(cell, axis, edges, mediums, run.resolution)
    return drawn + [_sheet(run, cell, parts, mediums, *sheet) for sheet in run.sheets]


def _filled(run: Run) -> list[tuple[Mapping[str, Any], float, float]]:
    """The stack from edge to edge of the cell, gaps filled with the background."""
    side = run.cell["xyz".index(run.stack_axis)]
    if not side > 0:
        raise GeometryError(f"the stack runs along {run.stack_axis}, where the cell has no extent.")
    bottom, top = -side / 2, side / 2
    seam = SEAM_PX / run.resolution
    found: list[tuple[Mapping[str, Any], float, float]] = []
    position = bottom
    for described, low, high in sorted(run.stack, key=lambda layer: layer[1]):
        low, high = max(float(low), bottom), min(float(high), top)
        if high - low <= seam:
            continue
        if low < position - seam:
            raise GeometryError(f"layers of the stack overlap between {low:g} and {position:g} along {run.stack_axis}.")
        if low > position + seam:
            found.append((run.background, position, low))
        found.append((described, found[-1][2] if found and low <= position + seam else low, high))
        position = high
    if position < top - seam:
        found.append((run.background, position, top))
    return found


def _plain(run: Run, cell: Any, parts: Sequence[Any], mediums: Sequence[Any]) -> list[Any]:
    # Each layer to the end, overpainted by the next: one edge an interface, no seam. Ideal metals last, with their faces.
    drawn, side = [], cell["xyz".index(run.stack_axis)]
    for (described, low, _), medium in zip(parts, mediums, strict=True):
        if not is_conductor(described):
            drawn.append(slab_block(cell, run.stack_axis, low, side / 2, medium))
    whisker = WHISKER_PX / run.resolution  # so that the node on a face belongs to the metal
    for (described, low, high), medium in zip(parts, mediums, strict=True):
        if is_conductor(described):
            drawn.append(slab_block(cell, run.stack_axis, low - whisker, high + whisker, medium))
    return drawn


def _mixed_nodes(run: Run, cell: Any, parts: Sequence[Any], mediums: Sequence[Any]) -> list[Any]:
    from simkit.interfaces import dispersive_interface

    drawn = []
    for (one, below), (other, above) in itertools.pairwise(zip(parts, mediums, strict=True)):
        if not is_conductor(one[0]) and not is_conductor(other[0]):
            drawn += dispersive_interface(cell, run.stack_axis, one[2], below, above, run.resolution)
    return drawn


def _sheet(run: Run, cell: Any, parts: Sequence[Any], mediums: Sequence[Any], position: float, resistance: float) -> Any:
    """One node with the sheet's conductance (1/resistance, impedances of free space) spread over its pixel."""
    from simkit.media import is_dispersive, mixture

    node, pixel = round(position * run.resolution), 1 / run.resolution
    inside = []
    for (_, low, high), medium in zip(parts, mediums, strict=True):
        share = (min(high, (node + 0.5) * pixel) - max(low, (node - 0.5) * pixel)) / pixel
        if share > SEAM_PX:
            inside.append((medium, share))
    if any(is_dispersive(medium) or medium.epsilon_diag.x < 0 for medium, _ in inside):
        raise GeometryError(f"the resistive sheet at {position:g} touches a metal or a medium with poles; it must lie in"
                            " or between lossless media.")
    total = sum(share for _, share in inside)
    own = mixture([(medium, share / total) for medium, share in inside])
    own.D_conductivity_diag = mp.Vector3(*(1 / (resistance * pixel * e) for e in own.epsilon_diag))
    return slab_block(cell, run.stack_axis, (node - 0.49) * pixel, (node + 0.49) * pixel, own)


def boundary_layers(run: Run) -> list[Any]:
    """Meep's PML and absorbers."""
    kinds, axes = {"pml": mp.PML, "absorber": mp.Absorber}, {"x": mp.X, "y": mp.Y, "z": mp.Z}
    sides = {"both": mp.ALL, "low": mp.Low, "high": mp.High}
    if run.dimensions == "cylindrical":
        axes["x"] = mp.R
    return [kinds[layer.kind](layer.thickness, direction=axes[layer.axis], side=sides[layer.side]) for layer in run.layers]
