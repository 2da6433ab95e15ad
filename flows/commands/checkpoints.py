"""Checkpoints on the command line: list them, and fork a run from one."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from rich.console import Console as Screen
from rich.table import Table

from flows.opening import find_run
from tasks.checkpoints import list_checkpoints


def show_checkpoints(outputs: Path, run: str) -> None:
    """Name, time, stage and size of a run's checkpoints."""
    run_dir = find_run(outputs, run)
    found = list_checkpoints(run_dir)
    if not found:
        print(f"{run_dir.name} has no checkpoint yet (or was made by a version that kept no record of them)")
        return
    table = Table(show_edge=False, pad_edge=False)
    for name in ("checkpoint", "time (UTC)", "stage", "kB", "answers"):
        table.add_column(name, no_wrap=True)
    for entry in found:
        when = datetime.strptime(entry.timestamp, "%Y%m%d_%H%M%S_%f").strftime("%Y-%m-%d %H:%M:%S")
        table.add_row(entry.name, when, entry.stage_id, f"{entry.size_kb:.1f}", str(len(entry.passed)))
    Screen().print(table)
    print(f"\nreprolab fork {run_dir.name} --checkpoint NAME          a new run from there\n"
          f"reprolab resume {run_dir.name} --from-checkpoint NAME   the same run, back to there (the newest of a name counts)")
