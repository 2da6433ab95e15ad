"""Every scene of a description as a picture with dimensions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from simkit.describe.parameters import Parameters
from simkit.describe.problem import Problem
from tasks.reproduce.drawing.bodies import figure_of_bodies
from tasks.reproduce.drawing.dimension_labels import Node, Words
from tasks.reproduce.drawing.stack import figure_of_cell

MOST_SCENES = 6


def draw_scenes(
    parametric: Mapping[str, Any], problem: Problem, parameters: Parameters, folder: Path
) -> dict[str, Path]:
    """Write folder/scene_ID.png for the first MOST_SCENES scenes; the paths by scene id.

    parametric: the description's document with expressions; problem: the same in plain numbers (base units).
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    words = Words(parameters.items(), parameters.scale)
    out = {}
    folder.mkdir(parents=True, exist_ok=True)
    for expressed, scene in list(zip(parametric["scenes"], problem.scenes, strict=True))[:MOST_SCENES]:
        node = Node(expressed, scene.model_dump(mode="json"))
        figure = figure_of_cell(node, words) if scene.type == "unit_cell" else figure_of_bodies(node, words)
        path = folder / f"scene_{scene.id}.png"
        FigureCanvasAgg(figure).print_png(str(path))  # type: ignore[no-untyped-call]
        out[scene.id] = path
    return out
