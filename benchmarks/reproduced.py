"""`python -m benchmarks.reproduced`: all bundled papers replayed, each target in one table, whether uncertainties hold.

`--regressions FOLDER` replays nothing: it takes the latest replay of each paper that `reprolab regress --all --outputs FOLDER`
left.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.command import Command
from benchmarks.measures import machine
from benchmarks.run import replaced
from tasks.reproduce.papers import BUNDLED, bundled_ids

COLUMNS = (
    "paper",
    "target",
    "paper's value",
    "ours ± numerical",
    "its parts",
    "error",
    "class",
    "theory",
    "CPU s",
    "first try",
)
MARKS = ("<!-- reproduced: begin -->", "<!-- reproduced: end -->")


@dataclass(frozen=True)
class Oracle:
    """One quantity beside its exact solution. width: stated uncertainty over the value's size, of numbers and curves alike."""

    name: str
    within: bool
    width: float


def main() -> int:
    """Replay all papers (or those named); 1 if one fails, a class differs from its baseline, or uncertainties do not hold."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reproduced", description=__doc__)
    parser.add_argument("papers", nargs="*", help="bundled ids; all with a recording if none is given")
    parser.add_argument(
        "--outputs", type=Path, help="keep the runs here (default: a temporary folder, removed)"
    )
    parser.add_argument(
        "--regressions", type=Path, metavar="FOLDER", help="replay nothing: outputs of `regress --all`"
    )
    parser.add_argument("--write", action="store_true", help="keep the table in docs/measured/benchmarks.md")
    given = parser.parse_args()
    folder = given.outputs or Path(tempfile.mkdtemp(prefix="reprolab-benchmark-"))
    papers = given.papers or [
        name for name in bundled_ids() if (BUNDLED / name / "transcript.jsonl").is_file()
    ]
    rows: list[tuple[str, ...]] = []
    oracles: list[Oracle] = []
    wrong: list[str] = []
    try:
        for paper in papers:
            print(f"... {paper}", flush=True)
            run, code = (
                replayed(paper, folder) if given.regressions is None else regressed(paper, given.regressions)
            )
            rows += table_rows(paper, run)
            oracles += [oracle for study in studies(run).values() for oracle in oracles_of(study)]
            wrong += [f"{paper}: exit code {code}"] if code else []
            wrong += [f"{paper}: {fault}" for fault in against_baseline(paper, run)]
    finally:
        if given.outputs is None:
            shutil.rmtree(folder, ignore_errors=True)
    text = f"{machine()}.\n\n{markdown(rows)}\n\n{honesty(oracles)}"
    print(text)
    for fault in wrong:
        print(f"WRONG: {fault}")
    if given.write:
        replaced(text, MARKS)
    covered = sum(oracle.within for oracle in oracles)
    return int(bool(wrong) or covered < 0.95 * len(oracles))


def replayed(paper: str, folder: Path) -> tuple[Path, int]:
    """A run below `folder` that simulates all itself, and its exit code."""
    with Command(("reproduce", paper, "--outputs", str(folder))) as command:
        code = command.wait()
    return (folder / paper / "latest").resolve(), code


def regressed(paper: str, outputs: Path) -> tuple[Path, int]:
    """The replay of the latest regression of a paper, as if it had ended well. Raises SystemExit where there is none."""
    found = sorted(outputs.glob(f"regressions/{paper}/*/replay/{paper}/*/run.json"))
    found = [path for path in found if not path.parent.is_symlink()]
    if not found:
        raise SystemExit(
            f"{outputs} holds no regression of {paper}: reprolab regress {paper} --outputs {outputs}"
        )
    return found[-1].parent, 0


def studies(run: Path) -> dict[str, Any]:
    """The study of each described stage."""
    return {
        path.parent.parent.name: json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(run.glob("*/study/study.json"))
    }


def compared(run: Path) -> dict[str, dict[str, Any]]:
    """The last comparison of each target, in the order of the stages."""
    found = {}
    for path in sorted(run.glob("*/comparison.json")):
        found |= {entry["target_id"]: entry for entry in json.loads(path.read_text(encoding="utf-8"))}
    return found


def table_rows(paper: str, run: Path) -> list[tuple[str, ...]]:
    """A row for each compared target."""
    known, rows = studies(run), []
    for name, entry in compared(run).items():
        e = entry["evidence"]
        study = known.get(e["stage_id"])
        quantity = next(
            (q for q in (study or {"quantities": ()})["quantities"] if name in q["answers"]), None
        )
        sign = {"relative_percent": " %", "absolute_percentage_points": " pp"}.get(e["measure"], "")
        rows.append(
            (
                paper,
                name,
                said(e["reference"], e["unit"]) or "curve",
                f"{said(e['simulated'], e['unit']) or 'curve'} ± {number(e['uncertainty'])}{sign}",
                parts(quantity),
                f"{number(e['error'])}{sign}",
                entry["classification"],
                theory(quantity),
                f"{study['cpu_s']:.0f}" if study else "",
                first_try(run, e["stage_id"]),
            )
        )
    return rows


def parts(quantity: dict[str, Any] | None) -> str:
    """'resolution 1e-4, absorber 3e-5' of a described quantity, relative to its size."""
    if quantity is None:
        return "script"
    scale = quantity["scale"] or 1.0
    return ", ".join(
        f"{part['part']} {part['value'] / scale:.0e}" for part in quantity["parts"] if part["value"]
    )


def theory(quantity: dict[str, Any] | None) -> str:
    """The exact solution beside a quantity, and whether it lies within the uncertainty."""
    if quantity is None or quantity["oracle"] is None:
        return ""
    oracle, scale = quantity["oracle"], quantity["scale"] or 1.0
    return f"off by {abs(oracle['difference']) / scale:.1e}, {'within' if oracle['within'] else 'OUTSIDE'}"


def first_try(run: Path, stage_id: str) -> str:
    """Whether the first description (or script) of a stage was the one that counted."""
    rounds = 0
    for line in (run / "transcript.jsonl").read_text(encoding="utf-8").splitlines()[1:]:
        position = json.loads(line).get("position") or {}
        rounds += position.get("agent") == "simulation_designer" and position.get("stage_id") == stage_id
    return "" if not rounds else "yes" if rounds == 1 else f"{rounds} requests"


def oracles_of(study: dict[str, Any]) -> list[Oracle]:
    """Every quantity of a study that has an exact solution."""
    return [
        Oracle(
            q["id"],
            q["oracle"]["within"],
            q["uncertainty"] / q["scale"] if q["uncertainty"] is not None else 1.0,
        )
        for q in study["quantities"]
        if q["oracle"] is not None and q["scale"]
    ]


def honesty(oracles: list[Oracle]) -> str:
    """How many exact values lie within the stated uncertainties, and how wide those are."""
    if not oracles:
        return "No quantity has an exact solution beside it."
    inside, median = (
        sum(oracle.within for oracle in oracles),
        statistics.median(oracle.width for oracle in oracles),
    )
    outside = [oracle.name for oracle in oracles if not oracle.within]
    return (
        f"Uncertainties: {inside} of {len(oracles)} quantities with an exact solution lie within theirs (aim 95 %)"
        + (f", not: {', '.join(outside)}" if outside else "")
        + f"; their median width is {100 * median:.2g} % (aim 0.5 %)."
    )


def against_baseline(paper: str, run: Path) -> list[str]:
    """Targets whose class is not the recorded one."""
    kept = json.loads((BUNDLED / paper / "baseline.json").read_text(encoding="utf-8"))["targets"]
    now = {name: entry["classification"] for name, entry in compared(run).items()}
    return [
        f"{name} is {now.get(name, 'missing')}, recorded {entry['classification']}"
        for name, entry in kept.items()
        if now.get(name) != entry["classification"]
    ]


def said(value: float | None, unit: str) -> str:
    """A value with its unit; empty if there is none."""
    return "" if value is None else f"{value:.6g}" + ("" if unit == "1" else f" {unit}")


def number(value: float | None) -> str:
    """A short number; '?' if there is none."""
    return "?" if value is None else f"{value:.2g}"


def markdown(rows: list[tuple[str, ...]]) -> str:
    """The table."""
    lines = [f"| {' | '.join(row)} |" for row in (COLUMNS, tuple("---" for _ in COLUMNS), *rows)]
    return "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
