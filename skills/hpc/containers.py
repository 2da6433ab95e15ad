"""Containers by Apptainer (or Singularity): images are kept for the run, what runs in them is recorded like any execution.

Source: apptainer-exec(1), apptainer-build(1), apptainer-pull(1). A container has the network of its host.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from schemas.talking.tools import ToolContext
from skills.executions.running import Ended, execute
from tasks.files.store import private_folder

_IMAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}\.sif")
_SOURCE = re.compile(r"(docker|oras|library|shub)://[A-Za-z0-9][A-Za-z0-9_./:@-]{0,299}")
_KEPT = 32 * 1024


class ContainerError(ValueError):
    """An image or its source does not fit, or the program failed; the text says why."""


def program() -> str | None:
    """The container program that is installed."""
    return shutil.which("apptainer") or shutil.which("singularity")


def image_path(context: ToolContext, name: str) -> Path:
    """Where an image of that name is kept. Raises ContainerError for a name that is none."""
    if not _IMAGE.fullmatch(name):
        raise ContainerError(f"{name!r} is no name of an image: letters, digits, _ . - and .sif at the end")
    return private_folder(Path(context.run_dir or Path(context.work_dir).parent) / "images") / name


def pull(source: str, name: str, context: ToolContext, minutes: float) -> str:
    """Fetch an image. Raises ContainerError."""
    if not _SOURCE.fullmatch(source):
        raise ContainerError(
            f"{source[:100]!r} is no source of an image: docker://, oras://, library:// or shub://"
        )
    return _made(["pull", "--force", "{image}", source], name, context, minutes, Path(context.work_dir))


def build(definition: str, name: str, context: ToolContext, minutes: float, *, fakeroot: bool) -> str:
    """Build an image from a definition file in the work directory. Raises ContainerError."""
    how = ["build", "--force", *(["--fakeroot"] if fakeroot else []), "{image}", definition]
    return _made(how, name, context, minutes, Path(context.work_dir))


def run(name: str, command: str, context: ToolContext, *, gpu: bool) -> str:
    """Run a shell command in an image on the node's files; recorded. Raises ContainerError, NoBudget."""
    image = image_path(context, name)
    if not image.is_file():
        raise ContainerError(f"there is no image {name}; pull or build it first")

    def runner(copy: Path, cpu_s: float) -> Ended:
        copy.chmod(0o777)
        argv = [
            str(program()),
            "exec",
            "--containall",
            "--cleanenv",
            "--no-home",
            *(["--nv"] if gpu else []),
            "--bind",
            f"{copy}:/work",
            "--pwd",
            "/work",
            str(image),
            "/bin/sh",
            "-c",
            command,
        ]
        return _run(argv, copy, 4 * cpu_s + 120, cpu_s)

    return execute(
        [],
        tool="singularity_run_gpu" if gpu else "singularity_run",
        command=f"{name}: {command}",
        work=Path(context.work_dir),
        context=context,
        runner=runner,
    )


def _made(arguments: list[str], name: str, context: ToolContext, minutes: float, folder: Path) -> str:
    image = image_path(context, name)
    draft = image.with_name(f".{name}.draft")
    argv = [str(program()), *(str(draft) if item == "{image}" else item for item in arguments)]
    ended = _run(argv, folder, 60 * minutes, None)
    if ended.exit_code != 0:
        draft.unlink(missing_ok=True)
        raise ContainerError(f"it failed ({ended.stop_reason or ended.exit_code}): {ended.stderr[-2000:]}")
    draft.replace(image)
    return f"{name}: {image.stat().st_size >> 20} MiB"


def _run(argv: list[str], folder: Path, wall_s: float, cpu_s: float | None) -> Ended:
    """Run to the end or the limit, then end all of its process group; output is kept to its last 32 KiB."""

    def limited() -> None:
        if cpu_s is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (int(cpu_s) + 1, int(cpu_s) + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    stop = ""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            argv,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=errors,
            start_new_session=True,
            preexec_fn=limited,
        )
        try:
            process.wait(wall_s)
        except subprocess.TimeoutExpired:
            stop = "wall"
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            code = process.wait()
        texts = []
        for stream in (out, errors):
            stream.seek(max(0, stream.seek(0, 2) - _KEPT))
            texts.append(stream.read().decode("utf-8", "replace"))
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
    return Ended(code if code >= 0 else None, -code if code < 0 else None, stop, spent, *texts)
