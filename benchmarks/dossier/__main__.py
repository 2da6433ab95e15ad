"""`python -m benchmarks.dossier` (make dossier): random descriptions of every scene beside exact values, resumable; page and data.

Half of the cases have a fixed seed, half one that the run draws and prints. Each result is kept in --outputs as soon as it is there: the
same command goes on where it was, and draws a new seed once all cases of the last one are there. What is told are all cases up to the
first that is missing: nobody chooses among them. Exit code: 0 if all cases are there and every aim is met.
"""

from __future__ import annotations

import argparse
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import takewhile
from pathlib import Path
from typing import Any

from benchmarks.dossier.body_families import EMITTERS, RESONATORS, SCATTERERS
from benchmarks.dossier.dossier_page import DATA, PAGE, Dossier, page, read_dossier, summary
from benchmarks.dossier.drawing_cases import FIXED_SEED, Case, Family, cases
from benchmarks.dossier.guided_families import CRYSTALS, DEVICES, GUIDES
from benchmarks.dossier.judged_cases import from_kept, judged, solved
from benchmarks.dossier.plane_families import UNIT_CELLS
from benchmarks.measures import machine
from tasks.files.store import atomic_write

FAMILIES: Sequence[Family] = (*UNIT_CELLS, *SCATTERERS, *EMITTERS, *RESONATORS, *CRYSTALS, *GUIDES, *DEVICES)
BUDGET_S = 60.0


def main() -> int:
    """Solve what is missing, print, and with --write keep page and data."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.dossier", description=__doc__)
    parser.add_argument("--only", help="families or scenes whose name holds this")
    parser.add_argument("--seed", type=int, help="of the drawn half, to repeat a run; otherwise drawn")
    parser.add_argument(
        "--budget", type=float, default=BUDGET_S, help="CPU seconds of one case, by the model of costs"
    )
    parser.add_argument(
        "--outputs", type=Path, default=Path("outputs/dossier"), help="where results are kept"
    )
    parser.add_argument(
        "--judge", action="store_true", help="hold what is kept against the exact values anew"
    )
    parser.add_argument("--list", action="store_true", help="name the cases and solve nothing")
    parser.add_argument(
        "--write",
        action="store_true",
        help=f"keep what is there in docs/measured/{PAGE.name} and {DATA.name}",
    )
    given = parser.parse_args()
    given.outputs.mkdir(parents=True, exist_ok=True)
    seeds = _seeds(given.outputs, given.seed, given.budget)
    every = cases(FAMILIES, {"fixed": FIXED_SEED, "drawn": seeds[-1]})
    asked = [one for one in every if given.only is None or given.only in f"{one.family.scene}: {one.name}"]
    print(f"{len(asked)} cases; fixed seed {FIXED_SEED}, drawn seed {seeds[-1]}; {machine()}", flush=True)
    try:
        for number, case in enumerate(asked, 1):
            if given.list:
                print(f"{case.name}: {case.told()}")
                continue
            entry = kept(case, given.outputs, given.budget)
            if entry is None or given.judge:
                entry = dict(entry or solved(case, given.budget))
                entry["values"] = [asdict(one) for one in judged(case, entry)]
                atomic_write(_file(case, given.outputs, given.budget), json.dumps(entry))
                print(f"[{number}/{len(asked)}] {case.name}: {_line(entry)}", flush=True)
    except KeyboardInterrupt:
        print(f"\nstopped; what is solved is kept in {given.outputs}: the same command goes on")
    results = (kept(case, given.outputs, given.budget) for case in every)
    found = [entry for entry in takewhile(lambda one: one is not None, results) if entry is not None]
    dossier = read_dossier(Dossier(machine(), given.budget, tuple(seeds), tuple(found)).written())
    print(summary(dossier, FAMILIES))
    if given.write:
        DATA.write_text(dossier.written(), encoding="utf-8")
        PAGE.write_text(page(dossier, FAMILIES), encoding="utf-8")
    return 0 if dossier.met and len(found) == len(every) else 1


def kept(case: Case, outputs: Path, budget_s: float) -> Mapping[str, Any] | None:
    """The result of a case, if it was solved with this budget."""
    file = _file(case, outputs, budget_s)
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else None


def _file(case: Case, outputs: Path, budget_s: float) -> Path:
    return outputs / f"{case.key}-{budget_s:g}.json"


def _seeds(outputs: Path, given: int | None, budget_s: float) -> list[int]:
    """Every seed that was drawn in this folder, the one of this run last: a seed is left only when all of its cases are there."""
    file = outputs / "seeds.json"
    seeds: list[int] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else []
    if given is not None:
        seeds = [seed for seed in seeds if seed != given] + [given]
    elif not seeds or all(
        kept(one, outputs, budget_s) is not None
        for one in cases(FAMILIES, {"fixed": FIXED_SEED, "drawn": seeds[-1]})
    ):
        seeds.append(secrets.randbelow(10**6))
    atomic_write(file, json.dumps(seeds))
    return seeds


def _line(entry: Mapping[str, Any]) -> str:
    if entry["refused"]:
        return f"refused: {entry['refused'][:160]}"
    told = [
        f"{one.id} {'no uncertainty' if one.ratio is None else f'{one.ratio:.2f} of its uncertainty'}"
        + ("" if one.within else " OUTSIDE")
        + (f" ({one.status})" if one.gap else "")
        for one in from_kept(entry)
    ]
    return f"{', '.join(told)}; {entry['cpu_s']:.1f} CPU s"


if __name__ == "__main__":
    raise SystemExit(main())
