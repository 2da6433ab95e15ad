"""Isolation of generated code. Standard library only: the supervising shim runs without site-packages."""

from tasks.sandbox.probe import probe_level
from tasks.sandbox.run import run_sandboxed
from tasks.sandbox.sandbox_result import (
    HARD_LIMITS,
    SANDBOX_ROOT,
    WORK_INSIDE,
    Level,
    Limits,
    SandboxLevel,
    SandboxLost,
    SandboxResult,
    SandboxUnavailable,
    StopReason,
)
from tasks.sandbox.scratch import scratch
from tasks.sandbox.supervised import NO_ISOLATION

__all__ = [
    "HARD_LIMITS",
    "SANDBOX_ROOT",
    "WORK_INSIDE",
    "NO_ISOLATION",
    "Level",
    "Limits",
    "SandboxLevel",
    "SandboxLost",
    "SandboxResult",
    "SandboxUnavailable",
    "StopReason",
    "probe_level",
    "run_sandboxed",
    "scratch",
]
