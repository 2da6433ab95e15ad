"""FigureReaderAgent: what are the axes and curves of a figure called? It sees the picture and what code read of it."""

from __future__ import annotations

from typing import Any

from agents.reproduce.crew import declare
from schemas.documents.mended import SeenAxis
from schemas.reproduce.figure_names import FigureNames
from schemas.reproduce.figures_read import ProposedFigure

AGENT = declare(
    "figure_reader", FigureNames, ("figure_id", "caption", "proposal", "not_read"), sees_images=True
)


def context(figure: ProposedFigure, caption: str) -> dict[str, object]:
    """One figure: its caption, and what code read of it."""
    return {
        "figure_id": figure.figure_id,
        "caption": caption,
        "proposal": {"axes": [_axis(axis) for axis in figure.seen], "curves": _curves(figure)},
        "not_read": figure.why[:20],
    }


def _axis(axis: SeenAxis) -> dict[str, Any]:
    low, high = axis.ends

    def part(place: float) -> float:
        return round((place - low) / (high - low), 3) if high != low else 0.0

    return {
        "panel": axis.panel,
        "axis": axis.axis,
        "name": axis.name,
        "unit": axis.unit,
        "kind": axis.kind,
        "refused": axis.refused,
        "values": [{"place": part(place), "value": value} for place, value in axis.marks],
        "ticks": [part(place) for place in axis.ticks[:60]],
    }


def _curves(figure: ProposedFigure) -> list[dict[str, Any]]:
    """The curves as the overlay numbers them; maps have numbers too."""
    found: list[dict[str, Any]] = []
    number = 0
    panel_of = {axis.offered: axis.panel for axis in figure.seen if axis.offered}
    for place, panel in enumerate(figure.proposal.panels if figure.proposal else (), 1):
        for curve in panel.curves:
            number += 1
            found.append(
                {"curve": number, "panel": panel_of.get(place), "name": curve.name, "drawn": curve.kind}
            )
        number += len(panel.maps)
    return found
