"""Strokes of the drawings: outlines, dimension lines, light, dipoles; text is never read as markup."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, LIGHT, FAINT = "#222222", "#b42318", "#8a8a8a"
FILLS = ("#9ec5e8", "#f4c58a", "#b9d8a8", "#d9b3d4", "#e8e08f", "#c9b8a5", "#a8d5d5", "#efb0b0")
METAL = "#b0b0b0"


def text(axes: Axes, x: float, y: float, words: str, **style: Any) -> None:
    """Words at a place, as they are."""
    axes.text(
        x,
        y,
        words,
        **{"fontsize": 8, "color": INK, "parse_math": False, "ha": "center", "va": "center", **style},
    )


def box(axes: Axes, x: tuple[float, float], y: tuple[float, float], fill: str, **style: Any) -> None:
    """A filled rectangle."""
    from matplotlib.patches import Rectangle

    axes.add_patch(
        Rectangle(
            (x[0], y[0]),
            x[1] - x[0],
            y[1] - y[0],
            **{"facecolor": fill, "edgecolor": INK, "lw": 0.8, **style},
        )
    )


def disk(axes: Axes, centre: tuple[float, float], radius: float, fill: str, **style: Any) -> None:
    """A filled circle."""
    from matplotlib.patches import Circle

    axes.add_patch(Circle(centre, radius, **({"facecolor": fill, "edgecolor": INK, "lw": 0.8} | style)))


def polygon(axes: Axes, corners: Sequence[tuple[float, float]], fill: str, **style: Any) -> None:
    """A filled polygon."""
    from matplotlib.patches import Polygon

    axes.add_patch(
        Polygon(list(corners), closed=True, **({"facecolor": fill, "edgecolor": INK, "lw": 0.8} | style))
    )


def dimension(
    axes: Axes, start: tuple[float, float], end: tuple[float, float], words: str, *, side: float = 0.0
) -> None:
    """A dimension line with its words beside the middle; side: how far, in points, to the left of start to end."""
    axes.annotate(
        "",
        xy=end,
        xytext=start,
        arrowprops={"arrowstyle": "<->", "color": INK, "lw": 0.8, "shrinkA": 0, "shrinkB": 0},
    )
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    upright = abs(end[1] - start[1]) > abs(end[0] - start[0])
    axes.annotate(
        words,
        xy=middle,
        xytext=(side or 4, 0) if upright else (0, side or 4),
        textcoords="offset points",
        fontsize=7.5,
        color=INK,
        parse_math=False,
        ha="left" if upright else "center",
        va="center" if upright else "bottom",
        annotation_clip=False,
        bbox={"boxstyle": "round,pad=0.1", "fc": "white", "ec": "none", "alpha": 0.75},
    )


def arrow(
    axes: Axes, start: tuple[float, float], end: tuple[float, float], colour: str = LIGHT, style: str = "-|>"
) -> None:
    """An arrow."""
    axes.annotate(
        "",
        xy=end,
        xytext=start,
        arrowprops={"arrowstyle": style, "color": colour, "lw": 1.6},
        annotation_clip=False,
    )
