"""How a skill's server is started: ours as a module, a user's folder in bubblewrap, with few variables and no key."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from schemas.errors import PrerequisiteError
from schemas.talking.tools import Skill
from tasks.sandbox.command import system_mounts
from tasks.sandbox.seccomp import seccomp_program

ROOT = Path(__file__).resolve().parents[2]
SKILL_INSIDE = "/sandbox/skill"
PASSED_ON = (
    "PATH",
    "HOME",
    "USER",
    "LANG",
    "LC_ALL",
    "TZ",
    "TMPDIR",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "SLURM_CONF",
    "REPROLAB_PYTHON",
)
"""All that a server inherits; what workflow.yaml names beside it is added."""
PARENT = "REPROLAB_TOOL_PARENT"  # a server of ours ends with the process of this number
_NETWORK_FILES = ("resolv.conf", "hosts", "nsswitch.conf", "ssl", "ca-certificates", "gai.conf")
_MEMORY_MB, _PROCESSES, _FILE_MB = 8192, 256, 1024


@dataclass(frozen=True)
class Launch:
    """A command with all of its environment; handles: descriptors it inherits under the same numbers."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    folder: Path
    handles: tuple[int, ...] = ()


def inherited(skill: Skill) -> dict[str, str]:
    """The variables a server is given."""
    return {name: os.environ[name] for name in (*PASSED_ON, *skill.environment) if name in os.environ}


@contextmanager
def launch(skill: Skill, work_dir: Path | None) -> Iterator[Launch]:
    """The command of a skill's server, while it is being started. Raises PrerequisiteError without isolation for a user's."""
    if skill.ours:
        module = f"skills.{skill.name.replace('-', '_')}.server"
        environment = {**inherited(skill), "PYTHONUNBUFFERED": "1", PARENT: str(os.getpid())}
        yield Launch((sys.executable, "-m", module), environment, ROOT)
        return
    bwrap = shutil.which("bwrap", path="/usr/bin:/bin:/usr/local/bin")
    if bwrap is None:
        raise PrerequisiteError(
            f"the skill {skill.name!r} is a user's folder, and nothing isolates its server here",
            found="no bubblewrap",
            allowed="bubblewrap 0.8 or newer",
            fix="apt-get install bubblewrap",
        )
    program = seccomp_program(mpi=True)  # the one that leaves sockets, which a server's event loop needs
    handle = -1
    if program is not None:
        handle = os.memfd_create("seccomp")
        os.write(handle, program)
        os.lseek(handle, 0, os.SEEK_SET)
    try:
        command = _isolated(skill, work_dir, bwrap, handle)
        yield Launch(tuple(command), {"PATH": "/usr/bin:/bin"}, Path("/"), (handle,) if handle >= 0 else ())
    finally:
        with suppress(OSError):
            os.close(handle)


def _isolated(skill: Skill, work_dir: Path | None, bwrap: str, filter_handle: int) -> list[str]:
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
        "skill",
        "--uid",
        "1000",
        "--gid",
        "1000",
        "--clearenv",
    ]
    if skill.network:
        command += ["--share-net"]
    variables = {
        **inherited(skill),
        "PATH": "/usr/bin:/bin",
        "HOME": "/tmp",
        "TMPDIR": "/tmp",
        "MPLCONFIGDIR": "/tmp",
        "LANG": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
    }
    for name, value in variables.items():
        command += ["--setenv", name, value]
    command += system_mounts()
    if skill.network:
        for name in _NETWORK_FILES:
            command += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    for prefix in sorted({sys.prefix, sys.base_prefix}):
        if not Path(prefix).is_relative_to("/usr"):
            command += ["--ro-bind", prefix, prefix]
    command += ["--ro-bind", skill.path, SKILL_INSIDE]
    if work_dir is not None:  # at its own path: the names in arguments mean the same inside
        command += ["--bind", str(work_dir), str(work_dir)]
    command += ["--remount-ro", "/", "--chdir", str(work_dir) if work_dir is not None else "/tmp"]
    if filter_handle >= 0:
        command += ["--seccomp", str(filter_handle)]
    limits = [f"--as={_MEMORY_MB << 20}", f"--fsize={_FILE_MB << 20}", f"--nproc={_PROCESSES}", "--core=0"]
    if os.getuid() == 0:
        limits.remove(f"--nproc={_PROCESSES}")  # counts all of root's processes, and root is bound by none
    prlimit = shutil.which("prlimit") or "/usr/bin/prlimit"
    return [*command, "--", prlimit, *limits, "--", sys.executable, f"{SKILL_INSIDE}/server.py"]
