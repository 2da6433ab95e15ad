"""reproduce.sh in a container of docker or apptainer, without network: where a person named an image.

Source: docker-run(1), apptainer-exec(1). Of our own limits memory, processes, processors and wall time are kept here, CPU time
and disk are not; the sandbox keeps them all, and is what runs unless an image is named.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import time
from pathlib import Path

from schemas.bundle import EXECUTABLE
from schemas.explore.bundle import WITHIN

_INSIDE = "/work"


def usable(kind: str) -> bool:
    """Whether the program is here and its daemon, if it has one, answers us."""
    if not shutil.which(kind):
        return False
    try:
        return (
            subprocess.run(
                [kind, "info" if kind == "docker" else "version"],
                capture_output=True,
                check=False,
                timeout=30,
            ).returncode
            == 0
        )
    except subprocess.TimeoutExpired:
        return False


def command(
    kind: str, image: str, work: Path, name: str, *, cpus: int, memory_mb: int, log: str
) -> list[str]:
    """The command line of one run."""
    inside = ["/bin/sh", "-c", f"exec sh {EXECUTABLE} >{log} 2>&1 </dev/null"]
    within = [f"--env={name}={value}" for name, value in WITHIN.items()]
    if kind == "docker":
        return [
            "docker",
            "run",
            "--rm",
            f"--name={name}",
            "--network=none",
            "--cap-drop=ALL",
            "--read-only",
            "--security-opt=no-new-privileges",
            f"--user={os.getuid()}:{os.getgid()}",
            f"--memory={memory_mb}m",
            f"--memory-swap={memory_mb}m",
            f"--cpus={cpus}",
            f"--pids-limit={64 + 16 * cpus}",
            "--tmpfs=/tmp:size=256m",
            "--env=HOME=/tmp",
            "--env=OMP_NUM_THREADS=1",
            *within,
            f"--volume={work}:{_INSIDE}",
            f"--workdir={_INSIDE}",
            "--entrypoint=",
            image,
            *inside,
        ]
    return [
        "apptainer",
        "exec",
        "--containall",
        "--no-home",
        "--cleanenv",
        "--net",
        "--network=none",
        *within,
        "--bind",
        f"{work}:{_INSIDE}",
        "--pwd",
        _INSIDE,
        image,
        *inside,
    ]


def run(
    kind: str, image: str, work: Path, *, cpus: int, memory_mb: int, wall_s: float, log: str
) -> dict[str, object]:
    """Run it to its end or its wall time; how it ended, in the fields of Phase1."""
    name = f"reprolab-{secrets.token_hex(6)}"
    begun = time.monotonic()
    try:
        done = subprocess.run(
            command(kind, image, work, name, cpus=cpus, memory_mb=memory_mb, log=log),
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=wall_s,
        )
    except subprocess.TimeoutExpired:
        if kind == "docker":
            subprocess.run(["docker", "kill", name], capture_output=True, check=False)
        return {
            "exit_code": None,
            "stop_reason": "wall",
            "wall_s": wall_s,
            "why": "it was ended at its limit on wall",
        }
    return {
        "exit_code": done.returncode,
        "wall_s": time.monotonic() - begun,
        "why": done.stderr.strip()[-300:],
    }
