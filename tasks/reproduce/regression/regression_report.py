"""The report of a regression: REGRESSION.md and REGRESSION.html in its folder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from html import escape
from pathlib import Path

from schemas.reproduce.judging.regression import Difference, Regression
from schemas.text.inert import inert_markdown
from schemas.text.visible import visible
from tasks.files.store import atomic_write
from tasks.reproduce.regression.table import HEAD, MARKS, markdown_table, rows, worth_showing

_MEANING = (
    "unchanged: the same but for rounding; drifted: another number, inside the baseline's uncertainty (or one that has "
    "none of its own), which fails where our own code changed and is a note where it did not; broken: outside it, another "
    "class, finding or verdict, or missing."
)
_STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:78rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a}
table{border-collapse:collapse;font-size:13px;display:block;overflow-x:auto}td,th{padding:.2rem .6rem;text-align:left;
border-bottom:1px solid #ddd;vertical-align:top}td{font-variant-numeric:tabular-nums;white-space:nowrap}
td:last-child{white-space:normal;min-width:14rem;overflow-wrap:anywhere}
.DRIFTED td:first-child{color:#8a5a00;font-weight:600}.BROKEN td:first-child{color:#b00020;font-weight:600}
h1 span{padding:.1rem .6rem;border-radius:4px}.green{background:#e4f3e9;color:#1c6b3a}
.yellow{background:#fdf1d8;color:#8a5a00}.red{background:#fce8e6;color:#a3211d}h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}"""
ENVIRONMENT = ("what", "baseline", "now")


def write_report(folder: Path, found: Regression) -> Path:
    """Both files; returns the page."""
    atomic_write(folder / "REGRESSION.md", markdown(found))
    return atomic_write(folder / "REGRESSION.html", page(found, folder))


def environment_rows(found: Regression) -> list[tuple[str, str, str]]:
    """What is not as it was when the baseline was made."""
    return [
        (change.name, change.before or "not known", change.now or "not known") for change in found.environment
    ]


def markdown(found: Regression, *, all_numbers: bool = True) -> str:
    """The regression as Markdown: the verdict, the environment, what changed, then every number."""
    parts = [f"# Regression of {found.paper_id}: {found.outcome}", found.line, *_about(found)]
    if found.differences:
        parts += [
            "## What the results ran on, where it is not as it was",
            markdown_table(ENVIRONMENT, environment_rows(found)) if found.environment else "All as it was.",
            "## What changed",
            _table(worth_showing(found), "Every number is as it was."),
        ]
    if all_numbers and found.differences:
        parts += ["## Every number", _table(found.differences, "")]
    return inert_markdown("\n\n".join(parts) + "\n")


def _table(differences: tuple[Difference, ...], none: str) -> str:
    return markdown_table(HEAD, rows(differences)) if differences else none


def _about(found: Regression) -> list[str]:
    about = [
        f"Baseline: {found.baseline}, of {found.baseline_accepted}: {found.baseline_reason}."
        if found.baseline
        else "There was no baseline.",
        _MEANING,
    ]
    return about + ([f"Accepted as the new baseline: {found.accepted}"] if found.accepted else [])


def page(found: Regression, folder: Path) -> str:
    """The regression as one HTML file without scripts or anything from elsewhere."""
    links = [
        ("the reproduction that was run", found.reproduction),
        ("the report of the baseline's own run", found.baseline_report),
    ]
    linked = "".join(
        f'<li><a href="{escape(_relative(path, folder))}">{escape(words)}</a></li>'
        for words, path in links
        if path
    )
    body = [
        f'<h1>Regression of {_cell(found.paper_id)}: <span class="{_colour(found)}">{found.outcome}</span></h1>',
        f"<p>{_cell(found.line)}</p>",
        *(f"<p>{_cell(text)}</p>" for text in _about(found)),
        f"<ul>{linked}</ul>",
    ]
    if found.differences:
        body += [
            "<h2>What the results ran on, where it is not as it was</h2>",
            _html(ENVIRONMENT, environment_rows(found), "All as it was."),
            "<h2>What changed</h2>",
            _html(HEAD, rows(worth_showing(found)), "Every number is as it was."),
            "<h2>Every number</h2>",
            _html(HEAD, rows(found.differences), ""),
        ]
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>Regression of {_cell(found.paper_id)}: {found.verdict}</title><style>{_STYLE}</style>"
        f"<body>{''.join(body)}</body></html>\n"
    )


def _colour(found: Regression) -> str:
    """Red fails, yellow is noted, green is as it was or accepted."""
    if found.accepted or found.verdict == "unchanged":
        return "green"
    return "red" if found.failed else "yellow"


def _relative(path: str, folder: Path) -> str:
    return Path(os.path.relpath(path, folder)).as_posix()


def _cell(text: str) -> str:
    return escape(visible(text, 2000))


def _html(head: tuple[str, ...], body: Sequence[tuple[str, ...]], none: str) -> str:
    if not body:
        return f"<p>{none}</p>"
    marked = set(MARKS.values())
    lines = [
        f'<tr class="{row[0] if row[0] in marked else ""}">'
        + "".join(f"<td>{_cell(cell)}</td>" for cell in row)
        + "</tr>"
        for row in body
    ]
    return (
        "<table><tr>"
        + "".join(f"<th>{_cell(cell)}</th>" for cell in head)
        + "</tr>"
        + "".join(lines)
        + "</table>"
    )
