"""The table of a regression, for a terminal, a page of Prefect and a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from schemas.reproduce.judging.regression import Difference, Regression

MARKS = {"unchanged": "same", "drifted": "DRIFTED", "broken": "BROKEN", "no baseline": "-"}
HEAD = ("state", "number", "baseline", "now", "change", "why")


def rows(differences: Iterable[Difference]) -> list[tuple[str, ...]]:
    """One row for each entry."""
    return [
        (
            MARKS[entry.state],
            entry.key,
            entry.before.words() if entry.before else "-",
            entry.now.words() if entry.now else "-",
            "" if entry.change is None else f"{100 * entry.change:.2g} %",
            entry.reason,
        )
        for entry in differences
    ]


def worth_showing(found: Regression) -> tuple[Difference, ...]:
    """What changed, the broken first; the verdict where nothing did."""
    changed = [entry for entry in found.differences if entry.state != "unchanged"]
    return tuple(sorted(changed, key=lambda entry: entry.state != "broken"))


def terminal_table(found: Regression, most: int = 60) -> str:
    """What changed, in aligned columns."""
    shown = worth_showing(found)
    if not shown:
        return "every number is as it was"
    body = [HEAD, *rows(shown[:most])]
    widths = [min(44, max(len(row[n]) for row in body)) for n in range(len(HEAD) - 1)]
    lines = [
        "  ".join(
            [*(cell[:width].ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]
        ).rstrip()
        for row in body
    ]
    return "\n".join(lines + ([f"and {len(shown) - most} more in the report"] if len(shown) > most else []))


def markdown_table(head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    """A Markdown table; bars and line ends of cells are taken out."""

    def line(row: Sequence[str]) -> str:
        return "| " + " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in row) + " |"

    return "\n".join([line(head), line(["---"] * len(head)), *(line(row) for row in body)])
