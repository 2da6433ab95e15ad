"""A scene solved with more and more orders or nodes, and what the last three leave open; each truncation in a sandbox of its own."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from simkit.describe.scene import Quantity, Scene
from simkit.describe.unit_cell import UnitCell
from tasks.files.store import atomic_write
from tasks.reproduce.collect import UnsafeOutput, collect, read_json
from tasks.reproduce.describing.own_python import own_python
from tasks.reproduce.second import plain_cells, planes
from tasks.reproduce.second.plain_cells import FINER, LEAST, NotSolved
from tasks.reproduce.second.sparse_library import sparse_library
from tasks.reproduce.solving.functions import library
from tasks.sandbox import Limits, run_sandboxed, scratch

Array = NDArray[np.float64]
SAFETY, IRREGULAR = 1.25, 3.0
HARD = 5.0  # times what is foreseen, and no less than LIMIT_S, ends a truncation
LIMIT_S, MEMORY_MB = 60.0, 6144
ROUNDING = 1e-9  # of the value, where nothing is truncated
MAX_MB = 64
_PROGRAM = (
    "__init__.py",
    "finite_elements.py",
    "fourier_modal.py",
    "outlines.py",
    "plane_fields.py",
    "program.py",
)
_INPUTS, _LIBRARY, _PROGRAMS, _WORK = (
    f"/sandbox/{name}" for name in ("inputs", "library", "programs", "work")
)


class Method(Protocol):
    """A second solver, a module: `program.py` answers its job. UNKNOWNS: what a truncation has more of than the one before.

    beside: of the same fields, and none of them is known better than another.
    steps: fineness of each truncation, ascending, FINER apart; one where nothing is truncated, none where LEAST are too many.
    """

    NAME: str
    UNKNOWNS: str
    POINTS: int
    MOST: int

    def refused(self, scene: Scene, quantity: Quantity, materials: Mapping[str, Any]) -> str: ...
    def steps(
        self, scene: Any, frequencies: Sequence[float], materials: Mapping[str, Any]
    ) -> list[float]: ...
    def foreseen_s(self, scene: Any, count: int, step: float, materials: Mapping[str, Any]) -> float: ...
    def job_of(
        self, scene: Any, frequencies: Sequence[float], materials: Mapping[str, Any], step: float, /
    ) -> dict[str, Any]: ...
    def read(self, answer: Any, job: Mapping[str, Any]) -> Any: ...
    def unknowns(self, found: Any) -> int: ...
    def beside(self, quantity: Quantity) -> Sequence[Quantity]: ...
    def value_of(self, scene: Any, quantity: Quantity, materials: Mapping[str, Any], found: Any) -> Array: ...


METHODS: dict[str, Method] = {"fmm": plain_cells, "fem": planes}


def method_of(scene: Scene) -> Method:
    """The one that solves such scenes, if any does."""
    return METHODS["fmm" if isinstance(scene, UnitCell) else "fem"]


@dataclass(frozen=True)
class Truncated:
    """One truncation: orders kept or nodes, CPU seconds, and each quantity's values at the frequencies."""

    orders: int
    cpu_s: float
    values: Mapping[str, Array]


@dataclass(frozen=True)
class Climbed:
    """All truncations, what is left open of each quantity at each frequency, and why it ended with less than was wanted."""

    rungs: tuple[Truncated, ...]
    uncertainty: Mapping[str, Array]
    ended: str = ""

    @property
    def cpu_s(self) -> float:
        """Of all truncations."""
        return sum(rung.cpu_s for rung in self.rungs)


def least_s(scene: Scene, frequencies: Sequence[float], materials: Mapping[str, Any]) -> float:
    """What the first three truncations will cost; inf where they have too many unknowns."""
    method = method_of(scene)
    steps = method.steps(scene, frequencies, materials)
    if not steps:
        return math.inf
    return sum(method.foreseen_s(scene, len(frequencies), step, materials) for step in steps[:LEAST])


