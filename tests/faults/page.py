"""The table of mistakes and of what noticed them, for people."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.faults.chosen import Fault
from tests.faults.judging import BY, Noticed

PAGE = Path(__file__).resolve().parents[2] / "docs" / "measured" / "faults.md"
_HEAD = """# Planted faults: what becomes of an honest mistake

Written by `make faults`. Each line is a whole run (real flow, Prefect server, sandbox, Meep) of a recorded paper in which one mistake was
made in one answer, a designer's description or what the planner read, or in the paper itself (*erratum*); everything else is as it was
recorded, and reviewers approve. The mistakes are made by a program (`tests/faults/kinds.py`, `plans.py`) wherever they fit in a parsed
description, and a few of each kind are taken by a seed.

What noticed it:

- *code, sent back*: before it ran; it goes back to whoever made it, and with nobody to mend it the stage is given up.
- *code, told to reviewers*: a finding that is no refusal; reviewers are there to act on it, and here approve.
- *code, as it ran*: a simulation that failed, or a number that cannot be.
- *code, in the report*: a doubt, caution or reason of code that the run as recorded does not have; its words.
- *comparison*: nothing but a target that is no longer a SUCCESS. It is left to reviewers, who here approve everything.
- *nothing*: the compared numbers are others, and each is still a SUCCESS.
- *nothing to notice*: no compared number is another beyond twice its stated uncertainty.

*Leads to it* holds the words of code, if any, that name what was mistaken; without them only the description that the report prints
beside the paper's words does. *Lost* are the targets that were a SUCCESS and are not.
"""
MENDED = (Path(__file__).parent / "mended.md").read_text(encoding="utf-8")
"""What was mended because of an earlier table, with what it said before."""


def rows(faults: Sequence[Fault], found: Sequence[Noticed]) -> str:
    """The table in Markdown."""
    lines = [
        "| kind | where | mistake | noticed by | its words | leads to it | lost | verdict |",
        "|---|---|---|---|---|---|---:|---|",
    ]
    for fault, entry in zip(faults, found, strict=True):
        place = f"{fault.paper}, {fault.stage or ('the paper' if fault.text else 'the plan')}"
        leads = "" if not entry.leads else "the same" if entry.leads == entry.says else entry.leads
        cells = (
            fault.kind,
            place,
            fault.what,
            entry.by,
            entry.says,
            leads,
            f"{len(entry.lost)} of {entry.of}",
            entry.verdict,
        )
        lines.append(
            "| " + " | ".join(html.escape(cell.replace("|", " "), quote=False) for cell in cells) + " |"
        )
    return "\n".join(lines)


def summary(found: Sequence[Noticed]) -> str:
    """How many were noticed by what, in a table."""
    times = Counter(entry.by for entry in found)
    led = Counter(entry.by for entry in found if entry.leads)
    lines = ["| noticed by | mistakes | of these its words name the cause |", "|---|---:|---:|"]
    lines += [f"| {by} | {times[by]} | {led[by]} |" for by in BY if times[by]]
    return "\n".join([*lines, f"| **in all** | **{len(found)}** | **{sum(led.values())}** |"])


def page(faults: Sequence[Fault], found: Sequence[Noticed], missing: Sequence[str] = ()) -> str:
    """docs/measured/faults.md. missing: names of those that were not run."""
    rest = "".join(f"\n- {html.escape(name, quote=False)}" for name in missing)
    rest = f"\nNot run when this page was written:\n{rest}\n" if missing else ""
    return f"{_HEAD}\n{summary(found)}\n{rest}\n{MENDED}\n## The mistakes\n\n{rows(faults, found)}\n"
