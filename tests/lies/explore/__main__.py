"""`python -m tests.lies.explore`: the lies of an exploration in three whole runs, a table; exit code 1 if one is not held."""

from __future__ import annotations

import argparse
import html
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import get_args

from tests.flow.kit import ROOT, Model
from tests.lies.explore import clock, paper, search
from tests.lies.explore.kit import Lie, Outcome, Ran, RunName, judged

RUNS: dict[RunName, ModuleType] = {"search": search, "paper": paper, "clock": clock}
LIES: tuple[Lie, ...] = (*search.LIES, *paper.LIES, *clock.LIES)
PAGE = ROOT / "docs" / "measured" / "lies-explore.md"
HEAD = """# Lies of an exploration

Written by `make lies-explore`: three whole runs (real flow, Prefect server, sandbox, skills) in which a scripted model lies in
every role, each node and each stage with lies of its own. What the liar did, what must hold, and what happened.
"""


def run(name: RunName, folder: Path) -> Ran:
    """The whole run, over the tests' Messages server."""
    told = RUNS[name]
    goal = told.write_goal(folder / name)
    with Model(told.answer) as model:
        env = {
            **{
                key: value
                for key, value in os.environ.items()
                if key == "PREFECT_API_URL" or not key.startswith(("PREFECT_", "REPROLAB_"))
            },
            "ANTHROPIC_API_KEY": "sk-test",
            "REPROLAB_NON_INTERACTIVE": "1",
        }
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "flows.cli",
                "explore",
                str(goal),
                "--model",
                "anthropic",
                "--base-url",
                model.server.base_url,
                "--workflow",
                str(goal.parent / "workflow.yaml"),
                "--outputs",
                str(folder / f"{name}-out"),
                *told.OPTIONS,
            ],
            cwd=ROOT,
            env=env,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        asked = Counter(label.split(".")[0] for label, count in model.answered.items() for _ in range(count))
    (folder / f"{name}.log").write_text(done.stdout + done.stderr)
    return found(name, folder, done.stdout + done.stderr, done.returncode, asked)


def found(name: RunName, folder: Path, said: str, code: int, asked: Counter[str]) -> Ran:
    """What the run left."""
    [made] = [
        path.parent for path in (folder / f"{name}-out").glob("*/*/run.json") if not path.parent.is_symlink()
    ]
    return Ran(made, said, code, dict(asked))


COLUMNS = ("lie", "role", "what it did", "must hold", "what happened", "held")


def cells(outcome: Outcome) -> tuple[str, ...]:
    """A row of the table, as it is written."""
    lie, last = outcome.lie, "yes" if not outcome.fault else f"NO: {outcome.fault}"
    row = (lie.name, lie.role, lie.did, lie.must, outcome.happened, last)
    return tuple(html.escape(cell, quote=False).replace("|", "/") for cell in row)


def table(outcomes: Sequence[Outcome]) -> str:
    """The table in Markdown."""
    rows = (COLUMNS, *(cells(outcome) for outcome in outcomes))
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|---" * len(COLUMNS) + "|", *lines[1:]])


def stored(text: str, lies: Sequence[Lie] = LIES) -> list[Outcome]:
    """The outcomes of a page's rows, of lies that there are; what the page tells of a lie stands in them, not in the lie."""
    known = {lie.name: lie for lie in lies}
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")][1:]
    return [
        Outcome(
            known[row[0]],
            html.unescape(row[4]),
            html.unescape(row[5].removeprefix("NO: ")) if row[5] != "yes" else "",
        )
        for row in rows
        if row[0] in known and len(row) == len(COLUMNS)
    ]


def page(outcomes: Sequence[Outcome], lies: Sequence[Lie] = LIES, head: str = HEAD) -> str:
    """docs/measured/lies-explore.md, or the page of other lies."""
    held, told = sum(not outcome.fault for outcome in outcomes), {outcome.lie.name for outcome in outcomes}
    missing = [lie.name for lie in lies if lie.name not in told]
    rest = f" Not told when this page was written: {', '.join(missing)}." if missing else ""
    return f"{head}\n{held} of {len(outcomes)} lies are held.{rest}\n\n{table(outcomes)}\n"


def main() -> int:
    """Exit code: 0 if every lie is held."""
    parser = argparse.ArgumentParser(prog="python -m tests.lies.explore", description=__doc__)
    parser.add_argument(
        "runs", nargs="*", choices=[*get_args(RunName), []], help="search, paper, clock; all by default"
    )
    parser.add_argument("--outputs", type=Path, help="keep the runs here")
    parser.add_argument("--write", action="store_true", help=f"write docs/measured/{PAGE.name}")
    given = parser.parse_args()
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory(prefix="reprolab-lies-") as scratch:
        for name in given.runs or get_args(RunName):
            ran = run(name, given.outputs or Path(scratch))
            outcomes += [judged(lie, ran) for lie in LIES if lie.run == name]
            print(f"{name}: exit code {ran.code}", file=sys.stderr)
    held = sum(not outcome.fault for outcome in outcomes)
    text = page(outcomes)
    print(text)
    if given.write:  # the rows of runs that were not told now stay as they are
        told = {outcome.lie.name: outcome for outcome in (*stored(PAGE.read_text()), *outcomes)}
        PAGE.write_text(page([told[lie.name] for lie in LIES if lie.name in told]))
    return 0 if held == len(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
