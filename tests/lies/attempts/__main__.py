"""`python -m tests.lies.attempts`: whole runs of all attempts, or of those named; exit code 1 if one is not as its data say."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.lies.attempts import ATTEMPTS, cases
from tests.lies.runner import run_all

PAGE = Path(__file__).resolve().parents[3] / "docs" / "measured" / "lies-attempts.md"
_HELD = {
    "before": "what was there before structural doubts",
    "structure": "a structural doubt",
    "words": "a doubt of what the number is called",
    "inputs": "a doubt of arithmetic on inputs",
    "choice": "a doubt of how, or over what range, it was looked at",
    "claim": "a result that no target answers",
    "range": "the data that the plan leaves out",
    "refused": "the plan goes back",
    "sign": "the sign that its words give the number",
    "": "**nothing**",
}
_HEAD = """# Attempts: lies that adversaries thought of

Written by `python -m tests.lies.attempts --page` from the data in `tests/lies/attempts/`. Each is a small paper, a plan and a description
that all agents lie about together, made by helpers who had read [what is promised](lies.md) and not the checks. `make lies-attempts`
plays them as whole runs; `tests/unit/words/test_attempts.py` asks each that a doubt or a claim holds whether one still does, without a run.
Before: 78 of the 89 that had got through on an earlier version and could be played ended "Reproduced" (whole runs of 2026-11-26).
Eight lies were never played whole; of these is told what the checks of words say. **Of those held since, 22 were played whole
with what holds them there; the others, all of the second list's ("again") of 2026-11-27 among them, rest on a unit check of the same
functions.** Of the honest papers called
reproduced, four were played whole with all of it there, 24 with less and asked by the unit check since, four only asked by it.
The doubts were tuned on these papers.

The third list ("newest"), of 2026-11-28, is of an adversary who aimed at what was new that day: of its 44 lies that tested what they
were meant to, 39 ended "Reproduced" in whole runs. Those that could be kept were played whole again after the mends, and what holds
them is told below.

What gets through, by cause: words around the number say that it is of another origin or state (six); one word makes a number another
thing's (an angular frequency, an elevation, a distance of an image, a length there and back, an abscissa in glass: six); words add a
layer or a face, exchange two, or change them by a temperature or a loss (five); a claim is no number, or stands among the results
(four); only words tell which of several it is (a column, the end to count from, a family: three); roots in a function of the
description's own, an assumption that decides, a sweep whose range no words tell (one each). Each would need words of its own in a
table; what holds them is a person who reads. Of the third list: which of two sizes or lights is over the other, a colour
for a direction, a loss told at all wavelengths, layers beside a sweep of the light, two of six rods, a ratio of another quantity.
"""


def page() -> str:
    """docs/measured/lies-attempts.md: what holds each of them, and what gets through."""
    told = list(cases())
    lies, honest = [c for c in told if c["kind"] != "honest"], [c for c in told if c["kind"] == "honest"]
    held = Counter(case["held"] for case in lies)
    lowered = [case["name"] for case in honest if case["held"]]
    rows = [f"| {c['name']} | {c['kind']} | {c['lie']} | {_HELD[c['held']]} |" for c in lies]
    counts = (
        f"{len(lies)} lies: {held['before']} were held before, {len(lies) - held['before'] - held['']} are held since "
        f"({held['structure']} by structural doubts), {held['']} get through. Of {len(honest)} honest papers "
        f"{len(honest) - len(lowered)} are reproduced; lowered or refused are {', '.join(lowered)}."
    )
    table = "\n".join(["| attempt | kind | the lie | what holds it |", "|---|---|---|---|", *rows])
    return f"{_HEAD}\n{counts}\n\n{table}\n"


def main() -> int:
    """Exit code: 0 if every attempt came to what its data say."""
    parser = argparse.ArgumentParser(prog="python -m tests.lies.attempts", description=__doc__)
    parser.add_argument("names", nargs="*", help="attempts to play; all by default")
    parser.add_argument("--outputs", type=Path, help="keep the runs here")
    parser.add_argument("--workers", type=int, default=2, help="runs side by side")
    parser.add_argument("--page", action="store_true", help=f"write {PAGE.name} and play nothing")
    given = parser.parse_args()
    if given.page:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    every = {lie.name: lie for lie in ATTEMPTS}
    if unknown := [name for name in given.names if name not in every]:
        parser.error(f"no such attempt: {', '.join(unknown)}")
    with tempfile.TemporaryDirectory(prefix="reprolab-attempts-") as scratch:
        outputs = (given.outputs or Path(scratch)).resolve()
        outputs.mkdir(parents=True, exist_ok=True)
        outcomes = run_all(tuple(every[name] for name in given.names) or ATTEMPTS, outputs, given.workers)
    otherwise = [outcome.lie for outcome in outcomes if outcome.fault]
    print(f"{len(outcomes)} runs; otherwise than told: {', '.join(otherwise) or 'none'}")
    return 1 if otherwise else 0


if __name__ == "__main__":
    sys.exit(main())
