"""A run started from a terminal: the flow, the attendant, the summary, the exit code."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

from flows.attendant import Attendant
from flows.console import Console, duration
from flows.reproduce import Outcome, reproduce_paper, use_console
from schemas.settings import RunSettings

DONE, PARTIAL_REPORT, UNUSED_RECORDINGS = 0, 5, 6


def run_in_terminal(paper: str, settings: RunSettings, outputs: Path, run_id: str, console: Console) -> int:
    """Run the flow in this process and print the summary; returns the exit code. Errors are raised."""
    for name in ("prefect", "prefect.flow_runs", "prefect.task_runs", "httpx"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    use_console(console)
    with Attendant(console) if sys.stdin is not None else _Nobody():
        outcome = reproduce_paper(paper=paper, settings=settings, run_id=run_id, outputs=str(outputs))
    print(summary(outcome, console), flush=True)
    if not outcome.complete:
        return PARTIAL_REPORT
    return UNUSED_RECORDINGS if outcome.unused_recordings else DONE


class _Nobody:
    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


def summary(outcome: Outcome, console: Console) -> str:
    """The table and the report's path, at the end of a run."""
    import time

    from flows.status import comparison_table

    folder = Path(outcome.report).parent
    lines = ["", comparison_table(folder), "",
             f"{outcome.success} SUCCESS, {outcome.partial} PARTIAL, {outcome.failure} FAILURE in "
             f"{duration(time.monotonic() - console.start)}"]
    if not outcome.complete:
        lines.append(f"PARTIAL REPORT: {outcome.stop_reason or 'the plan did not come to its end'}")
    if outcome.unused_recordings and outcome.complete:
        lines.append(f"REPLAY TOOK ANOTHER COURSE: {len(outcome.unused_recordings)} recorded answer(s) were not used")
        lines += [f"  unused: {name}" for name in outcome.unused_recordings]
    lines += [f"report: {outcome.html}", f"        {outcome.report}"]
    return "\n".join(lines)
