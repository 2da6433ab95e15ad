"""Checkpoints on the command line: a list to choose from."""

from __future__ import annotations

from pathlib import Path

from flows.reproduce.rewinding import settle
from flows.run.records import find_record, workflow_of
from flows.terminal.console import printable, show
from schemas.run.pasted import on_run
from tasks.files.checkpoints import list_checkpoints, when


def show_checkpoints(outputs: Path, run: str) -> None:
    """Name, time, stage and size of a run's checkpoints; one that a resumed run saved again is shown once."""
    run_dir = find_record(outputs, run)
    other = {"explore": "an exploration", "study": "a study"}.get(workflow_of(run_dir), "")
    if not other:
        settle(run_dir)
    found = {(c.name, c.stage_id, frozenset(c.passed)): c for c in list_checkpoints(run_dir)}.values()
    if not found:
        show(f"{run_dir.name} has no checkpoint yet (or was made by a version that kept no record of them)")
        return
    wide, stages = (
        max(len(text) for text in texts)
        for texts in ([c.name for c in found], ["stage", *(c.stage_id for c in found)])
    )
    show(
        f"{'checkpoint':{wide}}  {'time (UTC)':19}  {'stage':{stages}}       kB  answers"
    )  # never cut: names are typed again
    for entry in found:
        show(
            printable(
                f"{entry.name:{wide}}  {when(entry.timestamp)}  {entry.stage_id:{stages}}  {entry.size_kb:7.1f}  "
                f"{len(set(entry.passed)):7}"
            )
        )
    if other:
        show(
            f"\nsnapshots to read, in {run_dir / 'checkpoints'}; {other} goes on where it stopped "
            f"({on_run(run_dir, 'resume')}) and is not forked or taken back"
        )
        return
    show(
        f"\n{on_run(run_dir, 'fork', '--checkpoint', 'NAME')}\n    a new run from there\n"
        f"{on_run(run_dir, 'resume', '--from-checkpoint', 'NAME')}\n    the same run, back to there (the newest of a name counts)"
    )
