"""Reading what simkit noted about the cells of a debug run. The only place that knows where it stands."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from schemas.reproduce.simulations.debugging import Cell
from schemas.reproduce.simulations.execution import Execution
from tasks.reproduce.collect import UnsafeOutput, check_png, read_json, read_manifest

CELLS = "cells"  # below a described stage's study: a folder for each scene that was looked at


class Cells(NamedTuple):
    """The cells of a stage's Meep runs, the folder that each was noted in, and what could not be read."""

    cells: tuple[Cell, ...] = ()
    folders: tuple[Path, ...] = ()
    fault: str = ""

    def fullest(self) -> Cell | None:
        """The cell with most objects, monitors and sources: the structure rather than its reference run."""
        sound = [cell for cell in self.cells if not cell.fault]
        return max(sound, key=lambda c: (c.object_count, len(c.monitors), len(c.sources)), default=None)

    def picture(self) -> Path | None:
        """The picture of the fullest cell, if it is a sound PNG."""
        cell = self.fullest()
        if cell is None or not cell.picture or "/" in cell.picture:
            return None
        path = self.folders[self.cells.index(cell)] / cell.picture
        try:
            check_png(path)
        except (UnsafeOutput, OSError):
            return None
        return path


def read_cells(executions: tuple[Execution, ...], run_dir: Path) -> Cells:
    """The cells of a description's scenes, else of the first execution that noted any. Written inside the sandbox: checked,
    shown, never judged by."""
    fault = "no simulation ran"
    for execution in executions:
        looks = sorted((run_dir / execution.stage_id / "study" / CELLS).glob("*/cell.json"))
        if looks:
            return _looked_at(looks)
        folder = run_dir / execution.directory / "data"
        try:
            entries = read_manifest(folder / "results.json").get("cells", [])
            cells = tuple(Cell.model_validate(entry) for entry in list(entries)[:20])
        except (UnsafeOutput, OSError, ValidationError, TypeError) as error:
            fault = f"the simulation's notes on its cell cannot be read: {' '.join(str(error).split())[:200]}"
            continue
        if any(not cell.fault for cell in cells):
            return Cells(cells, (folder,) * len(cells))
        fault = next(
            (cell.fault for cell in cells),
            "the simulation made no time-domain or frequency-domain run in a "
            "Meep cell (band structures have none)",
        )
    return Cells(fault=fault)


def _looked_at(looks: list[Path]) -> Cells:
    cells = []
    for path in looks:
        try:
            cells.append(Cell.model_validate(read_json(path, 1 << 20)))
        except (UnsafeOutput, OSError, ValidationError) as error:
            cells.append(Cell(label=path.parent.name, fault=" ".join(str(error).split())[:300]))
    fault = "; ".join(f"{cell.label}: {cell.fault}" for cell in cells if cell.fault)
    return Cells(tuple(cells), tuple(path.parent for path in looks), fault)
