"""What a run left: its raw arrays, checked, or the class and the cause of its failure."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schemas.errors import ReproLabError
from schemas.reproduce.simulations.execution import Failure, MeepRun
from simkit.runs import MONITOR_NAME, AnyRun, BandsRun
from tasks.reproduce.collect import UnsafeOutput, read_npz
from tasks.reproduce.failures import classify
from tasks.reproduce.solving.session import DISK_MB
from tasks.sandbox import SandboxResult

RAW_NAMES = re.compile(rf"{MONITOR_NAME.pattern}(/[A-Za-z0-9_+\-]{{1,80}}){{0,3}}")
MOST_ARRAYS, MAX_RAW_BYTES = 2000, DISK_MB << 20
_SUBTRACTED_ONLY = re.compile(r".*/[EH](/.*)?")  # of use to other runs alone; large in three dimensions
_GROWTH, _REFUSED, _SOLVER = 3, 4, 5  # exit codes of simkit.solve (simkit/solve/errors.py)
Arrays = dict[str, NDArray[np.generic]]


class RunFailed(ReproLabError):
    """A run gave no raw data; `failure` names the class and the cause."""

    def __init__(self, what: str, failure: Failure | None = None, **told: Any):
        super().__init__(what, **told)
        self.failure = failure or Failure(failure_class="infrastructure", reason=what)

    @classmethod
    def of(cls, failure: Failure) -> RunFailed:
        """The error of a classified failure."""
        return cls(f"{failure.failure_class}: {failure.reason}", failure, fix=failure.fix or None)


def read_raw(path: Path, fields: bool = False) -> Arrays:
    """The arrays of raw.npz, sizes checked before unpacking; E and H for subtracting only with `fields`."""
    skip = None if fields else lambda name: _SUBTRACTED_ONLY.fullmatch(name) is not None
    return read_npz(path, names=RAW_NAMES, most=MOST_ARRAYS, max_bytes=MAX_RAW_BYTES, skip=skip).data


def was_cut(draft: Path) -> bool:
    return bool(np.any(read_raw(draft / "raw.npz").get("stats/cut", 0)))


def failure_of(run: AnyRun, result: SandboxResult, draft: Path | None, limit: float) -> Failure | None:
    non_finite, unreadable = 0, ""
    if result.ok and draft is not None:
        try:
            raw = read_raw(draft / "raw.npz")
            # MPB leaves NaN where a mode does not exist; in time domain it is growth; statistics may be unknown
            non_finite = (
                0
                if isinstance(run, BandsRun)
                else sum(
                    int(np.count_nonzero(~np.isfinite(a)))
                    for name, a in raw.items()
                    if not name.startswith("stats/")
                )
            )
        except (UnsafeOutput, OSError) as error:
            unreadable = " ".join(str(error).split())[:400]
    found = classify(
        exit_code=result.exit_code,
        signal=result.signal,
        stop_reason=result.stop_reason,
        stderr=result.stderr_tail,
        complete=not unreadable,
        non_finite=non_finite,
        meep_runs=(MeepRun(time_steps=1),),
        limit_text=f"CPU {result.cpu_s:.0f} of {limit:.0f} s, wall {result.wall_s:.0f} s, "
        f"memory {result.peak_memory_mb:.0f} MB",
    )
    if found is not None and unreadable:
        return found.model_copy(
            update={"reason": f"raw.npz cannot be used: {unreadable}", "failure_class": "infrastructure"}
        )
    if found is not None and result.exit_code in (_GROWTH, _SOLVER):
        return found.model_copy(
            update={"failure_class": "numerics", "fix": "the arrangement or a medium is unstable"}
        )
    if found is not None and result.exit_code == _REFUSED:
        return found.model_copy(update={"failure_class": "physics", "fix": "describe another medium or body"})
    return found
