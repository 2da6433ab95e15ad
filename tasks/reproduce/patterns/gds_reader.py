"""Reads one layer of a GDSII file, alone in the sandbox: layout.gds and asked.json in, pieces.json out. gdstk and numpy only."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import gdstk

UM = 1e-6
MOST_POLYGONS, MOST_POINTS = 50_000, 1_000_000
LISTED = 8


def pieces_of(file: Path, asked: dict[str, Any]) -> dict[str, Any]:
    """The layer's outlines, joined and without holes, in um; or what is wrong with it."""
    layer, datatype = asked["layer"], asked["datatype"]
    library = gdstk.read_gds(str(file), unit=UM)
    cells = {cell.name: cell for cell in library.cells if hasattr(cell, "get_polygons")}
    tops = [cell.name for cell in library.top_level()]
    name = asked["cell"] or (tops[0] if len(tops) == 1 else "")
    if name not in cells:
        listed = ", ".join(sorted(tops or cells)[:LISTED])
        return {
            "error": f"has no cell {asked['cell']!r}: name one of {listed}"
            if asked["cell"]
            else f"name its cell: {listed}"
        }
    drawn = cells[name].get_polygons(layer=layer, datatype=datatype)
    if len(drawn) > MOST_POLYGONS or sum(polygon.size for polygon in drawn) > MOST_POINTS:
        return {
            "error": f"draws {len(drawn)} polygons in layer {layer}/{datatype}, at most {MOST_POLYGONS} are read"
        }
    if not drawn:
        found = sorted({(p.layer, p.datatype) for p in cells[name].get_polygons()})[:LISTED]
        return {
            "error": f"draws nothing in layer {layer}/{datatype} of {name}; layers: {', '.join(f'{a}/{b}' for a, b in found)}"
        }
    precision = max(library.precision / UM, 1e-6)
    joined = gdstk.boolean(drawn, [], "or", precision=precision)
    pieces = [piece for polygon in joined for piece in _opened(polygon, precision)]
    return {"pieces": [piece.points.tolist() for piece in pieces]}


def _opened(polygon: Any, precision: float) -> list[Any]:
    """A polygon cut along y through each of its holes, which gdstk joins to its edge by a slit."""
    (left, low), (right, high) = polygon.bounding_box()
    edge = 10 * precision
    frame = gdstk.rectangle((left - edge, low - edge), (right + edge, high + edge))
    spans = []
    for hole in gdstk.boolean(frame, polygon, "not", precision=precision):
        (a, _), (b, _) = hole.bounding_box()
        if a > left - edge / 2:
            spans.append((a, b))
    cuts: list[float] = []
    for a, b in sorted(spans, key=lambda span: span[1]):
        if not (cuts and a < cuts[-1] < b):
            cuts.append((a + b) / 2)
    return (
        [piece for part in gdstk.slice(polygon, cuts, "x", precision=precision) for piece in part]
        if cuts
        else [polygon]
    )


def main() -> int:
    """Read and write."""
    inputs = Path(os.environ["GDS_INPUTS"])
    asked = json.loads((inputs / "asked.json").read_text(encoding="utf-8"))
    try:
        answer = pieces_of(inputs / "layout.gds", asked)
    except (RuntimeError, ValueError, TypeError, OSError) as error:
        answer = {"error": f"is no GDSII file that can be read: {error}"[:400]}
    (Path(os.environ["GDS_OUTPUT"]) / "pieces.json").write_text(json.dumps(answer), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
