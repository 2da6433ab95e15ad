"""What a sandbox is asked for and what it answers."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from schemas.errors import InputError, PrerequisiteError, ReproLabError

Level = Literal["A", "B", "C"]
"""A: bubblewrap with its own namespaces, seccomp and resource limits. B: reserved for Landlock.
C: resource limits only; generated code can read the user's files and use the network."""

StopReason = Literal["wall", "cpu", "memory", "disk", "files", "output", "processes", "cancelled"]
"""Which limit ended a run; None when the program ended by itself."""

SANDBOX_ROOT = "/sandbox"
"""Every path a caller names inside the sandbox lies below this directory, so that none can hide or
create a directory of the host (a cluster often has a real /work or /scratch)."""

WORK_INSIDE = SANDBOX_ROOT + "/work"
"""Where the program sees its own writable work directory, which is also its current directory."""


class SandboxUnavailable(PrerequisiteError):
    """Generated code cannot be isolated here, and running it without isolation was not allowed."""


class SandboxLost(ReproLabError):
    """The process that supervises the program died (killed from outside, or out of memory); run it again."""


@dataclass(frozen=True)
class Limits:
    """Hard limits of one sandboxed program and all its descendants; reaching one kills the whole tree.

    wall_s: wall-clock seconds.
    cpu_s: CPU seconds, summed over the tree.
    memory_mb: MiB of resident memory of the tree, files in its /tmp and /dev/shm included.
    processes: processes and threads at one time.
    file_mb: MiB of the largest single file; the program gets EFBIG beyond it.
    disk_mb: MiB of disk blocks in the work directory, deleted but still open files included.
    files: entries in the work directory.
    output_mb: MiB on standard output and standard error together.
    """

    wall_s: float = 3600.0
    cpu_s: float = 3600.0
    memory_mb: int = 8192
    processes: int = 64
    file_mb: int = 1024
    disk_mb: int = 2048
    files: int = 10_000
    output_mb: float = 16.0

    def __post_init__(self) -> None:
        for item in fields(self):
            value, top = getattr(self, item.name), HARD_LIMITS[item.name]
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= top:
                raise InputError(
                    f"the sandbox limit {item.name} does not fit",
                    found=value,
                    allowed=f"a number above 0 and up to {top:g}",
                    fix=f"set {item.name} within that range",
                )


HARD_LIMITS: dict[str, float] = {
    "wall_s": 7 * 86400.0,
    "cpu_s": 64 * 7 * 86400.0,
    "memory_mb": 4_194_304,
    "processes": 4096,
    "file_mb": 1_048_576,
    "disk_mb": 4_194_304,
    "files": 1_000_000,
    "output_mb": 1024,
}
"""The largest value each limit may take; a mistyped unit is caught here."""


@dataclass(frozen=True)
class Protection:
    """One way around isolation or limits, and whether it is closed on this computer; how: what came of trying."""

    against: str
    held: bool
    how: str

    def __str__(self) -> str:
        return f"{self.against}: {self.how}"


@dataclass(frozen=True)
class SandboxLevel:
    """How well this computer isolates generated code, found by trying (see `probe_level`).

    findings: one sentence for each thing that decided the level, for logs and the report.
    protections: every other thing tried at this level.
    """

    level: Level
    backend: str
    findings: tuple[str, ...]
    protections: tuple[Protection, ...] = ()

    @property
    def degraded(self) -> bool:
        """True when files and network of the host are within reach of generated code."""
        return self.level == "C"


@dataclass(frozen=True)
class FirstProcess:
    """CPU seconds of the program's first process, which started all others, as the kernel counts them.

    thread_s: of its first thread. process_s: of all its threads. waited_s: of the children whose end it waited for, and theirs.
    unlooked_s: wall seconds from the last look to the program's last output, in which it may have used more; 0 where it was
    looked at later.
    """

    thread_s: float
    process_s: float
    waited_s: float
    unlooked_s: float


@dataclass(frozen=True)
class SandboxResult:
    """How a sandboxed program ended; JSON-able through `to_json`.

    exit_code: exit status, None when the program died by a signal.
    signal: number of the signal that ended the program, None otherwise.
    stop_reason: the limit that was reached, None when the program ended by itself.
    wall_s, cpu_s: seconds; cpu_s is summed over the tree.
    first: what of cpu_s was its first process's; None where nobody looked while it lived.
    peak_memory_mb: MiB, largest seen by the watchdog.
    peak_disk_mb: MiB, largest seen by the watchdog.
    stdout_head, stdout_tail, stderr_tail: at most 32 KiB each, undecodable bytes replaced. Head and tail
        overlap when the output is short. Never evidence, only diagnosis.
    output_bytes: bytes written to both streams.
    cgroup: what a control group of the program's own limited or counted: "memory", "pids", "cpu".
    own_disk: the work directory was a file system of its own, as large as the limit.
    warnings: sentences about protection that was missing during the run.
    """

    exit_code: int | None
    signal: int | None
    stop_reason: StopReason | None
    wall_s: float
    cpu_s: float
    peak_memory_mb: float
    peak_disk_mb: float
    stdout_head: str
    stdout_tail: str
    stderr_tail: str
    output_bytes: int
    level: Level
    backend: str
    cgroup: tuple[str, ...] = ()
    own_disk: bool = False
    warnings: tuple[str, ...] = ()
    first: FirstProcess | None = None

    @property
    def ok(self) -> bool:
        """True when the program ended by itself with exit status 0."""
        return self.exit_code == 0 and self.stop_reason is None

    def to_json(self) -> dict[str, Any]:
        """Plain dictionary of JSON types."""
        return {**asdict(self), "cgroup": list(self.cgroup), "warnings": list(self.warnings)}
