"""A unit cell solved with more and more orders, and what the last three leave open; each truncation in a sandbox of its own."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simkit.arrange.permittivity import index_of
from simkit.describe.media import PerfectConductor
from simkit.describe.scene import Quantity
from simkit.describe.unit_cell import UnitCell
from tasks.files.store import atomic_write
from tasks.reproduce.collect import UnsafeOutput, collect, read_json
from tasks.reproduce.describing.own_python import own_python
from tasks.reproduce.second.plain_cells import NotSolved, Solved, job_of, value_of
from tasks.reproduce.solving.functions import library
from tasks.sandbox import Limits, run_sandboxed, scratch

Array = NDArray[np.float64]
FINER = math.sqrt(2)  # from one highest order to the next: the last three are a factor of two apart
LEAST = 3  # truncations
SAFETY, IRREGULAR = 1.25, 3.0
FIRST = {1: 61, 2: 60}  # orders of the first truncation, by the number of periods
MOST = 1000  # orders: 40 s and 1 GB for a frequency
BEYOND = 1.2  # the first truncation's highest order over the highest that travels
PATTERN_S, PLAIN_S, START_S = (
    5e-8,
    1.5e-8,
    0.5,
)  # CPU seconds over orders cubed, of a layer and a frequency; of a sandbox
HARD = 5.0  # times what is foreseen, and no less than LIMIT_S, ends a truncation
LIMIT_S, MEMORY_MB = 60.0, 6144
ROUNDING = 1e-9  # of the value, where nothing is truncated
MAX_MB = 64
_PROGRAM = ("__init__.py", "fourier_modal.py", "outlines.py", "program.py")
_INPUTS, _LIBRARY, _PROGRAMS, _WORK = (
    "/sandbox/inputs",
    "/sandbox/library",
    "/sandbox/programs",
    "/sandbox/work",
)


@dataclass(frozen=True)
class Truncated:
    """One truncation: orders kept, CPU seconds, and each quantity's values at the frequencies."""

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


def radii(scene: UnitCell, frequencies: Sequence[float], materials: Mapping[str, Any]) -> list[float]:
    """Highest lateral waves per length of each truncation, ascending; one where nothing is patterned."""
    if not patterned(scene):
        return [0.0]
    area = math.prod(float(p) for p in scene.period)
    first = FIRST[2] if len(scene.period) == 2 else (FIRST[1] - 1) / 2
    start = math.sqrt(first / (math.pi * area)) if len(scene.period) == 2 else first / area
    densest = max(
        abs(index_of(medium, f, materials).real)
        for medium in (scene.below, scene.above)
        if not isinstance(medium, PerfectConductor)
        for f in frequencies
    )
    out = [max(start, BEYOND * densest * max(frequencies))]
    while orders_at(scene, out[-1] * FINER) <= MOST:
        out.append(out[-1] * FINER)
    return out


def patterned(scene: UnitCell) -> int:
    """Layers with something drawn into them."""
    return sum(bool(getattr(layer, "pattern", ())) for layer in scene.layers)


def orders_at(scene: UnitCell, radius: float) -> float:
    """About how many orders are kept."""
    if not scene.period or not radius:
        return 1.0
    area = math.prod(float(p) for p in scene.period)
    return math.pi * area * radius**2 if len(scene.period) == 2 else 2 * area * radius + 1


def foreseen_s(scene: UnitCell, count: int, radius: float) -> float:
    """CPU seconds of a truncation at `count` frequencies, by a model fitted on one quiet core."""
    layers = PATTERN_S * patterned(scene) + PLAIN_S * (len(scene.layers) - patterned(scene) + 1)
    return START_S + count * layers * orders_at(scene, radius) ** 3


def least_s(scene: UnitCell, frequencies: Sequence[float], materials: Mapping[str, Any]) -> float:
    """What the first three truncations will cost; inf where so many are more than MOST orders allow."""
    steps = radii(scene, frequencies, materials)
    if patterned(scene) and len(steps) < LEAST:
        return math.inf
    return sum(foreseen_s(scene, len(frequencies), radius) for radius in steps[:LEAST])


