"""`python -m benchmarks.run`: measure, print beside the aims, and with --write keep in docs/measured/benchmarks.md."""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from pathlib import Path

from benchmarks.command import ROOT
from benchmarks.floor import floor
from benchmarks.measures import Measure, machine, table
from benchmarks.scenarios import fresh_run, killed_and_resumed, repeated, short_commands
from tasks.reproduce.meep_interpreter import find_meep

BUSY = 0.5
PAGE = ROOT / "docs" / "measured" / "benchmarks.md"
MARKS = ("<!-- measured: begin -->", "<!-- measured: end -->")


def main() -> int:
    """Run every scenario once; 0 unless --check was given and an aim was missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__)
    parser.add_argument("--paper", default="ge-on-gold", help="bundled id, or folder with a transcript")
    parser.add_argument(
        "--write", action="store_true", help="keep the numbers in docs/measured/benchmarks.md"
    )
    parser.add_argument("--check", action="store_true", help="end with code 1 if an aim is missed")
    options = parser.parse_args()
    where = machine()
    print(f"{options.paper}; {where}\n", flush=True)
    if os.getloadavg()[0] > BUSY:
        print(f"other work disturbs these numbers: wait until the load is below {BUSY}\n", flush=True)
    folder = Path(tempfile.mkdtemp(prefix="reprolab-bench-"))
    try:
        measures = measure(options.paper, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    text = table(measures)
    print(text)
    if options.write:
        replaced(f"Paper {options.paper}; {where}.\n\n{text}", MARKS)
        print(f"\nkept in {PAGE.relative_to(ROOT)}")
    return int(options.check and not all(item.met for item in measures))


def measure(paper: str, folder: Path) -> list[Measure]:
    """All scenarios, each in outputs of its own below `folder`."""
    fresh = fresh_run(paper, folder / "fresh", find_meep().path)
    return [
        *fresh.measures,
        *floor(folder / "fresh", folder / "bare", fresh.own_cpu_s),
        *killed_and_resumed(paper, folder / "killed", fresh.simulations),
        *repeated(fresh, folder / "fresh"),
        *short_commands(folder / "fresh"),
    ]


def replaced(text: str, marks: tuple[str, str]) -> None:
    """Keep text between two marks of docs/measured/benchmarks.md, in place of what stands there."""
    page = PAGE.read_text(encoding="utf-8")
    head, _, rest = page.partition(marks[0])
    _, _, tail = rest.partition(marks[1])
    PAGE.write_text(f"{head}{marks[0]}\n{text}\n{marks[1]}{tail}", encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
