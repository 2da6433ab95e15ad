"""Described problems that nothing was tuned for, those of public tutorials first: right or wrong, and what they cost beside a script.

Each folder of benchmarks/gallery is a problem: a description (describe.py, parameters.json, materials.json where it needs any),
targets.json, and source.json:

    figure   what is reproduced, as a reader finds it
    known    {target: [value, error, how it is known]}, in the target's unit; the error is of what is known, not ours
    script   [[resolution, CPU seconds, {target: value}], ...] of the tutorial's own script or a plain one, ascending

No ladder of grids sees a known value: a target's own value is a round one near it. The script's cost is what it takes to know
what the description knows: all its grids until two differ by no more than that. left.json lists what no scene describes, with the
reason. CPU time: the study's runs, with their variants of absorber, padding and decay, without witnesses and sensitivities.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.command import ROOT
from schemas.reproduce.planning.plan import Target
from tasks.files.store import Store
from tasks.reproduce.describing.folder import read_given
from tasks.reproduce.describing.in_sandbox import describe
from tasks.reproduce.describing.lengths import lengths_of
from tasks.reproduce.measuring import Scalar
from tasks.reproduce.meep_interpreter import find_meep
from tasks.reproduce.solving.one_run import Budget, Solver
from tasks.reproduce.solving.whole_study import study, usual_aims
from tasks.reproduce.uncertainty.aims import Demand
from tasks.reproduce.uncertainty.climbed import Climb
from tasks.reproduce.uncertainty.error_parts import Variants, on_grids
from tasks.reproduce.uncertainty.target_aims import aims_of

PROBLEMS = ROOT / "benchmarks" / "gallery"
PAGE = ROOT / "docs" / "measured" / "benchmarks.md"
BEGIN, END = "<!-- gallery: begin -->\n", "<!-- gallery: end -->"
BUDGET_S = 300.0  # CPU seconds of one problem, as the model of costs counts them
Known = tuple[float, float, str]


@dataclass(frozen=True)
class Number:
    """One target's number, in its unit, with its numerical uncertainty (None: not known) and what its verdict wants of that."""

    target: str
    value: float | None
    uncertainty: float | None
    wanted: float | None
    known: Known | None
    reason: str = ""  # why there is no value

    @property
    def enough(self) -> bool:
        """Whether it is known as well as its verdict wants."""
        return None not in (self.uncertainty, self.wanted) and self.uncertainty <= self.wanted  # type: ignore[operator]

    @property
    def right(self) -> bool | None:
        """Whether what is known lies within the two uncertainties; None where nothing is known."""
        if self.known is None:
            return None
        if self.value is None or self.uncertainty is None:
            return False
        return abs(self.value - self.known[0]) <= (self.uncertainty + self.known[1]) * (1 + 1e-9)


@dataclass(frozen=True)
class Solved:
    """What became of a problem. script_s: CPU seconds of the script for as much; None where there is none."""

    name: str
    figure: str
    numbers: tuple[Number, ...]
    grids: tuple[float, ...]
    cpu_s: float
    script_s: float | None

    @property
    def ratio(self) -> float | None:
        """CPU seconds over the script's."""
        return self.cpu_s / self.script_s if self.script_s else None


