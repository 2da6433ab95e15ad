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
    tiles = []
    for plot in plots:
        with Image.open(plot, formats=("PNG",)) as opened:
            tile = opened.convert("RGB")
        tile.thumbnail((width - 12, height - 12), Image.Resampling.LANCZOS)
        tiles.append(tile)
    rows = [tiles[start : start + COLUMNS] for start in range(0, len(tiles), COLUMNS)]
    heights = [max(tile.height for tile in row) + 12 for row in rows]
    sheet = Image.new("RGB", (COLUMNS * width + 12, sum(heights) + 12), "white")
    for number, row in enumerate(rows):
        for place, tile in enumerate(row):
            sheet.paste(tile, (12 + place * width, 12 + sum(heights[:number])))
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    sheet.save(partial, format="PNG", optimize=True)
    os.replace(partial, path)
    return path
