"""What was read of figures as files: tables, the picture over the page, the page to mend it on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from schemas.errors import InputError
from tasks.digitise.mending.mending_page import mending_page
from tasks.digitise.overlay import overlay_of
from tasks.digitise.reading import Reading
from tasks.files.store import atomic_write

COLUMNS = ("x", "y", "x_error", "y_error")
BARS = (
    "x_low",
    "x_high",
    "y_low",
    "y_high",
)  # behind them where points have error bars
MAP_COLUMNS = ("x", "y", "value", "value_error")


def csv_of(table: NDArray[np.float64], columns: Sequence[str] = COLUMNS) -> str:
    """A curve's table as CSV; an empty line where the curve has a gap."""
    lines = [",".join(columns)]
    lines[0] += "".join(f",{name}" for name in BARS) if table.shape[1] == len(COLUMNS) + len(BARS) else ""
    for row in table.tolist():
        bars = "".join("," if end != end else f",{end:.10g}" for end in row[4:])
        lines.append(
            "" if row[0] != row[0] else f"{row[0]:.10g},{row[1]:.10g},{row[2]:.3g},{row[3]:.3g}{bars}"
        )
    return "\n".join(lines) + "\n"


def write_reading(reading: Reading, folder: Path, then: str = "") -> list[Path]:
    """Write figures.json, a CSV for each curve, overlay.png and mend.html into a folder. Raises InputError if it exists.

    then: the command that takes what mend.html saves.
    """
    if folder.exists():
        raise InputError("the folder exists already", found=folder, fix="give another one with --out")
    files = {
        name: csv_of(table, MAP_COLUMNS if name.endswith("-map.csv") else COLUMNS).encode()
        for name, table in reading.tables.items()
    }
    files["figures.json"] = (json.dumps(reading.figures.model_dump(mode="json"), indent=1) + "\n").encode()
    files["overlay.png"] = overlay_of(reading)
    title = f"{reading.figures.source}, page {reading.figures.page}"
    files["mend.html"] = mending_page(reading, title, then, f"{folder.name[:60]}-mended.json").encode()
    return [atomic_write(folder / name, content) for name, content in files.items()]
