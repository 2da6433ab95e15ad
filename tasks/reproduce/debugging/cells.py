"""Reading what simkit noted about the cells of a debug run. The only place that knows where it stands."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from schemas.reproduce.debugging import Cell
from schemas.reproduce.execution import Execution
from tasks.reproduce.collect import UnsafeOutput, check_png, read_manifest


class Cells(NamedTuple):
    """The cells of a stage's Meep runs, the folder of their pictures, and what could not be read."""

    cells: tuple[Cell, ...] = ()
    folder: Path | None = None
    fault: str = ""
    drawing: Path | None = None  # of a described scene, with its dimensions, instead of a cell

    def fullest(self) -> Cell | None:
        """The cell with most objects, monitors and sources: the structure rather than its reference run."""
        sound = [cell for cell in self.cells if not cell.fault]
        return max(sound, key=lambda c: (c.object_count, len(c.monitors), len(c.sources)), default=None)

    def picture(self) -> Path | None:
        """The picture of the fullest cell, if it is a sound PNG."""
        cell = self.fullest()
        path = self.drawing
        if cell is not None and self.folder is not None and cell.picture and "/" not in cell.picture:
            path = self.folder / cell.picture
        if path is None:
            return None
        try:
            check_png(path)
        except (UnsafeOutput, OSError):
            return None
        return path


def read_cells(executions: tuple[Execution, ...], run_dir: Path) -> Cells:
    """The cells of the first execution that noted any. Written inside the sandbox: checked, shown, never judged by."""
    fault = "no simulation ran"
    for execution in executions:
        drawn = sorted((run_dir / execution.stage_id / "study" / "drawings").glob("*.png"))
        if drawn:
            return Cells(fault="a description: trusted code places sources and monitors; geometry_check.png shows the scene",
                         drawing=drawn[0])
        folder = run_dir / execution.directory / "data"
        try:
            entries = read_manifest(folder / "results.json").get("cells", [])
            cells = tuple(Cell.model_validate(entry) for entry in list(entries)[:20])
        except (UnsafeOutput, OSError, ValidationError, TypeError) as error:
            fault = f"the simulation's notes on its cell cannot be read: {' '.join(str(error).split())[:200]}"
            continue
        if any(not cell.fault for cell in cells):
            return Cells(cells, folder)
        fault = next((cell.fault for cell in cells), "the simulation made no time-domain or frequency-domain run in a "
                                                     "Meep cell (band structures have none)")
    return Cells(fault=fault)
