"""Contact sheets: many plots on few pages, so that a request shows every one of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

COLUMNS, ROWS = 2, 3
_TILE_PX = (
    772,
    514,
)  # two by three stay within 1568 px, beyond which pictures are scaled down by model servers


def contact_sheets(plots: Sequence[Path], folder: Path) -> tuple[tuple[Path, tuple[Path, ...]], ...]:
    """Write folder/sheet_<n>.png with up to six plots each; returns (sheet, plots on it) in order.

    plots: PNG files of ours. The bytes of a sheet depend on its plots alone.
    """
    size = COLUMNS * ROWS
    pages = [tuple(plots[start : start + size]) for start in range(0, len(plots), size)]
    return tuple((_sheet(page, folder / f"sheet_{number}.png"), page) for number, page in enumerate(pages, 1))


def _sheet(plots: tuple[Path, ...], path: Path) -> Path:
    width, height = _TILE_PX
    rows = -(-len(plots) // COLUMNS)
    sheet = Image.new("RGB", (COLUMNS * width + 12, rows * height + 12), "white")
    for place, plot in enumerate(plots):
        with Image.open(plot, formats=("PNG",)) as opened:
            tile = opened.convert("RGB")
        tile.thumbnail((width - 12, height - 12), Image.Resampling.LANCZOS)
        sheet.paste(tile, (12 + place % COLUMNS * width, 12 + place // COLUMNS * height))
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    sheet.save(partial, format="PNG", optimize=True)
    os.replace(partial, path)
    return path
