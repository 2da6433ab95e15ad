"""A measure program that an agent wrote is tried before it is frozen: what holds nothing must not be measured."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from schemas.explore.asked_by_skills import MetricSpecAnswer
from schemas.explore.evaluation import MetricSpec
from schemas.explore.goal import Goal
from schemas.explore.settings import MeasureSettings
from tasks.core.sandbox import scratch
from tasks.explore.goals import read_goal_file
from tasks.explore.measuring.once import PROGRAM, Harness, run_once


def cannot_fail(goal: Goal, said: MetricSpecAnswer, settings: MeasureSettings, libraries: Mapping[str, Path],
                allow_degraded: bool = False) -> str:
    """Why the program measures nothing: it gives an empty candidate a value with every check held. '' where it does not."""
    raw, hint = said.program.encode(), goal.metric
    spec = MetricSpec(name=hint.name or said.name, unit=hint.unit or said.unit, direction=said.direction,
                      kind=hint.kind or said.kind, program=PROGRAM, sha256=sha256(raw).hexdigest())
    harness = Harness(program=raw, files={file.path: read_goal_file(goal, file) for file in goal.provided}, settings=settings,
                      libraries=libraries, allow_degraded=allow_degraded)
    with scratch("reprolab-trial-") as folder:
        (folder / "empty").mkdir()
        reading = run_once(harness, spec, folder / "empty", 0).reading
    if reading is None or not all(reading.checks.values()):
        return ""
    return (f"measure.py gave the empty folder candidate/ {spec.name} = {reading.metrics[spec.name][0]:g} with every check "
            "held; it must run what the candidate brings, and fail or fail a check where there is nothing")
