"""Drawn figures as numbers at the command line."""

from __future__ import annotations

from pathlib import Path

from flows.commands.gist import printable, short
from flows.terminal.console import show
from schemas.errors import InputError
from tasks.digitise.reading import read_figures, write_reading


def digitise_page(file: Path, page: int, figure: str, out: Path | None) -> None:
    """Read a page's figures into a folder and say what was read. Raises InputError, also where nothing was read."""
    folder = out or Path(f"{file.stem}-digitised")
    if folder.exists():
        raise InputError("the folder exists already", found=folder, fix="give another one with --out")
    reading = read_figures(file, page, figure)
    found = reading.figures
    if found.refused:
        raise InputError(f"no figure was read on page {page} of {file}", found=found.refused)
    write_reading(reading, folder)
    lines = []
    for panel in found.panels:
        lines.append(
            f"panel {panel.panel}: "
            + (f"refused, {panel.refused}" if panel.refused else f"{len(panel.curves)} curves")
        )
        lines += [
            f"  {axis.side} axis refused: {axis.refused}"
            for axis in panel.axes
            if axis.refused and not panel.refused
        ]
        lines += [
            f"  {curve.file}: {curve.name or curve.colour}, {curve.points} points, {curve.gaps} gaps"
            for curve in panel.curves
        ]
        lines += [f"  not read: {words}" for words in panel.not_read]
    show("\n".join(printable(short(line, 200)) for line in lines))
    show(f"{folder}/overlay.png shows what was read over the page: look at it before you use a number")
