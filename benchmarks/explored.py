"""`python -m benchmarks.explored`: recorded goals replayed in fresh folders; replayed twice, whether the bundle is the same."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.command import Command
from benchmarks.measures import machine
from benchmarks.run import replaced
from tasks.explore.bundled_goals import recorded_goals

COLUMNS = ("goal", "nodes measured", "best", "grade", "controls", "bundle's sha256", "CPU s", "wall s")
MARKS = ("<!-- explored: begin -->", "<!-- explored: end -->")


def main() -> int:
    """1 if a replay fails or a control scores too much, or if a deterministic goal gave two bundles."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.explored", description=__doc__)
    parser.add_argument("goals", nargs="*", help="names of recorded goals; all if none is given")
    parser.add_argument("--times", type=int, default=1, help="replays of each goal")
    parser.add_argument(
        "--outputs", type=Path, help="keep the runs here (default: a temporary folder, removed)"
    )
    parser.add_argument("--write", action="store_true", help="keep the table in docs/measured/benchmarks.md")
    given = parser.parse_args()
    folder = given.outputs or Path(tempfile.mkdtemp(prefix="reprolab-explored-"))
    rows, wrong = [], []
    try:
        for goal in given.goals or recorded_goals():
            digests = set()
            for number in range(given.times):
                print(f"... {goal}", flush=True)
                outputs, before = folder / f"{goal}-{number + 1}", children_cpu_s()
                with Command(("explore", goal, "--outputs", str(outputs))) as command:
                    code = command.wait()
                run = (outputs / goal / "latest").resolve()
                rows.append((*row(goal, run), f"{children_cpu_s() - before:.0f}", f"{command.wall_s:.0f}"))
                wrong += [f"{goal}: exit code {code}"] if code else faults(goal, run)
                digests.add(rows[-1][COLUMNS.index("bundle's sha256")])
            if len(digests) > 1 and kind(run) == "deterministic":
                wrong.append(f"{goal}: {len(digests)} bundles of a metric without noise")
    finally:
        if given.outputs is None:
            shutil.rmtree(folder, ignore_errors=True)
    text = f"{machine()}.\n\n{markdown(rows)}"
    print("\n".join([text, *(f"WRONG: {fault}" for fault in wrong)]))
    if given.write:
        replaced(text, MARKS)
    return int(bool(wrong))


def row(goal: str, run: Path) -> tuple[str, ...]:
    """What came of one replay; a file that is missing leaves its cell empty."""
    tree, data, grade = read(run, "tree.json"), read(run, "science_data.json"), read(run, "ors_grade.json")
    nodes = tree.get("nodes", [])
    works = sum(node["status"] == "succeeded" for node in nodes)
    metric = data.get("summary_stats", {}).get("primary_metric", "")
    best = next((number for number in data.get("derived", ()) if number["name"] == f"best.{metric}"), None)
    controls = grade.get("negative_control", {})
    scored = ", ".join(
        f"{100 * controls[which]:.0f} %" for which in ("empty", "boilerplate") if which in controls
    )
    return (
        goal,
        f"{works} of {len(nodes)}",
        said(best) if best else "",
        f"{grade['ors_score'] or 0:.2f}" if grade else "",
        scored,
        str(read(run, "manifest.lock").get("bundle_sha256", ""))[:12],
    )


def faults(goal: str, run: Path) -> list[str]:
    """What a replay that ended well must not show."""
    lacking = [
        name
        for name in ("paper/full_paper.html", "manifest.lock", "review_report.json", "ors_grade.json")
        if not (run / name).is_file()
    ]
    valid = read(run, "ors_grade.json").get("negative_control", {}).get("passed", False)
    return [f"{goal}: no {name}" for name in lacking] + (
        [] if valid else [f"{goal}: a control scored too much"]
    )


def kind(run: Path) -> str:
    """Of the metric: deterministic, timed, random."""
    return str(read(run, "evaluation_criteria.json").get("kind", ""))


def said(number: dict[str, Any]) -> str:
    """'0.172 ± 0.001 %'."""
    around = f" ± {number['uncertainty']:.2g}" if number["uncertainty"] else ""
    return f"{number['value']:.4g}{around} {number['unit']}".strip()


def read(run: Path, name: str) -> dict[str, Any]:
    """A JSON object of the run; empty where there is none."""
    path = run / name
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}


def children_cpu_s() -> float:
    """CPU seconds, user and system, of all processes that ended below this one."""
    used = os.times()
    return used.children_user + used.children_system


def markdown(rows: list[tuple[str, ...]]) -> str:
    """The table."""
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (COLUMNS, tuple("---" for _ in COLUMNS), *rows))


if __name__ == "__main__":
    raise SystemExit(main())
