"""Failures are named before they are retried: environment, code, numerics, physics, infrastructure, budget."""

from __future__ import annotations

import re

from schemas.reproduce.simulations.execution import Failure, MeepRun

# Source: what the programs print; checked against Meep 1.25 (photonics notes, items 10, 11, 31).
_ENVIRONMENT = re.compile(
    r"ModuleNotFoundError: No module named '(meep|simkit|numpy|scipy|matplotlib|h5py)'"
    r"|ImportError: .*(lib(meep|ctl|hdf5|mpb|mpi|gsl|fftw)|GLIBC|cannot open shared object)"
    r"|module 'meep' has no attribute '(Simulation|Vector3|Medium)'|module 'meep.mpb' has no attribute 'ModeSolver'"
)
_NUMERICS = re.compile(
    r"FieldGrowth|FloatingPointError|non-?finite|fields? (are|is) (NaN|Inf)|simulation fields are NaN",
    re.IGNORECASE,
)
_BUDGET = re.compile(r"TimeLimit|MemoryError|bad_alloc|Cannot allocate memory")
_LAST_ERROR = re.compile(r"^(\w[\w.]*(?:Error|Exception|Growth|Limit|Interrupt)\b.*)$", re.MULTILINE)


def classify(
    *,
    exit_code: int | None,
    signal: int | None,
    stop_reason: str | None,
    stderr: str,
    complete: bool,
    non_finite: int,
    meep_runs: tuple[MeepRun, ...],
    limit_text: str,
) -> Failure | None:
    """Why a run failed, or None if it did not. Text is only used to name a failure that the exit code shows."""
    tail = stderr[-3000:]
    if stop_reason in ("wall", "cpu", "memory", "disk", "files", "output", "processes"):
        return Failure(
            failure_class="budget",
            reason=f"stopped by the limit on {stop_reason}",
            detail=limit_text,
            fix="simulate less: coarser, smaller, shorter, fewer frequencies; see the progress reached",
        )
    if stop_reason == "cancelled":
        return Failure(failure_class="infrastructure", reason="cancelled from outside", fix="run it again")
    if signal is not None:
        return Failure(
            failure_class="infrastructure" if signal in (1, 2, 9, 15) else "code",
            reason=f"the interpreter died by signal {signal}",
            detail=tail,
            fix="signal 11 or 6 in Meep or MPB usually means a mode that does not exist was asked for",
        )
    if exit_code != 0:
        match = _LAST_ERROR.findall(tail)
        last = match[-1] if match else (tail.strip().splitlines() or ["no error output"])[-1]
        if _ENVIRONMENT.search(tail):
            return Failure(
                failure_class="environment",
                reason=last,
                detail=tail,
                fix="mend the installation (reprolab doctor); no code change helps",
            )
        if _NUMERICS.search(last):
            return Failure(
                failure_class="numerics",
                reason=last,
                detail=tail,
                fix="look for an object in the PML, a gain medium, a Courant factor too large",
            )
        if _BUDGET.search(last):
            return Failure(
                failure_class="budget", reason=last, detail=tail, fix="simulate less, or raise the limit"
            )
        return Failure(failure_class="code", reason=last, detail=tail, fix="correct the script")
    if not complete:
        return Failure(
            failure_class="code",
            reason="the script ended without run.finish()",
            detail=tail,
            fix="call finish() last; everything before it is kept",
        )
    if non_finite:
        return Failure(
            failure_class="numerics",
            reason=f"{non_finite} values in the data files are NaN or infinite",
            fix="find the division by zero or the growing field; look at value against time",
        )
    if not any(run.time_steps > 0 or run.pixels > 0 for run in meep_runs):
        return Failure(
            failure_class="code",
            reason="no Meep run was recorded: nothing was simulated",
            fix="compute the data with Meep",
        )
    return None