def truncated(
    scene: Scene,
    quantities: Sequence[Quantity],
    frequencies: Sequence[float],
    materials: Mapping[str, Any],
    *,
    wanted: float,
    known: float = 0.0,
    budget_s: float,
    allow_degraded: bool = False,
    say: Callable[[str], None] | None = None,
) -> Climbed:
    """Quantities of a resolved scene at ascending frequencies, finer until each is known to `wanted` of its size, or `known`.

    What is left open (`left_open`): SAFETY times the spread of the last three truncations. The first and last of them are a factor of
    two apart, so an error of first order is as large as their spread, and one that falls faster smaller.
    Raises NotSolved: no light for a phase, too many unknowns, or a truncation that did not end well before the third one.
    """
    method = method_of(scene)
    steps = method.steps(scene, frequencies, materials)
    if not steps:
        raise NotSolved(f"three truncations need more than {method.MOST} {method.UNKNOWNS}")
    rungs: list[Truncated] = []
    left: dict[str, Array] = {}
    used, ended = 0.0, ""
    for step in steps:
        cost = method.foreseen_s(scene, len(frequencies), step, materials)
        if used + cost > budget_s:
            ended = f"the next truncation needs about {cost:.0f} s of CPU time, {max(0.0, budget_s - used):.0f} s are left"
            break
        try:
            found, cpu_s = _solved(
                method, method.job_of(scene, frequencies, materials, step), cost, allow_degraded
            )
        except NotSolved as error:
            ended = str(error)
            break
        used += cost
        values = {
            one.id: method.value_of(scene, one, materials, found)
            for q in quantities
            for one in (q, *method.beside(q))
        }
        rungs.append(Truncated(method.unknowns(found), cpu_s, values))
        if say is not None:
            say(f"{scene.id}: {rungs[-1].orders} {method.UNKNOWNS}")
        left = {
            q.id: np.max([left_open(rungs, one.id) for one in (q, *method.beside(q))], axis=0)
            for q in quantities
        }
        if len(rungs) >= LEAST and _known(rungs[-1], left, wanted, known):
            break
    if not rungs or (len(steps) > 1 and len(rungs) < LEAST):
        raise NotSolved(f"fewer than three truncations: {ended}")
    return Climbed(tuple(rungs), left, ended)


def left_open(rungs: Sequence[Truncated], name: str) -> Array:
    """Of each value what the last three truncations leave open, (n,); of a single one, which cuts nothing, rounding.

    SAFETY times their spread where the last step is smaller than the one before as first order has it, else IRREGULAR times.
    """
    values = np.array([rung.values[name] for rung in rungs[-LEAST:]])
    rounding: NDArray[np.float64] = ROUNDING * np.maximum(1.0, np.abs(values[-1]))
    if len(values) < LEAST:
        return rounding
    before, last = np.abs(np.diff(values, axis=0))
    regular = last <= before / FINER + rounding
    return np.asarray(np.where(regular, SAFETY, IRREGULAR) * np.ptp(values, axis=0) + rounding)


def _known(finest: Truncated, left: Mapping[str, Array], wanted: float, known: float) -> bool:
    return all(
        float(np.max(open_)) <= max(known, wanted * float(np.max(np.abs(finest.values[name]))))
        for name, open_ in left.items()
    )


def _solved(method: Method, job: dict[str, Any], foreseen: float, allow_degraded: bool) -> tuple[Any, float]:
    """A truncation in a sandbox with limits on time and memory. Raises NotSolved for any other end than an answer."""
    python, packages = own_python(), sparse_library() if method is planes else library()
    with scratch("reprolab-second-") as folder:
        inputs, programs = folder / "inputs", folder / "programs"
        atomic_write(inputs / "job.json", json.dumps(job))
        (programs / "second").mkdir(parents=True)
        for name in _PROGRAM:
            shutil.copy2(Path(__file__).with_name(name), programs / "second")
        for path in (inputs, programs, *programs.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
        result = run_sandboxed(
            [python.path, "-S", "-s", "-P", "-m", "second.program"],
            folder / "work",
            readonly={inputs: _INPUTS, packages: _LIBRARY, programs: _PROGRAMS},
            prefixes=python.prefixes,
            env={
                "PYTHONPATH": f"{_LIBRARY}:{_PROGRAMS}",
                "SECOND_INPUTS": _INPUTS,
                "SECOND_OUTPUT": _WORK,
                "OPENBLAS_NUM_THREADS": "1",
                **dict(python.environment),
            },
            limits=Limits(
                wall_s=20 * max(LIMIT_S, HARD * foreseen),
                cpu_s=max(LIMIT_S, HARD * foreseen),
                memory_mb=MEMORY_MB,
                file_mb=MAX_MB,
                disk_mb=2 * MAX_MB,
                files=20,
                output_mb=1,
            ),
            allow_degraded=allow_degraded,
        )
        (folder / "kept").mkdir()
        try:
            collect(folder / "work", folder / "kept", ["answer.json"])
            return _read(method, read_json(folder / "kept" / "answer.json", MAX_MB << 20), job)
        except NotSolved:
            raise
        except (UnsafeOutput, OSError, ValueError, KeyError, TypeError) as error:
            why = (
                f"limit on {result.stop_reason}" if result.stop_reason else result.stderr_tail.strip()[-200:]
            )
            raise NotSolved(
                f"a truncation gave no answer: {why or ' '.join(str(error).split())[:200]}"
            ) from error


def _read(method: Method, answer: Any, job: Mapping[str, Any]) -> tuple[Any, float]:
    """What was found, and CPU seconds; read as a stranger's."""
    return method.read(answer, job), float(answer["cpu_s"])
