"""Matplotlib's figures as files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def save_figure(figure: Figure, path: Path, dpi: int = 110) -> Path:
    """Write a figure as PNG, atomically; returns its path."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    figure.set_dpi(dpi)
    FigureCanvasAgg(figure).print_png(str(partial))  # type: ignore[no-untyped-call]  # savefig would draw twice for the layout
    os.replace(partial, path)
    return path
