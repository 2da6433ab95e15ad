"""The run's metric and its measure program, frozen before the search: evaluation_criteria.json and measure.py."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from schemas.errors import InputError, StateError
from schemas.explore.evaluation import MetricSpec
from schemas.explore.goal import Direction, Goal, MetricKind
from schemas.explore.settings import MeasureSettings
from schemas.reading.beneath import Unopened, read_below
from tasks.explore.goals import MAX_FILE_BYTES, read_goal_file
from tasks.explore.measuring.beside import kept_beside
from tasks.explore.measuring.clocks import kept_blind
from tasks.explore.measuring.interpreter import Interpreter, interpreter
from tasks.explore.measuring.once import PROGRAM, Harness
from tasks.files.store import atomic_write

CRITERIA = "evaluation_criteria.json"


def freeze(
    goal: Goal,
    run_dir: Path,
    *,
    settings: MeasureSettings,
    program: str = "",
    name: str = "",
    unit: str = "",
    direction: Direction | None = None,
    kind: MetricKind | None = None,
    criteria: Sequence[str] = (),
) -> MetricSpec:
    """Write measure.py and evaluation_criteria.json into the run's folder, once; a later call gives the same back.

    What the goal says wins over what is given. program: by an agent, where the goal has none. Raises InputError where metric,
    unit or direction are still open, or there is no program at all; StateError if another program was frozen before.
    """
    if (run_dir / CRITERIA).is_file():
        return frozen(run_dir)
    hint = goal.metric
    chosen = {
        "name": hint.name or name,
        "unit": hint.unit or unit or "1",
        "direction": hint.direction or direction,
        "kind": hint.kind or kind or "timed",
    }
    missing = [key for key in ("name", "direction") if not chosen[key]]
    if missing:
        raise InputError(
            "the metric is not settled",
            found=f"no {' and no '.join(missing)}",
            allowed="name, unit, direction, kind",
            fix="say it in the goal's section ## Metric",
        )
    text = read_goal_file(goal, goal.measure) if goal.measure else program.encode()
    if not text.strip():
        raise InputError(
            "there is no program that measures", fix="put one beside goal.md and name it in ## Measure"
        )
    spec = MetricSpec.model_validate(
        {
            **chosen,
            "repeats": hint.repeats or settings.repeats,
            "program": PROGRAM,
            "sha256": hashlib.sha256(text).hexdigest(),
            "origin": "goal" if goal.measure else "agent",
            "criteria": tuple(criteria),
        }
    )
    atomic_write(run_dir / PROGRAM, text)
    atomic_write(run_dir / CRITERIA, spec.model_dump_json(indent=1))
    return spec


def frozen(run_dir: Path) -> MetricSpec:
    """The specification of a run. Raises StateError if its program is not the one that was frozen."""
    spec = MetricSpec.model_validate_json((run_dir / CRITERIA).read_text(encoding="utf-8"))
    _program(spec, run_dir)
    return spec


def hand_on(parent_dir: Path, run_dir: Path) -> None:
    """Let a sub-run measure as the run that began it, also where an agent wrote the program. Raises StateError as `frozen`."""
    spec = frozen(parent_dir)
    atomic_write(run_dir / spec.program, _program(spec, parent_dir))
    atomic_write(run_dir / CRITERIA, spec.model_dump_json(indent=1))


def harness_of(
    goal: Goal,
    spec: MetricSpec,
    run_dir: Path,
    settings: MeasureSettings,
    *,
    libraries: Mapping[str, Path] | None = None,
    python: Interpreter | None = None,
    allow_degraded: bool = False,
) -> Harness:
    """The harness of a run: its frozen program, the goal's files as they were read, and what the program may import."""
    return Harness(
        program=_program(spec, run_dir),
        files={file.path: read_goal_file(goal, file) for file in goal.provided},
        settings=settings,
        libraries=libraries or {},
        python=python or interpreter(),
        allow_degraded=allow_degraded,
        blind=kept_blind(run_dir),
        beside=kept_beside(run_dir),
    )


def _program(spec: MetricSpec, run_dir: Path) -> bytes:
    try:
        raw = read_below(run_dir, spec.program, MAX_FILE_BYTES)
    except Unopened as error:
        raise StateError(
            f"the run's measure program {error}", found=run_dir / spec.program, fix="start a new run"
        ) from None
    if hashlib.sha256(raw).hexdigest() != spec.sha256:
        raise StateError(
            "the run's measure program was changed after the search began",
            found=run_dir / spec.program,
            allowed=f"sha256 {spec.sha256}",
            fix="restore it, or start a new run",
        )
    return raw
