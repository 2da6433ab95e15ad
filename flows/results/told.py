"""A comparison of two runs as a terminal shows it."""

from __future__ import annotations

from rich.console import Console as Screen
from rich.table import Table as Drawn

from flows.results.kept_runs import KeptRun
from flows.results.two_runs import Compared, Table

_MOST_ROWS, _MOST_LINES = 20, 40


def told(found: Compared, width: int = 110) -> str:
    """Both runs, the targets, and what was different; long tables are cut, the page of `reprolab up` has all of them."""
    lines = [f"first:  {_run(found.one)}", f"second: {_run(found.other)}", *found.notes]
    if found.targets:
        lines += ["", _drawn(found.target_table, width, len(found.targets))]
        lines.append(
            "difference: second minus first; over uncertainty: divided by both stated ones together (root of the sum of "
            "squares), of a curve the largest over its kept points"
        )
    for table in found.tables:
        lines += ["", table.title]
        lines.append(_drawn(table, width, _MOST_ROWS) if table.rows else f"  {table.none}")
        if (left := len(table.rows) + table.more - _MOST_ROWS) > 0:
            lines.append(f"  and {left} more")
    if found.targets:
        lines += ["", "Descriptions"]
        for name, text in found.texts:
            lines += [name, *(f"  {line}" for line in text[:_MOST_LINES])]
            if len(text) > _MOST_LINES:
                lines.append(f"  ... {len(text) - _MOST_LINES} lines more")
        if not found.texts:
            lines.append("  every stage has the same program and parameters")
    return "\n".join(lines)


def _run(run: KeptRun) -> str:
    return f"{run.run_id} of {run.subject}: {run.verdict or 'no verdict yet'}" + (
        f" ({run.reason})" if run.reason else ""
    )


def _drawn(table: Table, width: int, most: int) -> str:
    drawn = Drawn(show_edge=False, pad_edge=False)
    for place, name in enumerate(table.head):
        longest = max((len(row[place]) for row in table.rows), default=0)
        drawn.add_column(
            name,
            justify="right" if place in table.numbers else "left",
            overflow="fold",
            no_wrap=place in (0, len(table.head) - 1) and longest <= 30,
        )
    for row in table.rows[:most]:
        drawn.add_row(*row)
    with open("/dev/null", "w", encoding="utf-8") as nowhere:
        screen = Screen(width=width, record=True, file=nowhere)
        screen.print(drawn, markup=False)
    return screen.export_text().rstrip()
