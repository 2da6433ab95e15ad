"""Bundled goals measured by the run's own harness, with candidates written here."""

from __future__ import annotations

import hashlib
from pathlib import Path

from schemas.explore.evaluation import MeasuredRecord, MetricSpec
from schemas.explore.settings import MeasureSettings
from tasks.explore.goals import load_goal, read_goal_file
from tasks.explore.measuring.harness import Subject, measure
from tasks.explore.measuring.once import Harness

ROOT = Path(__file__).resolve().parents[3]


def measured(
    goal_id: str,
    tmp_path: Path,
    files: dict[str, str],
    *,
    parent: bool = False,
    changed: tuple[str, str] | None = None,
) -> MeasuredRecord:
    """A candidate of these files, beside the goal's own files where `parent`. changed: words of the program, and others."""
    goal = load_goal(ROOT / "goals" / goal_id)
    assert goal.measure is not None and goal.metric.direction and goal.metric.kind
    program = read_goal_file(goal, goal.measure)
    if changed:
        assert changed[0].encode() in program
        program = program.replace(changed[0].encode(), changed[1].encode())
    spec = MetricSpec(
        name=goal.metric.name,
        unit=goal.metric.unit,
        direction=goal.metric.direction,
        kind=goal.metric.kind,
        repeats=2,
        program="measure.py",
        sha256=hashlib.sha256(program).hexdigest(),
    )
    given = {file.path: read_goal_file(goal, file) for file in goal.provided}
    for name, content in (("n000", {name: raw.decode() for name, raw in given.items()}), ("n001", files)):
        work = tmp_path / name / "work"
        work.mkdir(parents=True)
        for path, text in content.items():
            (work / path).write_text(text)
    harness = Harness(
        program=program, files=given, settings=MeasureSettings(), libraries={"simkit": ROOT / "simkit"}
    )
    return measure(
        spec,
        harness,
        Subject("n001", tmp_path / "n001" / "work"),
        Subject("n000", tmp_path / "n000" / "work") if parent else None,
        keep=tmp_path / "m.json",
        run_dir=tmp_path,
    )
