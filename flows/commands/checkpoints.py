"""Checkpoints on the command line: list them, and fork a run from one."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from flows.console import printable
from flows.opening import find_run
from tasks.checkpoints import list_checkpoints


def show_checkpoints(outputs: Path, run: str) -> None:
    """Name, time, stage and size of a run's checkpoints."""
    run_dir = find_run(outputs, run)
    found = list_checkpoints(run_dir)
    if not found:
        print(f"{run_dir.name} has no checkpoint yet (or was made by a version that kept no record of them)")
        return
    wide, stages = (max(len(text) for text in texts) for texts in (
        [c.name for c in found], ["stage", *(c.stage_id for c in found)]))
    print(f"{'checkpoint':{wide}}  {'time (UTC)':19}  {'stage':{stages}}       kB  answers")  # never cut: names are typed again
    for entry in found:
        when = datetime.strptime(entry.timestamp, "%Y%m%d_%H%M%S_%f").strftime("%Y-%m-%d %H:%M:%S")
        print(printable(f"{entry.name:{wide}}  {when}  {entry.stage_id:{stages}}  {entry.size_kb:7.1f}  {len(entry.passed):7}"))
    print(f"\nreprolab fork {run_dir.name} --checkpoint NAME          a new run from there\n"
          f"reprolab resume {run_dir.name} --from-checkpoint NAME   the same run, back to there (the newest of a name counts)")
