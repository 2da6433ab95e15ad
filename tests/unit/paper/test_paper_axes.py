"""What the renderer of figures draws: a logarithmic axis can be read, a legend lies over no datum."""

from __future__ import annotations

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from tasks.explore.figures.inside import render

pytestmark = pytest.mark.unit


def drawn(*values: float, labels: tuple[str, ...] = ()) -> tuple[Figure, object]:
    """A figure with one line of values on a logarithmic axis, or one for each label."""
    axis = {"scale": "linear", "label": "node", "inverted": False, "ticks": [], "tick_labels": []}
    line = {
        "kind": "line",
        "x": list(range(len(values))),
        "y": list(values),
        "color": "#000000",
        "marker": "o",
        "style": "-",
        "width": 1.0,
        "size": 5.0,
        "label": "",
    }
    figure = Figure(figsize=(4.6, 2.9), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    render.draw(
        axes,
        {
            "bars": [],
            "segments": [],
            "lines": [{**line, "label": label} for label in labels or ("",)],
            "x_axis": axis,
            "y_axis": {**axis, "scale": "log", "label": "time (ms)"},
            "x_categories": False,
            "y_categories": False,
            "legend": bool(labels),
        },
    )
    figure.canvas.draw()
    return figure, axes


@pytest.mark.filterwarnings("error:Glyph")
@pytest.mark.parametrize(
    ("values", "some"),
    [
        ((1.2, 7.5), "2"),
        ((0.11, 0.9), "0.2"),
        ((0.5, 3.0), "1"),
        ((2.11, 2.13), "2.12"),
        ((3e-9, 4e-3), "10⁻⁵"),
        ((2e-6, 7e-6), "3×10⁻⁶"),
        ((1.0, 5e5), "100"),
    ],
)
def test_a_logarithmic_axis_shows_at_least_two_values(values: tuple[float, ...], some: str) -> None:
    _, axes = drawn(*values)
    low, high = axes.get_ylim()  # type: ignore[attr-defined]
    ticks = axes.yaxis.get_major_ticks()  # type: ignore[attr-defined]
    shown = [
        tick.label1.get_text() for tick in ticks if low <= tick.get_loc() <= high and tick.label1.get_text()
    ]
    assert len(shown) >= 2 and some in shown, shown


def test_a_legend_stands_above_the_plot() -> None:
    figure, axes = drawn(
        1.0, 4.0, labels=("n001 first", "n002 second", "n003 a third with many words", "n004")
    )
    legend = axes.get_legend().get_window_extent()  # type: ignore[attr-defined]
    assert legend.y0 >= axes.get_window_extent().y1 - 1  # type: ignore[attr-defined]
    assert legend.y1 <= figure.bbox.y1 and legend.x0 >= 0 and legend.x1 <= figure.bbox.x1, (
        "inside the picture"
    )
