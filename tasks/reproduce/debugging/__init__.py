"""Debug mode: pictures and findings about what a quick run really built, and what to do next."""

from __future__ import annotations

from tasks.reproduce.debugging.cells import CELLS, Cells, read_cells
from tasks.reproduce.debugging.debug_pictures import draw_pictures
from tasks.reproduce.debugging.diagnosis import write_debug_report
from tasks.reproduce.debugging.findings import geometry_check, resonance, written_files
from tasks.reproduce.debugging.recommendations import recommendations
from tasks.reproduce.debugging.resolution import debug_scale

__all__ = [
    "CELLS",
    "Cells",
    "debug_scale",
    "draw_pictures",
    "geometry_check",
    "read_cells",
    "recommendations",
    "resonance",
    "write_debug_report",
    "written_files",
]