def truncated(
    scene: UnitCell,
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
    """Quantities of a resolved scene at ascending frequencies, with orders until each is known to `wanted` of its size, or `known`.

    What is left open (`left_open`): SAFETY times the spread of the last three truncations. Their highest orders are a factor of
    two apart, so an error of first order in the highest order is as large as their spread, and one that falls faster smaller.
    Raises NotSolved: no light for a phase, too many orders, or a truncation that did not end well before the third one.
    """
    steps = radii(scene, frequencies, materials)
    if patterned(scene) and len(steps) < LEAST:
        raise NotSolved(f"three truncations need more than {MOST} orders for periods of so many wavelengths")
    rungs: list[Truncated] = []
    used, ended = 0.0, ""
    for radius in steps:
        cost = foreseen_s(scene, len(frequencies), radius)
        if used + cost > budget_s:
            ended = f"the next truncation needs about {cost:.0f} s of CPU time, {max(0.0, budget_s - used):.0f} s are left"
            break
        try:
            found, cpu_s = _solved(job_of(scene, frequencies, materials, radius), cost, allow_degraded)
        except NotSolved as error:
            ended = str(error)
            break
        used += cost
        rungs.append(
            Truncated(
                len(found[0].orders), cpu_s, {q.id: value_of(scene, q, materials, found) for q in quantities}
            )
        )
        if say is not None:
            say(f"{scene.id}: {rungs[-1].orders} orders")
        if len(rungs) >= LEAST and _known(rungs, wanted, known):
            break
    if not rungs or (patterned(scene) and len(rungs) < LEAST):
        raise NotSolved(f"fewer than three truncations: {ended}")
    return Climbed(tuple(rungs), {q.id: left_open(rungs, q.id) for q in quantities}, ended)


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


def _known(rungs: Sequence[Truncated], wanted: float, known: float) -> bool:
    return all(
        float(np.max(left_open(rungs, name))) <= max(known, wanted * float(np.max(np.abs(values))))
        for name, values in rungs[-1].values.items()
    )


def _solved(job: dict[str, Any], foreseen: float, allow_degraded: bool) -> tuple[list[Solved], float]:
    """A truncation in a sandbox with limits on time and memory. Raises NotSolved for any other end than an answer."""
    python = own_python()
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
            readonly={inputs: _INPUTS, library(): _LIBRARY, programs: _PROGRAMS},
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
            return _read(read_json(folder / "kept" / "answer.json", MAX_MB << 20), job)
        except (UnsafeOutput, OSError, ValueError, KeyError, TypeError) as error:
            why = (
                f"limit on {result.stop_reason}" if result.stop_reason else result.stderr_tail.strip()[-200:]
            )
            raise NotSolved(
                f"a truncation gave no answer: {why or ' '.join(str(error).split())[:200]}"
            ) from error


def _read(answer: Any, job: Mapping[str, Any]) -> tuple[list[Solved], float]:
    """Read as a stranger's. Raises ValueError, KeyError or TypeError for what does not fit."""
    orders = np.array(answer["orders"], np.int64)
    if orders.ndim != 2 or orders.shape[1] != 2 or len(answer["lines"]) != len(job["lines"]):
        raise ValueError("its orders do not fit")
    found = []
    for line, told in zip(answer["lines"], job["lines"], strict=True):
        (a, b), (c, d) = line["r"], line["t"]
        r, t = complex(a, b), complex(c, d)
        powers = [np.array(line[side], float) for side in ("reflected", "transmitted")]
        if any(power.shape != (len(orders),) for power in powers):
            raise ValueError("its powers do not fit its orders")
        if not all(np.all(np.isfinite(part)) for part in (*powers, np.array([r, t]))):
            raise ValueError("its powers are not finite")
        found.append(Solved(told["frequency"], orders, powers[0], powers[1], r, t))
    return found, float(answer["cpu_s"])
