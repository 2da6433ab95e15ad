"""Described problems that nothing was tuned for: what each target's ladder of grids costs, and what it knows in the end.

Each folder of benchmarks/unseen has a description, its parameters and targets. The targets' values say nothing (what a ladder wants
does not depend on them). No script stands beside them: their bar is docs/measured/benchmarks.md's table of before.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

from benchmarks.command import ROOT
from schemas.reproduce.planning.plan import Target
from tasks.files.store import Store
from tasks.reproduce.describing.folder import read_given
from tasks.reproduce.describing.in_sandbox import describe
from tasks.reproduce.describing.lengths import lengths_of
from tasks.reproduce.meep_interpreter import find_meep
from tasks.reproduce.solving.one_run import Budget, Solver
from tasks.reproduce.solving.whole_study import study, usual_aims
from tasks.reproduce.uncertainty.climbed import Climb
from tasks.reproduce.uncertainty.target_aims import aims_of

PROBLEMS = ROOT / "benchmarks" / "unseen"
BUDGET_S = 900.0


def main() -> int:
    """Print a line for each target; the exit code: 1 where one is not known as well as its verdict wants."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="of benchmarks/unseen; all otherwise")
    given = parser.parse_args()
    names = given.names or sorted(path.name for path in PROBLEMS.iterdir() if path.is_dir())
    return 0 if all([solved(name) for name in names]) else 1


def solved(name: str) -> bool:
    """Solve one problem with an empty store; whether every target is known well enough."""
    disk = read_given(PROBLEMS / name, None, None)
    targets = [
        Target.model_validate(one) for one in json.loads((PROBLEMS / name / "targets.json").read_text())
    ]
    with tempfile.TemporaryDirectory(prefix="reprolab-bench-") as folder:
        store = Store(Path(folder))
        made = describe(disk.code, disk.parameters, store=store)
        aims = aims_of(
            made,
            targets,
            lengths_of(made.parameters, (), targets),
            paper_dir=PROBLEMS / name,
            profile="default",
            metal=False,
            usual=usual_aims(made.problem),
        )
        climbs: list[Climb] = []
        found = study(
            made,
            {},
            Solver(store, find_meep(), Budget(BUDGET_S)),
            Path(folder),
            wanted=aims,
            examine=False,
            on_climb=climbs.append,
        )
    good = True
    for result in found.quantities:
        variants = next((c.variants[result.id] for c in climbs if result.id in c.variants), None)
        grids = ", ".join(f"{rung.resolution:.4g}" for rung in result.rungs)
        for demand in aims[result.id]:
            miss = demand.miss(variants) if variants is not None else None
            good &= miss is not None and miss[0] <= miss[1]
            value = (
                result.value if variants is None or demand.read is None else demand.read(variants.finest)[0]
            )
            known = "nothing known" if miss is None else f"{miss[0]:.3g} (wanted {miss[1]:.3g})"
            print(
                f"{name:14} {result.id}: {value}, uncertainty {known}, grids {grids}, {found.cpu_s:.1f} CPU s"
            )
    return good


if __name__ == "__main__":
    raise SystemExit(main())
