"""`python -m tests.lies`: all lies, or those named; a table; exit code 1 if one is not held."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.lies.runner import EVERY, run_all, told_before
from tests.lies.table import LIES
from tests.lies.telling import PAGE, page, rows


def main() -> int:
    """Exit code: 0 if every lie is held."""
    parser = argparse.ArgumentParser(prog="python -m tests.lies", description=__doc__)
    parser.add_argument("names", nargs="*", help="lies to tell; all by default")
    parser.add_argument(
        "--outputs", type=Path, help="keep the runs here; their solved simulations are used again"
    )
    parser.add_argument("--workers", type=int, default=2, help="runs side by side")
    parser.add_argument(
        "--write", action="store_true", help=f"write {PAGE.name} from all runs that the folder holds"
    )
    given = parser.parse_args()
    unknown = [name for name in given.names if name not in EVERY]
    if unknown:
        parser.error(f"no such lie: {', '.join(unknown)}; there are: {', '.join(EVERY)}")
    lies = tuple(EVERY[name] for name in given.names) or LIES
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="reprolab-lies-") as scratch:
        outputs = (given.outputs or Path(scratch)).resolve()
        outputs.mkdir(parents=True, exist_ok=True)
        outcomes = run_all(lies, outputs, given.workers)
        if given.write:
            PAGE.write_text(page(told_before(outputs)))
    print(rows(outcomes))
    let_through = [outcome.lie for outcome in outcomes if outcome.fault]
    print(
        f"\n{len(lies)} lies told in {time.monotonic() - began:.0f} s; "
        + (f"NOT HELD: {', '.join(let_through)}" if let_through else "all held")
    )
    return 1 if let_through else 0


if __name__ == "__main__":
    sys.exit(main())
