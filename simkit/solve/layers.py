"""Plane stacks: every interface exact on its node, resistive sheets, absorbing layers of the cell."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import meep as mp

from simkit.errors import GeometryError
from simkit.interfaces import NODE_BLOCK_PX, dispersive_interface, node_layers
from simkit.media import is_dispersive, mixture
from simkit.runs import Run
from simkit.shapes import slab_block
from simkit.solve.media import is_conductor
from simkit.solve.shapes import WHISKER_PX, box_of, plain

Media = Callable[[Mapping[str, Any]], Any]
SEAM_PX = 1e-6


def stack_objects(run: Run, media: Media) -> list[Any]:
    """Blocks of the run's `stack`.

    Without smoothing every node at an interface gets the mean of its pixel (simkit/interfaces.py); with smoothing plain
    blocks, which Meep averages itself. Next to an ideal metal nothing is mixed: its faces belong on nodes.
    """
    if not run.stack:
        return []
    cell, axis = _whole(run), run.stack_axis
    parts = _filled(run)
    edges = [high for _, _, high in parts[:-1]]
    mediums = [media(described) for described, _, _ in parts]
    if run.smoothing or any(is_conductor(described) for described, _, _ in parts):
        drawn = _plain(run, cell, parts, mediums)
        if not run.smoothing:
            drawn += _mixed_nodes(run, cell, parts, mediums)
    else:
        drawn = node_layers(cell, axis, edges, mediums, run.resolution)
    return drawn


def _whole(run: Run) -> Any:
    """The cell that plain films span: twice as wide as a cylindrical one, which starts at its axis."""
    radial = run.dimensions == "cylindrical"
    return mp.Vector3(run.cell[0] * (2 if radial else 1), run.cell[1], run.cell[2])


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
            raise GeometryError(
                f"layers of the stack overlap between {low:g} and {position:g} along {run.stack_axis}."
            )
        if low > position + seam:
            found.append((run.background, position, low))
        found.append((described, found[-1][2] if found and low <= position + seam else low, high))
        position = high
    if position < top - seam:
        found.append((run.background, position, top))
    return found


def _plain(run: Run, cell: Any, parts: Sequence[Any], mediums: Sequence[Any]) -> list[Any]:
    # Each layer beyond the end, overpainted by the next: one edge an interface, no seam. Ideal metals last, with their faces.
    drawn, side = [], cell["xyz".index(run.stack_axis)]
    for (described, low, _), medium in zip(parts, mediums, strict=True):
        if not is_conductor(described):
            drawn.append(slab_block(run.stack_axis, low, side, medium))
    whisker = WHISKER_PX / run.resolution  # so that the node on a face belongs to the metal
    for (described, low, high), medium in zip(parts, mediums, strict=True):
        if is_conductor(described):
            drawn.append(slab_block(run.stack_axis, low - whisker, high + whisker, medium))
    return drawn


def _mixed_nodes(run: Run, cell: Any, parts: Sequence[Any], mediums: Sequence[Any]) -> list[Any]:
    drawn = []
    for (one, below), (other, above) in itertools.pairwise(zip(parts, mediums, strict=True)):
        if not is_conductor(one[0]) and not is_conductor(other[0]):
            drawn += dispersive_interface(cell, run.stack_axis, one[2], below, above, run.resolution)
    return drawn


def sheet_objects(run: Run, media: Media) -> list[Any]:
    """Resistive sheets, to be painted last: one node each, its pixel conducting 1/resistance (impedances of free space)."""
    pixel, drawn = 1 / run.resolution, []
    for position, resistance in run.sheets:
        node = round(position * run.resolution)
        around = [_medium_at(run, (node + side) * pixel) for side in (-0.25, 0.25)]
        mediums = [media(described) for described in around]
        if any(is_conductor(d) or is_dispersive(m) for d, m in zip(around, mediums, strict=True)):
            raise GeometryError(
                f"the resistive sheet at {position:g} touches a metal or a medium with poles; it must lie in"
                " or between lossless media."
            )
        own = mixture([(medium, 0.5) for medium in mediums])
        own.D_conductivity_diag = mp.Vector3(*(1 / (resistance * pixel * e) for e in own.epsilon_diag))
        half = NODE_BLOCK_PX / 2
        drawn.append(slab_block(run.stack_axis, (node - half) * pixel, (node + half) * pixel, own))
    return drawn


def _medium_at(run: Run, place: float) -> Mapping[str, Any]:
    """What is drawn at a place of the stack's axis. Raises GeometryError beside a body that does not span the cell."""
    for body in reversed(list(plain(run.geometry))):
        low, high = box_of(body)
        number = "xyz".index(run.stack_axis)
        if not low[number] <= place <= high[number]:
            continue
        spans = all(
            i == number or not side or (low[i] <= -side / 2 and high[i] >= side / 2)
            for i, side in enumerate(run.cell)
        )
        if body["type"] != "block" or not spans:
            raise GeometryError(
                f"a resistive sheet at {place:g} lies at a patterned body ({body.get('id', body['type'])}); it"
                " must lie in or between plain films."
            )
        return body["medium"]
    return next((described for described, low, high in run.stack if low <= place <= high), run.background)


def boundary_layers(run: Run) -> list[Any]:
    """Meep's PML and absorbers."""
    kinds, axes = {"pml": mp.PML, "absorber": mp.Absorber}, {"x": mp.X, "y": mp.Y, "z": mp.Z}
    sides = {"both": mp.ALL, "low": mp.Low, "high": mp.High}
    if run.dimensions == "cylindrical":
        axes["x"] = mp.R
    return [
        kinds[layer.kind](layer.thickness, direction=axes[layer.axis], side=sides[layer.side])
        for layer in run.layers
    ]
