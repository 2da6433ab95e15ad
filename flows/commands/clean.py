"""`reprolab clean`: what would go, and where it is said, that it goes."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console as Screen
from rich.table import Table

from flows.results.files_below import in_bytes, size_of
from flows.results.kept_runs import KeptRuns
from flows.results.old_runs import Old, age_of, old_runs, remove
from flows.terminal.console import printable, show
from schemas.run.pasted import typed


def show_clean(outputs: Path, older: str, *, keep_reports: bool, unfinished: bool, yes: bool) -> None:
    """List the old runs of a folder; with `yes` remove them, or what their reports can do without."""
    found = old_runs(
        KeptRuns(outputs).newest_first(), age_of(older), keep_reports=keep_reports, unfinished=unfinished
    )
    if not found:
        show(f"no run in {outputs} is older than {older}")
        return
    trouble = {old.run.run_id: remove(outputs, old) for old in found if old.goes} if yes else {}
    _draw(found, trouble, keep_reports)
    done = [old for old in found if old.goes and not trouble.get(old.run.run_id)]
    size = in_bytes(sum(old.bytes for old in done))
    what = "what {} runs computed with, their reports stay" if keep_reports else "{} runs"
    if yes:
        show(f"\nremoved: {what.format(len(done))}, {size}")
    else:
        flags = (
            *(["--keep-reports"] if keep_reports else []),
            *(["--unfinished"] if unfinished else []),
        )
        show(
            f"\nwould go: {what.format(len(done))}, {size}. Nothing was removed yet; this does it: "
            f"{typed('clean', '--older', older, *flags, '--yes', outputs=outputs)}"
        )
    show(
        f"simulations and answers that other runs use again ({outputs / '.reprolab'}, "
        f"{in_bytes(size_of(outputs / '.reprolab'))}) and regressions stay"
    )


def _draw(found: list[Old], trouble: dict[str, str], keep_reports: bool) -> None:
    table = Table(show_edge=False, pad_edge=False)
    for name in ("run", "of", "last written", "verdict", "size", "what"):
        table.add_column(
            name,
            justify="right" if name == "size" else "left",
            overflow="fold",
            no_wrap=name == "run",
            min_width=20 if name == "run" else None,
        )
    for old in found:
        stays = old.stays or trouble.get(old.run.run_id, "")
        table.add_row(
            old.run.run_id,
            old.run.subject,
            datetime.fromtimestamp(old.ended, UTC).strftime("%Y-%m-%d"),
            printable(old.run.verdict or old.run.standing),
            in_bytes(old.bytes) if old.goes else "",
            f"stays: {printable(stays)}" if stays else "keeps its report" if keep_reports else "all of it",
        )
    Screen().print(table, markup=False)
