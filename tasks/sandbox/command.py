"""The command line that isolates a program, and its clean environment.

Source: bwrap(1) of bubblewrap 0.8, prlimit(1). Never start the result as real root:
the shim drops the user first.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tasks.sandbox.sandbox_result import SANDBOX_ROOT, WORK_INSIDE, Limits
from tasks.sandbox.work_disk import BARRIER, mount_options

SANDBOX_UID = 61234
"""User that generated code runs as when we are root; in systemd's dynamic range, owned by nobody."""

ADDRESS_SPACE_HEADROOM_MB = 1024
CPU_GAP_S = 10  # between SIGXCPU and SIGKILL
_TMP_MB, _SHM_MB, _OPEN_FILES = 256, 64, 256
_SYSTEM_LINKS = ("bin", "sbin", "lib", "lib64", "lib32")
# alternatives: BLAS; without matplotlibrc Debian's `import meep` fails
_ETC = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "matplotlibrc", "fonts", "openmpi")

_BASE_ENV = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MPLBACKEND": "Agg",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONNOUSERSITE": "1",
    "PYTHONUNBUFFERED": "1",
}


@dataclass(frozen=True)
class Program:
    """What runs: argv, work directory, read-only inputs (host path -> path inside), interpreter prefixes."""

    argv: tuple[str, ...]
    work_dir: Path
    readonly: Mapping[Path, str]
    prefixes: tuple[Path, ...]
    env: Mapping[str, str]


def resource_limits(limits: Limits) -> dict[str, tuple[int, int]]:
    """What the kernel enforces for each process, as (soft, hard); the watchdog is finer.

    At the soft limit on CPU time the program gets SIGXCPU, which names the limit; with an equal hard limit the
    kernel would send SIGKILL instead, which looks like an accident.
    """
    cpu = int(limits.cpu_s) + 2
    bounds = {
        "as": (limits.memory_mb + ADDRESS_SPACE_HEADROOM_MB) << 20,
        "fsize": limits.file_mb << 20,
        "nproc": limits.processes,
        "nofile": _OPEN_FILES,
        "core": 0,
        "memlock": 65536,
    }
    return {"cpu": (cpu, cpu + CPU_GAP_S), **{name: (value, value) for name, value in bounds.items()}}


def bubblewrap_command(
    program: Program,
    limits: Limits,
    seccomp: str | None,
    bwrap: str,
    *,
    mpi: bool = False,
    own_disk: bool = False,
) -> list[str]:
    """Level A: own namespaces, read-only system, private /tmp, no network, no host environment.

    seccomp: text that stands for the filter's file descriptor, which the shim puts in; None for no filter.
    own_disk: the work directory is a file system of its own (`work_disk`), and the program waits until the shim holds it.
    """
    env = {**_BASE_ENV, "HOME": "/tmp", "TMPDIR": "/tmp", "MPLCONFIGDIR": "/tmp/mpl", **program.env}
    command = [
        bwrap,
        "--unshare-all",
        "--unshare-user",
        "--disable-userns",
        "--die-with-parent",
        "--new-session",
        "--cap-drop",
        "ALL",
        "--hostname",
        "sandbox",
        "--uid",
        "1000",
        "--gid",
        "1000",
        "--clearenv",
    ]
    for name, value in env.items():
        command += ["--setenv", name, value]
    command += system_mounts()
    if not mpi:  # whose launcher likes pseudo-terminals; each is 280 kB of the kernel's memory
        command += ["--tmpfs", "/dev/pts", "--remount-ro", "/dev/pts"]
    for prefix in program.prefixes:
        command += ["--ro-bind", str(prefix), str(prefix)]
    for source, inside in program.readonly.items():
        command += ["--ro-bind", str(source), inside]
    command += mount_options(limits) if own_disk else ["--bind", str(program.work_dir), WORK_INSIDE]
    command += ["--remount-ro", "/", "--chdir", WORK_INSIDE]
    if seccomp is not None:
        command += ["--seccomp", seccomp]
    # the other limits came with bubblewrap; this one counts what the user runs in here, once inside
    processes = f"--nproc={limits.processes}:{limits.processes}"
    barrier = BARRIER if own_disk else []
    return [
        *command,
        "--",
        *barrier,
        shutil.which("prlimit") or "/usr/bin/prlimit",
        processes,
        "--",
        *program.argv,
    ]


def system_mounts() -> list[str]:
    """Arguments that mount the system read-only, with a private /proc, /dev and /tmp."""
    mounts = ["--ro-bind", "/usr", "/usr"]
    for name in _SYSTEM_LINKS:
        path = "/" + name
        if os.path.islink(path):
            mounts += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            mounts += ["--ro-bind", path, path]
    mounts += ["--dir", "/etc"]
    for name in _ETC:
        mounts += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    # the first process of a sandbox is bubblewrap's, and whoever writes to its memory is that process
    mounts += ["--proc", "/proc", "--tmpfs", "/proc/1", "--remount-ro", "/proc/1", "--dev", "/dev"]
    # reads as many zeros, but cannot be mapped: a shared map of /dev/zero is memory that no process shows
    mounts += ["--dev-bind", "/dev/full", "/dev/zero"]
    mounts += ["--size", str(_SHM_MB << 20), "--perms", "1777", "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
    return [*mounts, "--size", str(_TMP_MB << 20), "--perms", "1777", "--tmpfs", "/tmp"]


def direct_command(program: Program, layout: Path) -> tuple[list[str], dict[str, str]]:
    """Level C: the same program on host paths, with a clean environment. Returns (command, environment).

    layout: a directory that looks like /sandbox, made by `linked_layout`.
    """
    private = str(program.work_dir / ".cache")
    env = {**_BASE_ENV, "HOME": private, "TMPDIR": private, "MPLCONFIGDIR": private, **program.env}
    command = [program.argv[0], *(_translate(item, layout) for item in program.argv[1:])]
    return command, {name: _translate(value, layout) for name, value in env.items()}


def linked_layout(program: Program) -> Path:
    """A fresh directory of links that stand for what level A would mount below /sandbox."""
    layout = Path(tempfile.mkdtemp(prefix="reprolab-layout-"))
    layout.chmod(0o755)  # the program may run as another user
    for source, inside in [(program.work_dir, WORK_INSIDE), *program.readonly.items()]:
        link = layout / inside.removeprefix(SANDBOX_ROOT + "/")
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(source)
    return layout


def _translate(text: str, layout: Path) -> str:
    """Paths below /sandbox in a colon-separated text, as paths below `layout`."""
    parts = text.split(":")
    return ":".join(
        str(layout) + part[len(SANDBOX_ROOT) :] if (part + "/").startswith(SANDBOX_ROOT + "/") else part
        for part in parts
    )


def unreachable_for(path: Path, uid: int) -> Path | None:
    """The first directory above `path` that user `uid` (no groups) may not enter, or None."""
    for parent in reversed(path.resolve().parents):
        status = parent.stat()
        if not status.st_mode & (0o100 if status.st_uid == uid else 0o001):
            return parent
    return None


def covers(prefixes: Sequence[Path], executable: Path) -> bool:
    """True when `executable`, links followed, is visible inside: in the system directories or a prefix."""
    roots = [Path("/usr"), *(Path("/", name) for name in _SYSTEM_LINKS), *prefixes]
    return all(
        any(path.is_relative_to(root) for root in roots) for path in (executable, executable.resolve())
    )