def main() -> int:
    """Print a line for each target; the exit code: 1 where one is wrong, or not known as well as its verdict wants."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="of benchmarks/gallery; all otherwise")
    parser.add_argument(
        "--budget", type=float, default=BUDGET_S, help="CPU seconds of one problem, by the model of costs"
    )
    parser.add_argument("--write", action="store_true", help="keep the table in docs/measured/benchmarks.md")
    given = parser.parse_args()
    rows = []
    for name in given.names or sorted(path.name for path in PROBLEMS.iterdir() if path.is_dir()):
        rows.append(solved(name, given.budget))
        print(_lines(rows[-1]), flush=True)
    print(summary(rows))
    if given.write:
        text = PAGE.read_text(encoding="utf-8")
        head, _, rest = text.partition(BEGIN)
        PAGE.write_text(head + BEGIN + page(rows) + END + rest.partition(END)[2], encoding="utf-8")
    return 0 if all(n.enough and n.right is not False for row in rows for n in row.numbers) else 1


def solved(name: str, budget_s: float = BUDGET_S) -> Solved:
    """Solve one problem with an empty store."""
    disk = read_given(PROBLEMS / name, None, None)
    source = json.loads((PROBLEMS / name / "source.json").read_text(encoding="utf-8"))
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
            metal=bool(disk.materials),
            usual=usual_aims(made.problem),
        )
        climbs: list[Climb] = []
        found = study(
            made,
            disk.materials,
            Solver(store, find_meep(), Budget(budget_s)),
            Path(folder),
            wanted=aims,
            examine=False,
            on_climb=climbs.append,
        )
    numbers: list[Number] = []
    for result in found.quantities:
        own = [target for target in targets if target.target_id in result.answers]
        variants = next((c.variants[result.id] for c in climbs if result.id in c.variants), None)
        for target, demand in zip(own, aims[result.id], strict=False):
            value = _value(demand, variants, result.value)
            miss = demand.miss(variants) if variants is not None else None
            known = source.get("known", {}).get(target.target_id)
            numbers.append(
                Number(
                    target.target_id,
                    value,
                    *(miss or (None, None)),
                    known=tuple(known) if known else None,
                    reason=result.reason if value is None else "",
                )
            )
    return Solved(
        name,
        source["figure"],
        tuple(numbers),
        tuple(dict.fromkeys(rung.resolution for result in found.quantities for rung in result.rungs)),
        found.cpu_s,
        script_cost(source.get("script", ()), numbers),
    )


def script_cost(
    runs: Sequence[tuple[float, float, Mapping[str, float]]], numbers: Sequence[Number]
) -> float | None:
    """CPU seconds of a script's grids until each number differs from the grid before by no more than what is known of it here; of
    all its grids, and one more at the cost that they lead to expect, where they never do."""
    sure = {n.target: n.uncertainty for n in numbers if n.uncertainty is not None}
    if not runs or not sure:
        return None
    spent = runs[0][1]
    for (_, _, before), (_, cpu_s, values) in zip(runs, runs[1:], strict=False):
        spent += cpu_s
        if all(abs(values[t] - before[t]) <= sure[t] for t in sure if t in values and t in before):
            return spent
    return spent + runs[-1][1] * (runs[-1][1] / runs[-2][1] if len(runs) > 1 else 8.0)


def _value(demand: Demand, variants: Variants | None, otherwise: float | None) -> float | None:
    """What is told of a number: of its own grids, extrapolated where they are regular."""
    if variants is None or demand.read is None:
        return otherwise
    told = on_grids(demand.asked_of(variants)).value
    return told.value if isinstance(told, Scalar) else None


def _told(number: Number) -> str:
    if number.value is None:
        return f"no value ({number.reason[:160]})"
    value = f"{number.value:.6g}"
    doubt = "nothing known" if number.uncertainty is None else f"± {number.uncertainty:.2g}"
    return f"{value} {doubt}"


def _lines(row: Solved) -> str:
    cost = f"{row.cpu_s:.1f} CPU s" + (f", script {row.script_s:.1f}" if row.script_s else "")
    lines = [f"{row.name} ({row.figure}): {cost}, grids {', '.join(f'{g:.4g}' for g in row.grids)}"]
    for n in row.numbers:
        beside = "" if n.known is None else f", known {n.known[0]:.6g} ± {n.known[1]:.2g} ({n.known[2]})"
        verdict = {True: "right", False: "WRONG", None: "nothing to compare with"}[n.right]
        short = "" if n.enough else f", NOT KNOWN AS WANTED ({n.wanted})"
        lines.append(f"  {n.target}: {_told(n)}{beside}: {verdict}{short}")
    return "\n".join(lines)


def summary(rows: Sequence[Solved]) -> str:
    """How many numbers are right, and what they cost beside scripts."""
    judged = [n for row in rows for n in row.numbers if n.right is not None]
    ratios = [row.ratio for row in rows if row.ratio is not None]
    told = f"{len(rows)} problems; {sum(bool(n.right) for n in judged)} of {len(judged)} known numbers right"
    if ratios:
        told += f"; cost over the script's: median {statistics.median(ratios):.2f}, largest {max(ratios):.2f} ({len(ratios)} scripts)"
    return told


def page(rows: Sequence[Solved]) -> str:
    """The table, what it sums up to, and what is left out."""
    left = json.loads((PROBLEMS / "left.json").read_text(encoding="utf-8"))
    lines = [
        "| problem | number | known | here | grids | CPU s | script's | ratio |",
        "|---|---|--:|--:|---|--:|--:|--:|",
    ]
    for row in rows:
        for place, n in enumerate(row.numbers):
            known = "" if n.known is None else f"{n.known[0]:.6g} ± {n.known[1]:.2g}"
            here = (
                _told(n)
                + ("" if n.right is not False else " **wrong**")
                + ("" if n.enough else " (more is wanted)")
            )
            first = not place
            cells = (
                row.figure if first else "",
                n.target.replace("_", " "),
                known,
                here,
                ", ".join(f"{grid:.4g}" for grid in row.grids) if first else "",
                f"{row.cpu_s:.1f}" if first else "",
                f"{row.script_s:.1f}" if first and row.script_s else "",
                f"{row.ratio:.2f}" if first and row.ratio else "",
            )
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(
        [
            *lines,
            "",
            f"{summary(rows)}. No scene describes:",
            "",
            *(f"- {one['figure']}: {one['reason']}" for one in left),
            "",
        ]
    )


if __name__ == "__main__":
    raise SystemExit(main())
