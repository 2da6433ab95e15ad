"""`python -m tests.faults`: mistakes of every kind, each a whole run; a table of what noticed them."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.faults.chosen import SEED, chosen
from tests.faults.page import PAGE, page, rows, summary
from tests.faults.together import held, papers, record_film, run_all


def main() -> int:
    """Exit code: 0 if every run came to its end."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument(
        "words", nargs="*", help="only mistakes whose name (kind: paper/stage, what) holds one of these"
    )
    parser.add_argument("--seed", type=int, default=SEED, help="which places are taken")
    parser.add_argument("--outputs", type=Path, help="keep the runs here; what it holds is not run again")
    parser.add_argument("--workers", type=int, default=2, help="runs side by side")
    parser.add_argument("--list", action="store_true", help="name the mistakes and run nothing")
    parser.add_argument(
        "--write", action="store_true", help=f"write {PAGE.name} from all runs that the folder holds"
    )
    given = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="reprolab-faults-") as scratch:
        outputs = (given.outputs or Path(scratch)).resolve()
        outputs.mkdir(parents=True, exist_ok=True)
        record_film(outputs)
        known = papers(outputs)
        faults = [
            f
            for f in chosen(known, given.seed)
            if not given.words or any(word in f.name for word in given.words)
        ]
        if given.list:
            print("\n".join(fault.name for fault in faults))
            return 0
        if not faults:
            parser.error("no mistake has such a name; --list names them")
        found = run_all(faults, known, outputs, given.workers)
        if given.write:
            every = chosen(known, given.seed)
            told = held(every, outputs)
            missing = [fault.name for fault in every if fault not in [one for one, _ in told]]
            PAGE.write_text(page([f for f, _ in told], [n for _, n in told], missing), encoding="utf-8")
    print(
        f"{rows(faults, found)}\n\n{summary(found)}\n\n{len(found)} mistakes in {time.monotonic() - began:.0f} s"
    )
    return 1 if any(entry.by == "broken" for entry in found) else 0


if __name__ == "__main__":
    sys.exit(main())
