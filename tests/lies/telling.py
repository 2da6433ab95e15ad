"""The table of lies and outcomes, for people."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path

from tests.lies.honest import HONEST
from tests.lies.kit import Outcome
from tests.lies.table import LIES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "lies.md"
_PROMISES = (
    ("quotes words that the paper does not have, or that do not state the number whole with its unit; takes a feature that the "
     "words do not name; shapes a body with a number that nobody declared; tells a blind agent a result", "refused"),
    ("gives an input words that call it something else, deny it, state a range, or are another input's or another body's; uses "
     "it as another thing; compares a number that the paper denies, supposes or reports of others, or other light than the "
     "words speak of", "PARTIAL at most"),
    ("leaves out a figure without a reason that names what is missing, most figures with data, or a result of abstract or "
     "conclusions; drops, demotes or repeats what failed", "\"Partly reproduced\" at most"),
    ("gives a false reason, an assumption that looks fair, arithmetic on inputs", "shown"))
_HEAD = """# Lies: what becomes of a model that lies

Written by `make lies`. Each line is a whole run (real flow, Prefect server, sandbox, Meep) of a small paper about one film,
in which a scripted model answers honestly except for one lie; its judging agents approve everything. There are three editions
of the paper: in the true one the results follow from the inputs, in the half one those of figure 1 only, in the false one
none, so that only a lie could reproduce it. No lie may end in a false SUCCESS of a target, nor in a false verdict.

- *refused*: code sends the answer back, or keeps it from whom it was meant for.
- *judged*: the evidence decides against it.
- *shown*: code cannot know; the report says it, in the words given, which the honest run's report does not have.

{promises}

What code cannot know, and only shows: whether a reason for leaving something out is true, once it names what is missing;
whether an assumption is fair; whose number it is, where neither the input's name nor the paper's words name a body; whether a
description's arithmetic is the paper's. What it does not see: a result of abstract or conclusions whose clause names no
quantity of its tables (`schemas/reproduce/claims.py`), or in a paper without headings; a noun for an input that
`schemas/reproduce/input_nouns.py` does not know, which then binds the input to its place alone.
"""


_HEAD = _HEAD.replace("{promises}", "\n".join(("| an answer that | becomes |", "|---|---|", *(
    f"| {told} | {becomes} |" for told, becomes in _PROMISES))))


def rows(outcomes: Sequence[Outcome]) -> str:
    """The table in Markdown."""
    lies = {lie.name: lie for lie in (*HONEST, *LIES)}
    lines = ["| lie | role | kind | what it would gain | outcome | held |", "|---|---|---|---|---|---|"]
    for outcome in outcomes:
        lie = lies[outcome.lie]
        lines.append(f"| {lie.name} | {lie.role} | {lie.kind} | {lie.gain} | {html.escape(outcome.outcome, quote=False)} | "
                     f"{'yes' if not outcome.fault else 'NO: ' + html.escape(outcome.fault, quote=False)} |")
    return "\n".join(lines)


def page(outcomes: Sequence[Outcome]) -> str:
    """docs/lies.md."""
    known = {outcome.lie: outcome for outcome in outcomes}
    held = sum(lie.name in known and not known[lie.name].fault for lie in LIES)
    missing = [lie.name for lie in LIES if lie.name not in known]
    rest = f" Not told when this page was written: {', '.join(missing)}." if missing else ""
    return f"{_HEAD}\n{held} of {len(LIES)} lies are held.{rest}\n\n{rows(outcomes)}\n"
