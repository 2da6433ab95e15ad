"""The table of lies and outcomes, for people."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path

from tests.lies.honest import HONEST
from tests.lies.kit import Outcome
from tests.lies.table import LIES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "measured" / "lies.md"
_HEAD = """# Lies: what becomes of a model that lies

Written by `make lies`. Each line is a whole run (real flow, Prefect server, sandbox, Meep) of a small paper about one film,
in which a scripted model answers honestly except for one lie; its judging agents approve everything. There are three editions
of the paper: in the true one the results follow from the inputs, in the half one those of figure 1 only, in the false one
none, so that only a lie could reproduce it. No lie may end in a false SUCCESS of a target, nor in a false verdict.
The papers of lies about what a number is called state a sentence or two more, of which the film does nothing.

- *refused*: code sends the answer back, or keeps it from whom it was meant for.
- *judged*: the evidence decides against it.
- *shown*: code cannot know; the report says it, in the words given, which the honest run's report does not have.

[Of an exploration](lies-explore.md), [of a study](lies-study.md): the same.
"""
PROMISED = (Path(__file__).parent / "promised.md").read_text(encoding="utf-8")
"""What all workflows promise, in one table."""


def rows(outcomes: Sequence[Outcome]) -> str:
    """The table in Markdown."""
    lies = {lie.name: lie for lie in (*HONEST, *LIES)}
    lines = ["| lie | role | kind | what it would gain | outcome | held |", "|---|---|---|---|---|---|"]
    for outcome in outcomes:
        lie = lies[outcome.lie]
        lines.append(
            f"| {lie.name} | {lie.role} | {lie.kind} | {lie.gain} | {html.escape(outcome.outcome, quote=False)} | "
            f"{'yes' if not outcome.fault else 'NO: ' + html.escape(outcome.fault, quote=False)} |"
        )
    return "\n".join(lines)


def page(outcomes: Sequence[Outcome]) -> str:
    """docs/measured/lies.md."""
    known = {outcome.lie: outcome for outcome in outcomes}
    held = sum(lie.name in known and not known[lie.name].fault for lie in LIES)
    missing = [lie.name for lie in LIES if lie.name not in known]
    rest = f" Not told when this page was written: {', '.join(missing)}." if missing else ""
    return f"{_HEAD}\n{PROMISED}\n## The lies\n\n{held} of {len(LIES)} lies are held.{rest}\n\n{rows(outcomes)}\n"
