"""Runs in the sandbox: a model's code draws on a figure, and what it drew is written down as plain lists of numbers.

Standard library, NumPy and Matplotlib only. Nothing it writes is believed: the harness compares each number with the data, and
the picture is drawn by another process from what was compared. Usage: sketch.py data.json code.py drawing.json
"""

import json
import sys
from types import SimpleNamespace
from typing import Any

import matplotlib

matplotlib.use("Agg")
import numpy as np  # noqa: E402
from matplotlib import collections, colors, patches, ticker  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402


class Data(dict[str, SimpleNamespace]):
    """The numbers by name; `nodes`: the configurations by rank."""

    nodes: list[SimpleNamespace]

    def names(self, ending: str) -> list[str]:
        """Names that end so, in their order: data.names(".time")."""
        return [name for name in self if name.endswith(ending)]


def loaded(path: str) -> Data:
    with open(path, encoding="utf-8") as file:
        found = json.load(file)
    data = Data({name: SimpleNamespace(**number) for name, number in found["numbers"].items()})
    data.nodes = [SimpleNamespace(**node) for node in found["nodes"]]
    return data


def colour(value: Any) -> str:
    try:
        return colors.to_hex(value)
    except (ValueError, TypeError):
        return "#000000"


def floats(values: Any) -> list[float]:
    return [float(value) for value in np.asarray(values, dtype=float).ravel()]


def words(text: object) -> str:
    shown = str(text)
    return "" if shown.startswith("_") else shown


def axis_of(axes: Axes, which: str) -> dict[str, Any]:
    axis = getattr(axes, which + "axis")
    automatic = isinstance(axis.get_major_formatter(), (ticker.ScalarFormatter, ticker.LogFormatter))
    labels = [] if automatic else [label.get_text() for label in axis.get_ticklabels()]
    return {
        "scale": axis.get_scale(),
        "label": axis.get_label_text(),
        "inverted": bool(axis.get_inverted()),
        "ticks": [] if automatic else floats(axis.get_ticklocs()),
        "tick_labels": labels,
    }


def line_of(axes: Axes, line: Any) -> dict[str, Any]:
    transform, kind = line.get_transform(), "line"
    if transform == axes.get_yaxis_transform(which="grid"):
        kind = "across"
    elif transform == axes.get_xaxis_transform(which="grid"):
        kind = "upright"
    return {
        "kind": kind,
        "x": floats(line.get_xdata(orig=False)),
        "y": floats(line.get_ydata(orig=False)),
        "color": colour(line.get_color()),
        "marker": str(line.get_marker()),
        "style": str(line.get_linestyle()),
        "width": float(line.get_linewidth()),
        "size": float(line.get_markersize()),
        "label": words(line.get_label()),
    }


def scatter_of(found: Any) -> dict[str, Any]:
    offsets = np.asarray(found.get_offsets(), dtype=float).reshape(-1, 2)
    face = found.get_facecolor()
    return {
        "kind": "line",
        "x": floats(offsets[:, 0]),
        "y": floats(offsets[:, 1]),
        "marker": "o",
        "style": "None",
        "width": 1.0,
        "color": colour(face[0]) if len(face) else "#000000",
        "size": 5.0,
        "label": words(found.get_label()),
    }


def segments_of(found: Any) -> dict[str, Any]:
    parts = [segment for segment in found.get_segments() if len(segment) == 2]
    edge = found.get_color()
    return {
        "x0": floats([part[0][0] for part in parts]),
        "y0": floats([part[0][1] for part in parts]),
        "x1": floats([part[1][0] for part in parts]),
        "y1": floats([part[1][1] for part in parts]),
        "color": colour(edge[0]) if len(edge) else "#000000",
        "whole": len(parts) == len(found.get_segments()),
    }


def bar_of(patch: Any, label: str) -> dict[str, Any]:
    return {
        "x": float(patch.get_x()),
        "y": float(patch.get_y()),
        "width": float(patch.get_width()),
        "height": float(patch.get_height()),
        "color": colour(patch.get_facecolor()),
        "hatch": str(patch.get_hatch() or ""),
        "label": label,
    }


def axes_of(axes: Axes) -> dict[str, Any]:
    labels: dict[int, str] = {}
    for container in axes.containers:
        for number, patch in enumerate(getattr(container, "patches", [])):
            labels[id(patch)] = words(container.get_label()) if number == 0 else ""
    box = axes.get_position()
    found: dict[str, Any] = {
        "box": [box.x0, box.y0, box.width, box.height],
        "x_axis": axis_of(axes, "x"),
        "y_axis": axis_of(axes, "y"),
        "lines": [],
        "segments": [],
        "bars": [],
        "legend": axes.get_legend() is not None,
        "other": [type(text).__name__ for text in axes.texts]
        + [type(image).__name__ for image in axes.images],
    }
    for line in axes.lines:
        found["lines"].append(line_of(axes, line))
    for collection in axes.collections:
        if isinstance(collection, collections.LineCollection):
            found["segments"].append(segments_of(collection))
        elif isinstance(collection, collections.PathCollection):
            found["lines"].append(scatter_of(collection))
        else:
            found["other"].append(type(collection).__name__)
    for patch in axes.patches:
        if isinstance(patch, patches.Rectangle):
            found["bars"].append(bar_of(patch, labels.get(id(patch), words(patch.get_label()))))
        else:
            found["other"].append(type(patch).__name__)
    return found


def main(data_file: str, code_file: str, target: str) -> None:
    figure = Figure(figsize=(6.0, 3.8))
    with open(code_file, encoding="utf-8") as file:
        code = compile(file.read(), "figure code", "exec")
    exec(code, {"data": loaded(data_file), "figure": figure, "np": np, "__name__": "figure"})
    figure.canvas.draw()
    found = {
        "axes": [axes_of(axes) for axes in figure.axes],
        "other": [type(text).__name__ for text in figure.texts],
    }
    with open(target, "w", encoding="utf-8") as file:
        json.dump(found, file)


if __name__ == "__main__":
    main(*sys.argv[1:4])
