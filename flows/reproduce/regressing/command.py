"""`reprolab regress` in a terminal: the flow in this process, the table, the exit code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flows.reproduce.regressing.flow import found_by, regress_all, regress_paper
from flows.terminal.console import Console, show
from flows.terminal.in_terminal import speak_through
from schemas.reproduce.judging.regression import Regression, Regressions, Verdict
from schemas.reproduce.settings import RunSettings
from tasks.reproduce.regression.regression_report import environment_rows
from tasks.reproduce.regression.table import markdown_table, terminal_table

EXIT: dict[Verdict, int] = {"unchanged": 0, "drifted": 20, "broken": 21, "no baseline": 22}


def regress_in_terminal(
    paper: str,
    settings: RunSettings,
    outputs: Path,
    *,
    accept: str,
    resume: str,
    every: bool,
    console: Console,
) -> int:
    """Run the flow in this process and print what it found; returns the exit code. Errors are raised."""
    speak_through(console)
    state: Any
    if every:
        state = regress_all(
            accept=accept, outputs=str(outputs), settings=settings, resume=bool(resume), return_state=True
        )
    else:
        state = regress_paper(paper, accept, str(outputs), settings, resume, return_state=True)
    found = found_by(state)
    if isinstance(found, Regressions):
        show(summary(found), flush=True)
        failed = (found.failed or found.verdict == "no baseline") and not (accept and not found.errors)
        return EXIT[found.verdict] if failed else 0
    assert isinstance(found, Regression)
    show(text(found), flush=True)
    noted = found.verdict == "drifted" and not found.failed
    return 0 if found.accepted or noted else EXIT[found.verdict]


def text(found: Regression) -> str:
    """What changed, what it ran on, and where the reports are."""
    if found.verdict == "no baseline" and not found.accepted:
        return f"\n{found.line}."  # how one is made was said before
    lines = [""]
    if found.differences:
        lines += [terminal_table(found), ""]
    if found.environment:
        lines += ["not as when the baseline was made:"]
        lines += [f"  {name}: {before} -> {now}" for name, before, now in environment_rows(found)] + [""]
    lines += [found.line]
    lines += (
        [f"baseline: {found.baseline} ({found.baseline_accepted}: {found.baseline_reason})"]
        if found.baseline
        else []
    )
    lines += [f"accepted: {found.accepted}"] if found.accepted else []
    shown = [found.report, found.reproduction, *([found.address] if found.address else [])]
    return "\n".join([*lines, "report:   " + "\n          ".join(shown)])


def summary(found: Regressions) -> str:
    """Each paper's table, then one table of all."""
    blocks = [text(entry) for entry in found.found if entry.verdict in ("drifted", "broken")]
    body = [
        (
            entry.paper_id,
            entry.outcome + (", accepted" if entry.accepted else ""),
            *(str(entry.count(name)) for name in ("unchanged", "drifted", "broken")),
            entry.report,
        )
        for entry in found.found
    ]
    body += [(paper, "COULD NOT BE RUN", "", "", "", why) for paper, why in found.errors]
    return "\n".join(
        [*blocks, "", markdown_table(("paper", "verdict", "unchanged", "drifted", "broken", "report"), body)]
    )
